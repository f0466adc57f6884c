import { describe, expect, test } from 'vitest'
import { CARD, type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { encrypt } from '../conformance/encrypt.ts'
import { newPlan, newSubscription } from '../subscriptions/new-subscription.ts'

const shop = await sharedGateway()

/** Number of a card in a wrong field. Its marks must not appear anywhere. */
const NUMBER = '5555555555554444'
const HOLDER = 'Holder-Marker-81'
const CVV = 'Cvv-Marker-82'
const MISPLACED = {
  card_number: NUMBER,
  card_cvv: CVV,
  card_holder: HOLDER,
  card_type: 'Type-Marker-83',
}
const MARKS = Object.values(MISPLACED)
const PAYER = { first_name: 'Kim', city: 'Storstad' }

/** Writes an object as JSON text. */
const asText = (name: string, value: object): Fields => ({ [name]: JSON.stringify(value) })
const inBrackets = (name: string, value: object): Fields =>
  Object.fromEntries(Object.entries(value).map(([field, text]) => [`${name}[${field}]`, text]))
const encrypted = (name: string, value: object): Fields => ({
  [name]: encrypt(JSON.stringify(value)),
  encrypted: name,
})
const SPELLINGS = { 'as JSON text': asText, 'in brackets': inBrackets, encrypted }

function expectNoMark(...answers: readonly unknown[]) {
  for (const answer of answers)
    for (const mark of MARKS) expect(JSON.stringify(answer)).not.toContain(mark)
}

describe('a card inside payment_details that are sent', () => {
  for (const [how, spell] of Object.entries(SPELLINGS)) {
    const details = spell('payment_details', { ...PAYER, ...MISPLACED })
    // payment_request does not repeat encrypted values.
    const kept = how === 'encrypted' ? {} : { payment_details: PAYER }

    test(`${how} is removed when the transaction is created`, async () => {
      for (const fields of [payment, prepared]) {
        const { status, body } = await shop.post('/v1/transactions', fields(details))
        expect(status).toBe(200)
        expect(body.payment_request).toMatchObject({ amount: '10.00', ...kept })
        expect(body.payment_details).toMatchObject(PAYER)
        expectNoMark(body, (await shop.get(`/v1/transactions/${body.id}`)).body)
      }
    })

    test(`${how} is removed when the transaction is updated`, async () => {
      const { id } = (await shop.post('/v1/transactions', prepared())).body
      expectNoMark((await shop.put(`/v1/transactions/${id}`, { ...details, process: false })).body)
      const { status, body } = await shop.put(`/v1/transactions/${id}`, { ...CARD, ...details })
      expect(status).toBe(200)
      expect(body.payment_request).toMatchObject({ card_number: '411111******1111', ...kept })
      expectNoMark(body, (await shop.get(`/v1/transactions/${id}`)).body)
    })
  }
})

describe('a card is masked if it is sent', () => {
  const CASES: Readonly<Record<string, Fields>> = {
    'as locale': inBrackets('locale', MISPLACED),
    'as start_date': inBrackets('start_date', MISPLACED),
    'as subscription_quantity': inBrackets('subscription_quantity', MISPLACED),
    'as subscription_items in brackets': inBrackets('subscription_items', MISPLACED),
    'as subscription_items in JSON': asText('subscription_items', MISPLACED),
    'as an unknown parameter in brackets': inBrackets('card', MISPLACED),
    'as an unknown parameter in JSON': asText('card', MISPLACED),
  }
  for (const [where, sent] of Object.entries(CASES))
    test(where, async () => {
      const { id } = (await shop.post('/v1/transactions', prepared(sent))).body
      const paid = (await shop.put(`/v1/transactions/${id}`, { ...CARD, ...sent })).body
      expect(paid.status).toBe('approved')
      expectNoMark((await shop.post('/v1/transactions', payment(sent))).body, paid)
    })
})

/** A card number that a payer typed into the wrong field, in common spellings. */
const GROUPED = '5555 5555-5555 4444'
const MASKED = '555555******4444'

const json = JSON.stringify
const ITEM = { artno: 'A1', amount: '10.00', vat: '25.00', qty: 1 }
const ITEMS = json([{ ...ITEM, description: `Paid by ${GROUPED}` }])

/** Fields that can contain a card number, each as its own request. */
const FIELDS: Readonly<Record<string, Fields>> = {
  payment_ref: { payment_ref: NUMBER },
  customer_ref: { customer_ref: `card ${GROUPED}` },
  'metadata, as text': { metadata: json({ note: `my card is ${NUMBER}.` }) },
  'metadata, as a number': { metadata: `{"a":[{"b":${NUMBER}}]}` },
  'metadata, as a key': { metadata: json({ [NUMBER]: 1 }) },
  'metadata, behind other digits': { metadata: json({ note: `order 12 ${GROUPED}` }) },
  success_url: { success_url: `https://shop.example/?card=${NUMBER}` },
  error_url: { error_url: `https://shop.example/${NUMBER}/` },
  webhook: { webhook: json({ trigger: 'payment', url: `https://shop.example/${NUMBER}` }) },
  items: { items: ITEMS },
  payment_details: { payment_details: json({ first_name: 'Kim', company_name: NUMBER }) },
  locale: { locale: NUMBER },
}

const holdsNumber = (value: unknown) =>
  json(value)
    .replace(/[^0-9]/g, '')
    .includes(NUMBER)

describe('a card number in a free field is masked, and the explanation reports it:', () => {
  for (const [field, over] of Object.entries(FIELDS)) {
    const [name = ''] = Object.keys(over)

    test(`${field}, when creating`, async () => {
      for (const fields of [payment, prepared]) {
        const { status, headers, body } = await shop.post('/v1/transactions', fields(over))
        expect({ status, body }).toMatchObject({ status: 200 })
        expect(holdsNumber(body)).toBe(false)
        if (name !== 'locale') expect(json(body)).toContain(MASKED)
        expect(headers.get('mondido-explain')).toContain('card number')
        expect(holdsNumber(headers.get('mondido-explain'))).toBe(false)
        // Refunds the payment, so that the next payment is a new order.
        await shop.post('/v1/refunds', { transaction_id: body.id, amount: '10.00', reason: 'Test' })
        if (name === 'payment_ref') break
      }
    })

    test(`${field}, when updating`, async () => {
      const { id } = (await shop.post('/v1/transactions', prepared())).body
      const { body } = await shop.put(`/v1/transactions/${id}`, { ...over, process: false })
      expect(holdsNumber(body)).toBe(false)
      expect(holdsNumber((await shop.get(`/v1/transactions/${id}`)).body)).toBe(false)
    })
  }

  for (const [what, create] of [
    [
      'a customer',
      () => shop.post('/v1/customers', { ref: `c-${NUMBER}`, metadata: json({ note: GROUPED }) }),
    ],
    [
      'a plan',
      () =>
        shop.post('/v1/plans', {
          name: NUMBER,
          interval: 1,
          interval_unit: 'months',
          prices: '{"sek":"1.00"}',
        }),
    ],
    [
      'a refund',
      async () => {
        const { id } = (await shop.post('/v1/transactions', payment())).body
        return shop.post('/v1/refunds', {
          transaction_id: id,
          amount: '1.00',
          reason: NUMBER,
          ref: NUMBER,
        })
      },
    ],
    [
      'a subscription',
      async () => {
        const { id } = await newSubscription(shop)
        await newPlan(shop)
        return shop.put(`/v1/subscriptions/${id}`, { metadata: json({ card: NUMBER }) })
      },
    ],
  ] as const)
    test(`in ${what}`, async () => {
      const { status, headers, body } = await create()
      expect({ status, body }).toMatchObject({ status: 200 })
      expect(holdsNumber(body)).toBe(false)
      expect(json(body)).toContain(MASKED)
      expect(headers.get('mondido-explain')).toContain('card number')
    })
})
