import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { MERCHANT, payment } from '../../helpers/gateway.ts'
import { openShop, type Shop } from '../webhooks/shop.ts'
import { cardOf, pathOf, payerAt, throughBank, URLS } from './payer.ts'

const TEN_MINUTES = { seconds: 600 }
const ALWAYS = {
  id: 2,
  password: 'asks everybody',
  secret: 's2',
  settings: { three_d_secure: 'always' },
} as const

let shop: Shop
beforeAll(async () => {
  shop = await openShop({ merchants: [MERCHANT, ALWAYS] })
})
afterAll(() => shop.close())

/** Cases whose payment is declined. */
const REFUSED = [2, 5, 7, 8, 11, 13, 14, 15, 18, 19]

/**
 * Returns the webhooks of payments with a payment_ref, as `trigger status`, in alphabetical order.
 */
const told = async (payment_ref: string) =>
  (await shop.deliveries())
    .map(({ trigger, body }) => ({ trigger, ...(JSON.parse(body) as Transaction) }))
    .filter((each) => each.payment_ref === payment_ref)
    .map(({ trigger, status }) => `${trigger} ${status}`)
    .sort()

const hooks = () =>
  JSON.stringify(
    ['payment', 'payment_success', 'payment_error', 'payment_form'].map((trigger) => ({
      trigger,
      url: shop.sink.url,
    })),
  )

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  'a form with a card of case %i sends the shop one webhook at its end, with the final status',
  async (card) => {
    const payment_ref = `case ${card}`
    const page = await payerAt(shop).pay({
      payment_ref,
      card_number: cardOf(card),
      webhook: hooks(),
    })
    if (page.html.includes('data-testid="bank-code"')) expect(await told(payment_ref)).toEqual([])
    await throughBank(shop, page)
    const { status } = (
      await shop.get<{ status: string }[]>('/v1/transactions', {
        'filter[payment_ref]': payment_ref,
      })
    ).body[0] ?? { status: '' }
    const outcome = REFUSED.includes(card) ? 'payment_error' : 'payment_success'
    expect(await told(payment_ref)).toEqual(
      [`payment ${status}`, `${outcome} ${status}`, `payment_form ${status}`].sort(),
    )
  },
)

describe('the trigger payment_form of a payment that waited for the bank', () => {
  const CARD = {
    card_number: cardOf(10),
    card_holder: 'Kim Berg',
    card_expiry: '1230',
    card_cvv: '200',
  }

  /** Leads a payer from the payment page to the challenge of the bank. */
  async function atBankFromPage(payment_ref: string) {
    const fields = payment({ ...URLS, payment_ref, process: false, webhook: hooks() })
    const { body } = await shop.post<Transaction>('/v1/transactions', fields)
    const payer = payerAt(shop)
    return payer.follow(
      await shop.browser.send('POST', pathOf(body.href), String(new URLSearchParams(CARD))),
    )
  }

  test('fires for a payment from the payment page when the bank has answered', async () => {
    const bank = await atBankFromPage('page')
    expect(await told('page')).toEqual([])
    await throughBank(shop, bank)
    expect(await told('page')).toEqual([
      'payment approved',
      'payment_form approved',
      'payment_success approved',
    ])
  })

  test('fires also if the payer lets the time limit of the bank expire', async () => {
    await atBankFromPage('page late')
    await shop.gateway.clock.advance(TEN_MINUTES)
    expect(await told('page late')).toEqual([
      'payment failed',
      'payment_error failed',
      'payment_form failed',
    ])
  })

  test('does not fire for a payment from a server', async () => {
    const fields = payment({ ...URLS, payment_ref: 'server', webhook: hooks() })
    const { body } = await shop.as(ALWAYS).post<Transaction>('/v1/transactions', fields)
    expect(body.status).toBe('3ds pending')
    await throughBank(
      shop,
      await payerAt(shop).open(`/v1/acs/payment/${pathOf(body.href).split('/').at(-1)}`),
    )
    expect(await told('server')).toEqual(['payment approved', 'payment_success approved'])
  })
})
