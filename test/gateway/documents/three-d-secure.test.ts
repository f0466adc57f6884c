import { expect, test } from 'vitest'
import { TEST_CARDS, testCard } from '../../../mock-gateway/domain/card/test-cards.ts'
import { read } from '../../helpers/documents.ts'

test('the table of 3-D Secure cards in docs/gateway.md has every case, with cards that stand for it', () => {
  const rows = [...read('docs/gateway.md').matchAll(/^\| (\d+) \| [^|]+ \| `(\d+)` \| `(\d+)` \|/gm)]
  expect(rows.map(([, number]) => Number(number))).toEqual(
    [...new Set([...TEST_CARDS.values()].flatMap(({ threeDSecure }) => threeDSecure ?? []))].toSorted((a, b) => a - b),
  )
  for (const [, number, visa = '', mastercard = ''] of rows) {
    expect(testCard(visa)).toEqual({ brand: 'visa', threeDSecure: Number(number) })
    expect(testCard(mastercard)).toEqual({ brand: 'mastercard', threeDSecure: Number(number) })
  }
})

test('docs/test-cards.md has every test card once, in the row of its case and the column of its brand', () => {
  const [head = '', ...rows] = read('docs/test-cards.md').match(/^\|(?!-).*\|$/gm) ?? []
  const brands = head.split('|').map((cell) => cell.trim().toLowerCase())
  const told = rows.flatMap((row) =>
    row.split('|').flatMap((cell, column, cells) =>
      (cell.match(/`\d+`/g) ?? []).map((number) => {
        const threeDSecure = Number(cells[1])
        return [number.slice(1, -1), { brand: brands[column], ...(threeDSecure > 0 && { threeDSecure }) }]
      }),
    ),
  )
  expect(told).toHaveLength(TEST_CARDS.size)
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(TEST_CARDS))
})
