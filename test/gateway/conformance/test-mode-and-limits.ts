import { expect } from 'vitest'
import { TEST_PERSONS } from '../../../mock-gateway/acquirer/test-persons.ts'
import { TEST_CARDS } from '../../../mock-gateway/domain/card/test-cards.ts'
import { LIVE_NUMBER } from '../errors/world.ts'
import { invoice } from '../payment-methods/fields.ts'
import { lockTime, tlsFloor } from './access.ts'
import { type HeldRow, row, type Section, unseen } from './rows.ts'
import { sent } from './sent.ts'
import { ITEMS } from './world.ts'

export const TEST_MODE: Section = {
  title: 'Test-mode behavior',
  rows: [
    row('only test card numbers are accepted when test=true', async ({ pay }) => {
      expect((await pay({ card_number: LIVE_NUMBER })).body.code).toBe(119)
      expect((await pay({ card_number: '5555555555554444' })).body.status).toBe('approved')
    }),
    row('only real ones are accepted when test=false', async ({ pay }) => {
      expect((await pay({ test: false })).body.code).toBe(119)
      expect((await pay({ test: false, card_number: LIVE_NUMBER })).body.status).toBe('approved')
    }),
    row('there are test numbers of Visa, Mastercard, Diners, Discover, JCB and Amex', () => {
      const brands = new Set([...TEST_CARDS.values()].map(({ brand }) => brand))
      for (const brand of ['visa', 'mastercard', 'diners', 'discover', 'jcb', 'amex'] as const)
        expect(brands).toContain(brand)
    }),
    row('CVV 200 gives accepted', async ({ pay }) =>
      expect((await pay({ card_cvv: '200' })).body.status).toBe('approved'),
    ),
    row('CVV 201 gives declined', async ({ pay }) =>
      expect((await pay({ card_cvv: '201' })).body.code).toBe(129),
    ),
    row('CVV 202 gives CVV invalid', async ({ pay }) =>
      expect((await pay({ card_cvv: '202' })).body.code).toBe(125),
    ),
    row('CVV 203 gives expired', async ({ pay }) =>
      expect((await pay({ card_cvv: '203' })).body.code).toBe(130),
    ),
    row('any other CVV gives approved', async ({ pay }) =>
      expect((await pay({ card_cvv: '987' })).body.status).toBe('approved'),
    ),
    ...[
      ['0137', 'errors.payment.declined'],
      ['0237', 'errors.card.expired'],
    ].map(([expiry = '', name]) =>
      row(`expiry ${expiry} gives ${name} for recurring payments`, async ({ recur, pay }) => {
        expect(await recur(expiry)).toMatchObject({ status: 'declined', error: { name } })
        expect((await pay({ card_expiry: expiry })).body.status).toBe('approved')
      }),
    ),
    ...TEST_PERSONS.map(({ country, number, refusal }) =>
      row(
        `the personal number ${number} of ${country} gives ${refusal ?? 'a reservation'}`,
        async ({ create }) => {
          const { body } = await create(invoice({ personal_number: number, country_code: country }))
          expect(body).toMatchObject(refusal ? { name: refusal } : { status: 'authorized' })
        },
      ),
    ),
  ],
}

/**
 * Checks that a text of the maximum length is accepted, and a text with one more character is
 * rejected.
 */
const tooLong =
  (field: string, limit: number, code: number): HeldRow['holds'] =>
  async ({ prepare }) => {
    const basket = (length: number) =>
      JSON.stringify([{ ...ITEMS[0], [field]: 'x'.repeat(length) }])
    expect((await prepare({ items: basket(limit) })).status).toBe(200)
    expect((await prepare({ items: basket(limit + 1) })).body.code).toBe(code)
  }

export const LIMITS: Section = {
  title: 'Limits',
  rows: [
    row('list page size: default 10', async ({ get, prepare }) => {
      for (let more = 0; more < 10; more++) await prepare()
      expect((await get<unknown[]>('/v1/transactions')).body).toHaveLength(10)
    }),
    row('payment_ref: length 1-12 is always accepted', async ({ prepare }) => {
      for (const payment_ref of ['1', 'x'.repeat(12)])
        expect((await prepare({ payment_ref })).status).toBe(200)
    }),
    row('item artno: max 50 characters', tooLong('artno', 50, 315)),
    row('item description: max 150 characters', tooLong('description', 150, 258)),
    row('refund reason: max 255 characters (error 199)', async ({ post, paidByToken }) => {
      const refund = { transaction_id: paidByToken.id, amount: '1.00' }
      expect((await post('/v1/refunds', { ...refund, reason: 'x'.repeat(256) })).body.code).toBe(
        199,
      )
      expect((await post('/v1/refunds', { ...refund, reason: 'x'.repeat(255) })).status).toBe(200)
    }),
    row('amount decimals: at most 2 used', async ({ pay }) =>
      expect((await pay({ currency: 'OMR', amount: '1.234' })).body.code).toBe(1090),
    ),
    row('invoice e-mail field: max 256 characters (error 337)', async ({ create }) => {
      const email = `${'x'.repeat(244)}@example.org`
      expect((await create(invoice({ email }))).body.status).toBe('authorized')
      expect((await create(invoice({ email: `x${email}` }))).body.code).toBe(337)
    }),
    unseen('The specification shows no parameter for them', 'credit time (invoice): 0 to 99'),
    sent('webhook retries: 20', async ({ pay, sink, attempted, gateway }) => {
      sink.answer(500)
      await pay()
      await attempted(1)
      await gateway.clock.advance({ days: 30 })
      expect(await attempted(21)).toHaveLength(21)
    }),
    row('account lock: 30 minutes', lockTime),
    row('TLS: version 1.2 or above', tlsFloor),
  ],
}
