import { expect } from 'vitest'
import { CARD, type Fields, hashed, MERCHANT } from '../../helpers/gateway.ts'
import { encrypt } from './encrypt.ts'
import { type HeldRow, row, type Section } from './rows.ts'
import { ITEMS, PAYER, type World } from './world.ts'

/** Checks that a prepared transaction without this field is rejected with this code. */
const required =
  (name: string, code: number): HeldRow['holds'] =>
  async ({ prepare }) =>
    expect((await prepare({ [name]: undefined })).body.code).toBe(code)

/**
 * Checks that a card payment without this field is rejected with this code, but a prepared
 * transaction is not.
 */
const neededToPay =
  (name: keyof typeof CARD, code: number): HeldRow['holds'] =>
  async ({ pay, prepare }) => {
    expect((await pay({ [name]: undefined })).body.code).toBe(code)
    const { body } = await prepare({ [name]: undefined })
    expect([body.status, body[name as 'card_number'] ?? null]).toEqual(['pending', null])
  }

/** Checks that the answer contains the sent values. */
const shows =
  (sent: Fields, answered: object): HeldRow['holds'] =>
  async ({ prepare }) =>
    expect((await prepare(sent)).body).toMatchObject(answered)

const INVOICE = {
  payment_method: 'invoice',
  items: JSON.stringify(ITEMS),
  payment_details: JSON.stringify(PAYER),
}

async function subscribes({ pay, get, plan }: World, sent: Fields, answered: object) {
  const { subscription } = (await pay({ plan_id: plan.id, ...sent })).body
  expect((await get(`/v1/subscriptions/${subscription?.id}`)).body).toMatchObject(answered)
}

export const CREATE_TRANSACTION: Section = {
  title: 'Create transaction',
  rows: [
    row(
      'merchant_id: required without a login; API requests may omit it',
      async ({ browser, pay, create }) => {
        expect((await browser.post('/v1/transactions', { amount: '10.00' })).status).toBe(401)
        expect((await pay()).status).toBe(200)
        expect((await create({ merchant_id: 999 })).body.code).toBe(202)
      },
    ),
    row('amount: decimal, required', required('amount', 108)),
    row('vat_amount: decimal', shows({ vat_amount: '2.50' }, { vat_amount: '2.50' })),
    row('payment_ref: string, required', required('payment_ref', 145)),
    row('currency: string, required, from the currency list', required('currency', 116)),
    row(
      'success_url: string, required where the payer is redirected',
      required('success_url', 110),
    ),
    row('error_url: string, required where the payer is redirected', required('error_url', 112)),
    row('card_holder: not needed when process=false', neededToPay('card_holder', 122)),
    row('card_cvv: not needed when process=false', neededToPay('card_cvv', 124)),
    row('card_expiry: MMYY; not needed when process=false', neededToPay('card_expiry', 126)),
    row('card_number: not needed when process=false', neededToPay('card_number', 118)),
    row('card_type: VISA and so on', async ({ pay }) => {
      const mastercard = { card_number: '5555555555554444' }
      expect((await pay({ ...mastercard, card_type: 'MASTERCARD' })).body.card_type).toBe(
        'MASTERCARD',
      )
      expect((await pay({ ...mastercard, card_type: 'MASTERCARDS' })).body.code).toBe(121)
    }),
    row('test: boolean, false by default', shows({ test: undefined }, { test: false })),
    row('metadata: object', shows({ metadata: '{"a":1}' }, { metadata: { a: 1 } })),
    row('store_card: boolean, stores the card', async ({ pay }) =>
      expect((await pay({ store_card: true })).body.stored_card).toEqual({
        id: expect.any(Number),
      }),
    ),
    row('plan_id: integer, subscription plan', async (world) =>
      subscribes(world, {}, { plan: { id: world.plan.id } }),
    ),
    row('plan_id: a payment of 0.00 begins the subscription too', (world) =>
      subscribes(world, { amount: '0.00' }, { period_count: 0 }),
    ),
    row('start_date: YYYY-MM-DD, first date of a new subscription', (world) =>
      subscribes(world, { start_date: '2026-04-01' }, { start_date: '2026-04-01' }),
    ),
    row('subscription_quantity: integer, multiplier of the plan cost', (world) =>
      subscribes(world, { subscription_quantity: 3 }, { subscription_quantity: 3 }),
    ),
    row('subscription_items: array of items', (world) =>
      subscribes(world, { subscription_items: JSON.stringify(ITEMS) }, { items: ITEMS }),
    ),
    row(
      'customer_ref: string, merchant’s customer id',
      shows({ customer_ref: 'c7' }, { ref: 'c7', customer: { id: expect.any(Number) } }),
    ),
    row('hash: string, see Authentication', required('hash', 106)),
    row(
      'webhook: object or array',
      shows(
        { webhook: '[{"trigger":"payment","email":"a@b.example"}]' },
        { webhooks: [{ email: 'a@b.example' }] },
      ),
    ),
    row('encrypted: names of encrypted parameters', async ({ pay }) => {
      const card_number = encrypt(CARD.card_number)
      expect((await pay({ card_number, encrypted: 'card_number' })).body).toMatchObject({
        status: 'approved',
        card_number: '411111******1111',
      })
    }),
    row('process: false prepares the transaction without processing', async ({ prepare }) =>
      expect((await prepare({ ...CARD })).body.status).toBe('pending'),
    ),
    row('authorize: true reserves the amount', async ({ pay }) =>
      expect((await pay({ authorize: true })).body.status).toBe('authorized'),
    ),
    row('items: required when payment_method is invoice', async ({ prepare }) => {
      expect((await prepare({ ...INVOICE, items: undefined })).body.code).toBe(166)
      expect((await prepare(INVOICE)).body.items).toEqual(ITEMS)
    }),
    row('payment_details: required when payment_method is invoice', async ({ prepare }) => {
      expect((await prepare({ ...INVOICE, payment_details: undefined })).body.code).toBe(164)
      expect((await prepare(INVOICE)).body.payment_details).toMatchObject(PAYER)
    }),
    row(
      'payment_method: credit_card, stored, invoice, swish, paypal, bank',
      async ({ prepare, pay, storedCard }) => {
        for (const payment_method of ['credit_card', 'invoice', 'swish', 'paypal', 'bank'])
          expect((await prepare({ ...INVOICE, payment_method })).body.payment_method).toBe(
            payment_method,
          )
        const byToken = { ...NO_CARD, card_number: storedCard.token, card_type: 'STORED_CARD' }
        expect((await pay({ ...byToken, payment_method: 'stored' })).body.payment_method).toBe(
          'stored',
        )
      },
    ),
    row('payment_method: recurring', async ({ recur, prepare }) => {
      expect((await recur('1230')).payment_method).toBe('recurring')
      // Only charges of subscriptions have this method. A client that sends it pays with a card.
      expect((await prepare({ payment_method: 'recurring' })).body.payment_method).toBe(
        'credit_card',
      )
    }),
    row('swish_number: required when a swish payment is processed', async ({ prepare }) => {
      const swish = { payment_method: 'swish', process: true }
      expect((await prepare(swish)).body.code).toBe(215)
      expect((await prepare({ ...swish, swish_number: '46701234567' })).body).toMatchObject({
        status: 'pending',
        payment_details: { swish_number: '46701234567' },
      })
    }),
    row('locale: sv or en', async ({ prepare }) => {
      const [sv, en] = [
        await prepare({ amount: '', locale: 'sv' }),
        await prepare({ amount: '', locale: 'en' }),
      ]
      expect([sv.body.description, en.body.description]).toEqual([
        'Beloppet saknas eller är negativt',
        'Amount is missing or negative',
      ])
    }),
    row('amounts of currencies without decimals must end in .00', async ({ pay }) => {
      expect((await pay({ currency: 'JPY', amount: '100.50' })).body.code).toBe(109)
      expect((await pay({ currency: 'JPY', amount: '100.00' })).body.amount).toBe('100.00')
    }),
    row('at most two decimals are used even for currencies with more', async ({ pay }) => {
      expect((await pay({ currency: 'KWD', amount: '10.123' })).body.code).toBe(1090)
      expect((await pay({ currency: 'KWD', amount: '10.12' })).body.amount).toBe('10.12')
    }),
    row(
      'a wrongly formatted amount does not fail the creation; it fails when the payment is completed',
      async ({ prepare, put }) => {
        const { status, body } = await prepare({ amount: '10.0' })
        expect([status, body.status]).toEqual([200, 'pending'])
        expect((await put(`/v1/transactions/${body.id}`, CARD)).body.code).toBe(1090)
      },
    ),
    row(
      'card_number carries the token and card_type is STORED_CARD for a stored-card payment',
      async ({ pay, storedCard }) => {
        const { body } = await pay({
          ...NO_CARD,
          card_number: storedCard.token,
          card_type: 'STORED_CARD',
        })
        expect(body).toMatchObject({
          status: 'approved',
          card_type: 'STORED_CARD',
          stored_card: { id: storedCard.id },
        })
      },
    ),
    row('any parameter can be encrypted: base64(RSA(base64(plain value)))', async ({ pay }) => {
      const values = { ...CARD, payment_ref: 'secret-1', metadata: '{"a":1}' }
      const sent = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, encrypt(value)]),
      )
      const order = {
        amount: '10.00',
        currency: 'sek',
        payment_ref: values.payment_ref,
        test: true,
      }
      const { hash } = hashed(order, MERCHANT)
      expect(
        (await pay({ ...sent, hash, encrypted: Object.keys(sent).join(',') })).body,
      ).toMatchObject({ status: 'approved', payment_ref: 'secret-1', metadata: { a: 1 } })
    }),
    row(
      'the stored_card (or subscription) object is missing when the card could not be stored',
      async (world) => {
        const fail = {
          'metadata[service_instructions][fail_as_code]': 'errors.stored_card.store.declined',
        }
        for (const order of [{ store_card: true }, { plan_id: world.plan.id }])
          expect((await world.pay({ ...order, ...fail })).body).toMatchObject({
            status: 'approved',
            stored_card: null,
            subscription: null,
          })
      },
    ),
  ],
}

const NO_CARD = { card_holder: undefined, card_cvv: undefined, card_expiry: undefined }
