import { expect, test } from 'vitest'
import { payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

test("error 107 links to the hash checker in a payer's browser, too, without card data and long values", async () => {
  const sent = payment({
    merchant_id: 1,
    hash: 'x',
    customer_ref: '4111111111111111',
    payment_ref: 'a'.repeat(65),
  })
  const { headers } = await shop.browser.post('/v1/transactions', sent)
  const link = new URL(headers.get('mondido-explain')?.split(' Check the hash: ')[1] ?? '')
  expect(link.pathname).toBe('/console/1/hash')
  expect(link.searchParams.get('amount')).toBe(String(sent.amount))
  expect(link.searchParams.has('payment_ref')).toBe(false)
  expect(link.search).not.toContain('4111111111111111')
})
