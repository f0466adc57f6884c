import fc from 'fast-check'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CARD, hashed, MERCHANT, payment, prepared, startGateway, type TestGateway } from '../../helpers/gateway.ts'

let shop: TestGateway
const failures: string[] = []
let page = ''
beforeAll(async () => {
  const logger = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
  shop = await startGateway({ logger })
  for (const fields of [payment({ customer_ref: 'c1', store_card: true }), payment({ authorize: true })])
    await shop.post('/v1/transactions', fields)
  page = new URL((await shop.post('/v1/transactions', prepared())).body.href).pathname
})
afterAll(() => shop.close())

/** What a careless or hostile client may put anywhere. */
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.json({ maxDepth: 3 }),
  fc.double().map(String),
  fc.constantFrom('', '0', '-1', '1e309', 'true', 'null', '[]', '{}', '[[[', '{"__proto__":1}', '1..2', '..', '*', '%'),
  fc.constantFrom('10.00', 'sek', 'approved', '20260314', '20260101..', 'id:desc', 'customer,transaction', '\ud800'),
)

const NAMES = [
  ...Object.keys({ ...payment(), ...prepared(), ...CARD }),
  ...'hash metadata items webhook webhooks payment_details customer_ref card_type store_card authorize vat_amount'.split(
    ' ',
  ),
  ...'locale extend encrypted merchant_id plan_id start_date payment_method swish_number limit offset start_id'.split(
    ' ',
  ),
  ...'order_by filter filter[id] filter[amount] filter[created_at] filter[payment_ref] filter[test] reason'.split(' '),
  ...'transaction_id customer_id status mondido_attempt template_id subscription_items lang metadata[a] items[0]'.split(
    ' ',
  ),
]
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'a[', 'a]', '[]', 'a[][b]', 'a["b"]', 'toString'),
  },
)

const id = fc.oneof(
  fc.constantFrom('1', '2', '3', '99', '0', 'x', '..', '%00', '%FF', '1e3'),
  anything.map(encodeURIComponentSafe),
)
const route = fc
  .tuple(
    fc.constantFrom(
      'transactions',
      'stored_cards',
      'customers',
      'refunds',
      'webhooks',
      'attempts',
      'form',
      'mondido.js',
    ),
    fc.option(id),
    fc.constantFrom('', '', '/', '/capture', '/transactions', '/stored_cards', '/x'),
  )
  .map(([resource, one, tail]) => `/v1/${resource}${one === null ? '' : `/${one}`}${tail}`)

function encodeURIComponentSafe(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Some fields of a payment that would be accepted, overwritten by anything. */
const fields = fc
  .tuple(fc.subarray(Object.keys(payment())), fc.dictionary(name, anything, { maxKeys: 6 }))
  .map(([keep, over]) => {
    const whole = hashed(payment(), MERCHANT)
    return { ...Object.fromEntries([...keep, 'hash'].map((key) => [key, String(whole[key])])), ...over }
  })

const body = fc.oneof(
  fields.map((sent) => [String(new URLSearchParams(sent)), 'application/x-www-form-urlencoded'] as const),
  fields.map((sent) => [JSON.stringify(sent), 'application/json'] as const),
  fc.jsonValue({ maxDepth: 4 }).map((value) => [JSON.stringify(value), 'application/json'] as const),
  fc.tuple(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('application/json', 'text/plain', 'multipart/form-data; boundary=x', 'a/b'),
  ),
)

test('whatever is sent, the answer is a refusal of the catalogue or a success, never a failure', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      fc.oneof({ weight: 5, arbitrary: route }, { weight: 1, arbitrary: fc.constant(null) }),
      fields,
      fc.option(body),
      fc.boolean(),
      async (method, path, query, sent, loggedIn) => {
        const client = loggedIn ? shop : shop.browser
        const address = `${path ?? page}?${new URLSearchParams(query)}`
        const [text, type] = method === 'GET' || sent === null ? [null, ''] : sent
        const answer = await client.send<string | object>(method, address, text, type ? { 'content-type': type } : {})
        expect(answer.status, failures.at(-1)).toBeLessThan(500)
        if (answer.status >= 400) {
          if (typeof answer.body === 'string') expect(answer.body).toContain('role="alert"')
          else expect(Object.keys(answer.body)).toEqual(['name', 'code', 'description'])
        }
        expect(({} as Record<string, unknown>).x).toBeUndefined()
      },
    ),
    { numRuns: 800 },
  )
  expect(failures).toEqual([])
})

test('after all that a payment still works, and what was there is unharmed', async () => {
  expect((await shop.post('/v1/transactions', payment())).body.status).toBe('approved')
  expect((await shop.get('/v1/transactions/1')).body.status).toBe('approved')
})
