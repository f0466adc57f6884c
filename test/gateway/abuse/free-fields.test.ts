import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Fields,
  payment,
  prepared,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { newPlan, newSubscription } from '../subscriptions/new-subscription.ts'

/** A card number that a payer typed into the wrong field, in common spellings. */
const NUMBER = '5555555555554444'
const GROUPED = '5555 5555-5555 4444'
const MASKED = '555555******4444'

let folder: string
let shop: TestGateway
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'free-fields-'))
  shop = await startGateway({ database: join(folder, 'gateway.db') })
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

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

describe('other numbers stay as they are', () => {
  for (const payment_ref of [
    '5555555555554445',
    '1763778000000000',
    '635534112345678908',
    '4006381333931',
    '4915112345670',
    '0000000000000000000000',
    `9${NUMBER}9`,
  ])
    test(payment_ref, async () => {
      const { headers, body } = await shop.post('/v1/transactions', prepared({ payment_ref }))
      expect(body.payment_ref).toBe(payment_ref)
      expect(headers.get('mondido-explain')).toBeNull()
    })
})
