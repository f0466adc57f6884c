import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../webhooks/shop.ts'
import { cardOf, payerAt, throughBank } from './payer.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Cases whose payment is refused. */
const REFUSED = [2, 5, 7, 8, 11, 13, 14, 15, 18, 19]

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  'case %i is told to the shop once, when it has ended, and as what it ended as',
  async (card) => {
    const webhook = ['payment', 'payment_success', 'payment_error'].map((trigger) => ({ trigger, url: shop.sink.url }))
    const payment_ref = `case ${card}`
    const told = async () =>
      (await shop.deliveries())
        .map(({ trigger, body }) => ({ trigger, ...JSON.parse(body) }))
        .filter((each) => each.payment_ref === payment_ref)
        .map(({ trigger, status }) => `${trigger} ${status}`)
    const page = await payerAt(shop).pay({ payment_ref, card_number: cardOf(card), webhook: JSON.stringify(webhook) })
    if (page.html.includes('data-testid="bank-code"')) expect(await told()).toEqual([])
    await throughBank(shop, page)
    const { status } = (
      await shop.get<{ status: string }[]>('/v1/transactions', { 'filter[payment_ref]': payment_ref })
    ).body[0] ?? { status: '' }
    const outcome = REFUSED.includes(card) ? 'payment_error' : 'payment_success'
    expect((await told()).sort()).toEqual([`payment ${status}`, `${outcome} ${status}`])
  },
)
