import { createHash } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Fields,
  MERCHANT,
  payment,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'

const CAREFUL = {
  id: 2,
  password: 'careful',
  secret: 'careful-secret',
  settings: { strict_hash: true },
}

let shop: TestGateway
let careful: TestGateway
const log: string[] = []
beforeAll(async () => {
  const logger = pino({ level: 'info' }, { write: (line) => void log.push(line) })
  shop = await startGateway({ logger })
  careful = await startGateway({ merchants: [CAREFUL] })
})
afterAll(() => Promise.all([shop.close(), careful.close()]))

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const URLS = { success_url: 'https://shop.example/thanks', error_url: 'https://shop.example/sorry' }

/** Hashes of a live order of 10.00, by the recipe with which the shop signs it. */
const SIGNED: Readonly<Record<string, (ref: string) => string>> = {
  canonical: (ref) => `${ref}10.00sek`,
  A: (ref) => `${ref}10.00`,
  B: (ref) => `${ref}10.00sek`,
}

/** Returns the same order as the payer sends it: with a test card, and test=true. */
const turned = (recipe: string, merchant = MERCHANT): Fields => {
  const fields = payment({ merchant_id: merchant.id, test: true, ...URLS })
  return {
    ...fields,
    hash: md5(`${merchant.id}${SIGNED[recipe]?.(String(fields.payment_ref))}${merchant.secret}`),
  }
}

describe('a live order that a payer turns into a test payment', () => {
  for (const [recipe, uncovered] of [
    ['canonical', ['test']],
    ['B', ['test']],
    ['A', ['currency', 'test']],
  ] as const) {
    test(`signed by the recipe ${recipe} is reported: in the explanation, the log line and the log event`, async () => {
      log.length = 0
      const { headers, body } = await shop.browser.post('/v1/transactions', turned(recipe))
      expect(body).toMatchObject({ status: 'approved', test: true })
      const explain = headers.get('mondido-explain') ?? ''
      expect(explain).toContain(`does not cover ${uncovered.join(' and ')}`)
      expect(log.map((line) => JSON.parse(line).explain)).toEqual([explain])
      expect(body.log_events.map(({ data }) => data)).toContainEqual(
        expect.objectContaining({ event: 'weak_hash', uncovered }),
      )
    })

    test(`signed by the recipe ${recipe} is rejected with error 107 if the merchant has strict_hash`, async () => {
      const { headers, body } = await careful.browser.post(
        '/v1/transactions',
        turned(recipe, CAREFUL),
      )
      expect(body.code).toBe(107)
      expect(headers.get('mondido-explain')).toContain('sektest***')
    })
  }
})

describe('a merchant with strict_hash', () => {
  for (const [recipe, text, over] of [
    ['canonical', (ref: string) => `2${ref}10.00sektestcareful-secret`, {}],
    ['currency as sent', (ref: string) => `2${ref}10.00SEKtestcareful-secret`, { currency: 'SEK' }],
    ['C', (ref: string) => `2${ref}10.00c1sektestcareful-secret`, { customer_ref: 'c1' }],
  ] as const)
    test(`accepts the recipe ${recipe}`, async () => {
      const fields = payment({ merchant_id: 2, ...over })
      const hash = md5(text(String(fields.payment_ref)))
      expect(
        (await careful.browser.post('/v1/transactions', { ...fields, hash })).body.status,
      ).toBe('approved')
    })

  test('rejects a weak recipe also with a login and in an update', async () => {
    expect((await careful.post('/v1/transactions', turned('B', CAREFUL))).body.code).toBe(107)
    const { id, payment_ref } = (
      await careful.post('/v1/transactions', { ...payment(), ...URLS, process: false })
    ).body
    const changes = {
      amount: '9.00',
      process: false,
      hash: md5(`2${payment_ref}9.00sekcareful-secret`),
    }
    expect((await careful.put(`/v1/transactions/${id}`, changes)).body.code).toBe(107)
  })
})

describe('a payment_ref without a customer that was split into payment_ref and customer_ref', () => {
  const cut = (merchant: typeof MERCHANT, rest: string, by = ''): Fields => {
    const whole = `${payment().payment_ref}7`
    const fields = payment({
      merchant_id: merchant.id,
      payment_ref: whole.slice(0, -1),
      customer_ref: '7',
    })
    return { ...fields, hash: md5(`${merchant.id}${whole}${by}${rest}${merchant.secret}`) }
  }

  for (const [recipe, rest] of [
    ['A', '10.00'],
    ['B', '10.00sek'],
  ] as const)
    test(`the recipe ${recipe} does not allow reading it as another order of that customer`, async () => {
      expect((await shop.browser.post('/v1/transactions', cut(MERCHANT, rest))).body.code).toBe(107)
    })

  test('the canonical recipe is rejected with strict_hash, and the error names the recipe that separates them', async () => {
    const { headers, body } = await careful.browser.post(
      '/v1/transactions',
      cut(CAREFUL, '10.00sektest'),
    )
    expect(body.code).toBe(107)
    expect(headers.get('mondido-explain')).toContain('10.007sektest***')
  })
})
