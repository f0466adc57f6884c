import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../../mock-gateway/contract/wire.ts'
import { CARD, encode, type Fields, MERCHANT, payment, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'

const OFFERING = {
  ...MERCHANT,
  id: 2,
  settings: {
    wallets: ['apple_pay' as const, 'google_pay' as const],
    currency_converter: { card_currency: 'eur' as const, rates: { sek: '0.0880' } },
    three_d_secure: 'always' as const,
  },
}

/** What a payer is offered for 10.00 SEK. */
const OFFER = { amount: '0.88', currency: 'eur', rate: '0.0880' }

const shop = await sharedGateway({ merchants: [MERCHANT, OFFERING] })
const control = controlOf(shop.gateway)

const offering = () => shop.as(OFFERING)
const prepare = async (over: Fields = {}, as = offering()) =>
  new URL((await as.post('/v1/transactions', prepared(over))).body.href).pathname
const look = async (path: string, query = 'lang=en') => (await shop.browser.get<string>(`${path}?${query}`)).body
const send = (path: string, fields: Fields) => shop.browser.send<string>('POST', path, encode(fields))
const newest = async (as = offering()) => (await as.get<Transaction[]>('/v1/transactions?limit=1')).body[0]
const WALLET = { payment_method: 'credit_card', wallet_type: 'apple_pay', wallet_card: 'visa', pay_in: 'sek' }

describe('a wallet', () => {
  test('is offered by the setting, in test mode, beside the card', async () => {
    const path = await prepare()
    expect(await look(path)).toContain('payment.selected=apple_pay">Apple Pay</a>')
    expect(await look(path, 'lang=en&payment.selected=bank')).toContain('payment.selected=apple_pay">Apple Pay</a>')
    const sheet = await look(path, 'lang=en&payment.selected=google_pay')
    expect(sheet).toContain('Pay with Google Pay')
    expect(sheet).not.toContain('class="methods"')
    for (const page of [await prepare({ test: false }), await prepare({}, shop)])
      expect(await look(page, 'payment.selected=apple_pay')).not.toContain('Apple Pay')
  })

  test('pays with the card that is chosen, asks nobody else, and is in answers, log and receipt', async () => {
    const path = await prepare()
    expect((await send(path, WALLET)).headers.get('location')).toContain('status=approved')
    expect(await newest()).toMatchObject({
      status: 'approved',
      wallet_type: 'apple_pay',
      card_number: '411111******1111',
      mpi_ref: null,
      log_events: expect.arrayContaining([
        expect.objectContaining({ data: expect.objectContaining({ event: 'charged', wallet_type: 'apple_pay' }) }),
      ]),
    })
    expect(await look(path)).toContain('<span class="quiet">Apple Pay</span>')
  })

  test('whose card is refused leaves the payment to another, and is not named of it', async () => {
    const path = await prepare()
    await send(path, { ...WALLET, wallet_card: 'declined' })
    expect(await newest()).toMatchObject({ status: 'declined', wallet_type: 'apple_pay' })
    const { id } = (await newest()) ?? { id: 0 }
    await offering().put(`/v1/transactions/${id}`, { ...CARD, process: true })
    expect((await newest())?.wallet_type).toBeNull()
  })

  test.each<[string, Fields]>([
    ['that there is not', { wallet_type: 'samsung_pay' }],
    ['with a card that there is not', { wallet_card: 'amex' }],
  ])('%s is refused on the page', async (_what, over) => {
    const answer = await send(await prepare(), { ...WALLET, ...over })
    expect([answer.status, answer.body]).toEqual([422, expect.stringContaining('errors.')])
  })

  test('of a merchant without any is refused', async () => {
    const answer = await send(await prepare({}, shop), WALLET)
    expect([answer.status, (await newest(shop))?.status]).toEqual([422, 'pending'])
  })
})

describe('the currency of the card', () => {
  test('is offered beside that of the order, and neither is chosen before', async () => {
    const html = await look(await prepare())
    expect(html).toMatch(/value="sek" required[^>]*><label[^>]*><strong>SEK.10\.00/)
    expect(html).toMatch(
      /value="eur 0\.88" required[^>]*><label[^>]*><strong>€0\.88<\/strong> <span class="quiet">.*1\u00a0SEK = 0\.0880\u00a0EUR/,
    )
  })

  test('is offered to nobody where there is no rate, and nothing to convert', async () => {
    for (const over of [{ currency: 'nok' }, { currency: 'eur' }, { amount: '0.01' }])
      expect(await look(await prepare(over))).not.toContain('name="pay_in"')
  })

  test.each([
    ['eur 0.88', 'eur'],
    ['sek', 'sek'],
  ])('%s is kept as what the payer chose, and the amount stays', async (pay_in, chosen_currency) => {
    const path = await prepare()
    await send(path, { ...WALLET, pay_in })
    expect(await newest()).toMatchObject({
      amount: '10.00',
      currency: 'sek',
      currency_converter: { ...OFFER, chosen_currency },
    })
    expect((await look(path)).includes('<dd>€0.88</dd>')).toBe(chosen_currency === 'eur')
  })

  test.each([undefined, 'eur 0.89', 'usd'])('%s is no choice: nothing is charged', async (pay_in) => {
    const answer = await send(`${await prepare()}?lang=en`, { ...WALLET, pay_in })
    expect(answer.status).toBe(422)
    expect(answer.body).toContain('id="pay_in_problem">Choose the currency')
    expect((await newest())?.status).toBe('pending')
  })
})

describe('the next payment', () => {
  test('counts as one by a wallet, in the currency that a test has chosen', async () => {
    const next = { outcome: 'approved', wallet_type: 'google_pay', chosen_currency: 'eur' }
    const { body } = await control.post('/payments/next?merchant_id=1', { ...next, wallet_type: '', times: 1 })
    expect(body).toEqual({ next: [{ merchant_id: 1, outcome: 'approved', times: 1, chosen_currency: 'eur' }] })
    await control.delete('/payments/next')
    await control.post('/payments/next?merchant_id=1', next)
    // Whoever offers nothing converts nothing.
    expect((await shop.post('/v1/transactions', payment())).body).toMatchObject({
      wallet_type: 'google_pay',
      currency_converter: null,
    })
    expect((await shop.post('/v1/transactions', payment())).body.wallet_type).toBeNull()
  })

  test.each([{ wallet_type: 'cash' }, { chosen_currency: 'zzz' }])('by %o is refused', async (over) => {
    expect([117, 253]).toContain((await control.post('/payments/next', { outcome: 'approved', ...over })).body.code)
  })
})
