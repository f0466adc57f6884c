import { createHash } from 'node:crypto'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { read } from '../../helpers/documents.ts'
import {
  type Client,
  type Fields,
  MERCHANT,
  payment,
  prepared,
  TEMPLATES,
  type TestMerchant,
  URLS,
} from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const CAREFUL = {
  id: 2,
  password: 'careful',
  secret: 'careful-secret',
  settings: { strict_hash: true },
}
const log: string[] = []

const logger = pino({ level: 'info' }, { write: (line) => void log.push(line) })
const shop = await sharedGateway({ logger })
const careful = await sharedGateway({ merchants: [CAREFUL] })

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
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

describe('options that a payer adds', async () => {
  const OPEN: TestMerchant = {
    ...MERCHANT,
    settings: { payer_options: ['webhook', 'store_card', 'authorize', 'template_id'] },
  }
  const CLOSED = { ...MERCHANT, settings: { payer_options: [] } }

  const usual = await sharedGateway({ templates: TEMPLATES })
  const open = await sharedGateway({ merchants: [OPEN], templates: TEMPLATES })
  const closed = await sharedGateway({ merchants: [CLOSED], templates: TEMPLATES })

  const WEBHOOK = '{"trigger":"payment","url":"https://payer.example/hook"}'

  /** Options, each with fields that a payer adds to an order with the shop's hash. */
  const ADDED: readonly (readonly [option: string, added: Fields])[] = [
    ['webhook', { webhook: WEBHOOK }],
    ['webhook', { webhooks: `[${WEBHOOK}]` }],
    ['authorize', { authorize: true }],
    ['store_card', { store_card: true }],
    ['template_id', { template_id: 5 }],
  ]

  async function codesOf(browser: Client, added: Fields) {
    const paid = await browser.post('/v1/transactions', payment({ merchant_id: 1, ...added }))
    const form = await browser.post('/v1/form', payment({ merchant_id: 1, ...URLS, ...added }))
    const page = await browser.post(
      '/v1/form',
      prepared({ merchant_id: 1, process: undefined, ...added }),
    )
    const sentTo = [form, page].map(({ headers }) =>
      new URL(headers.get('location') ?? '').searchParams.get('error_name'),
    )
    return [paid.body.code ?? 200, ...sentTo]
  }

  const TAKEN = [200, null, null]
  const REFUSED = [253, 'errors.request.bad_format', 'errors.request.bad_format']

  describe('without a login', () => {
    for (const [option, added] of ADDED) {
      const [name = ''] = Object.keys(added)
      const byDefault = option === 'webhook' || option === 'store_card'

      test(`${name} is ${byDefault ? 'accepted, as old browser clients send it' : 'rejected'} by default`, async () => {
        expect(await codesOf(usual.browser, added)).toEqual(byDefault ? TAKEN : REFUSED)
      })

      test(`${name} is rejected with a reason if payer_options does not list it`, async () => {
        expect(await codesOf(closed.browser, added)).toEqual(REFUSED)
        const { headers } = await closed.browser.post(
          '/v1/transactions',
          payment({ merchant_id: 1, ...added }),
        )
        expect(headers.get('mondido-explain')).toContain(`payer_options`)
        expect(headers.get('mondido-explain')).toContain(option)
      })

      test(`${name} is accepted if payer_options lists it`, async () => {
        expect(await codesOf(open.browser, added)).toEqual(TAKEN)
      })
    }

    test('options with an empty or default value are always accepted, because old forms send all their fields', async () => {
      for (const added of [
        { authorize: false, store_card: false },
        { authorize: '', webhook: '', template_id: '' },
        { webhook: '[]' },
      ])
        expect(await codesOf(closed.browser, added)).toEqual(TAKEN)
    })
  })

  test('a request with a login can set every option', async () => {
    for (const [, added] of ADDED)
      expect((await closed.post('/v1/transactions', payment(added))).status).toBe(200)
  })
})

// The difference in time is too small to measure on a test machine, so the source is checked.
test.each([
  ['mock-gateway/domain/order/hash.ts', 'isSameText(sent, md5('],
  ['mock-gateway/merchants/password.ts', 'timingSafeEqual(derived, expected)'],
])('secrets are compared in constant time: %s', (file, comparison) => {
  expect(read(file)).toContain(comparison)
  expect(read(file)).toMatch(/&& timingSafeEqual\(/)
})
