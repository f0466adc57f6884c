import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CARD,
  type Fields,
  payment,
  prepared,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { TEST_PUBLIC_KEY } from '../../helpers/keys.ts'

let folder: string
let shop: TestGateway
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-request-'))
  shop = await startGateway({ database: join(folder, 'gateway.db') })
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

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

const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
const key = { key: createPublicKey(TEST_PUBLIC_KEY), padding: constants.RSA_PKCS1_PADDING }
const encrypt = (value: string) => base64(publicEncrypt(key, Buffer.from(base64(value))))

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
