import { expect, test } from 'vitest'
import { testCard } from '../../../mock-gateway/domain/card/test-cards.ts'
import { read } from '../../helpers/documents.ts'

test('the table of 3-D Secure cards in docs/gateway.md has every case, with cards that stand for it', () => {
  const rows = [...read('docs/gateway.md').matchAll(/^\| (\d+) \| [^|]+ \| `(\d+)` \| `(\d+)` \|/gm)]
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  for (const [, number, visa = '', mastercard = ''] of rows) {
    expect(testCard(visa)).toEqual({ brand: 'visa', threeDSecure: Number(number) })
    expect(testCard(mastercard)).toEqual({ brand: 'mastercard', threeDSecure: Number(number) })
  }
})
