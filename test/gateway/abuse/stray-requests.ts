import fc from 'fast-check'
import { CARD, hashed, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import type { Known, Request } from './fuzz-requests.ts'
import { hostileValue } from './fuzz-values.ts'

/** Any value that a careless or hostile client could send in any field. */
const anything = fc.oneof(
  hostileValue.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  fc.constantFrom(
    '0',
    '-1',
    'true',
    '1..2',
    '..',
    '*',
    '10.00',
    'sek',
    'approved',
    '20260314',
    '20260101..',
  ),
  fc.constantFrom('id:desc', 'customer,transaction'),
)

const NAMES = [
  ...Object.keys({ ...payment(), ...prepared(), ...CARD }),
  ...'hash metadata items webhook webhooks payment_details customer_ref card_type store_card authorize vat_amount'.split(
    ' ',
  ),
  ...'locale extend encrypted merchant_id plan_id start_date payment_method swish_number limit offset start_id'.split(
    ' ',
  ),
  ...'order_by filter filter[id] filter[amount] filter[created_at] filter[payment_ref] filter[test] reason'.split(
    ' ',
  ),
  ...'transaction_id customer_id status mondido_attempt template_id subscription_items lang metadata[a] items[0]'.split(
    ' ',
  ),
]
const MISSHAPEN = ['__proto__', 'constructor', 'a[', 'a]', '[]', 'a[][b]', 'a["b"]', 'toString']
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(...MISSHAPEN) },
)

/** Valid fields of a payment, some of them overwritten with any value. */
const fields = fc
  .tuple(fc.subarray(Object.keys(payment())), fc.dictionary(name, anything, { maxKeys: 6 }))
  .map(([keep, over]) => {
    const whole = hashed(payment(), MERCHANT)
    return {
      ...Object.fromEntries([...keep, 'hash'].map((key) => [key, String(whole[key])])),
      ...over,
    }
  })

const body = fc.oneof(
  fields.map(
    (sent) => [String(new URLSearchParams(sent)), 'application/x-www-form-urlencoded'] as const,
  ),
  fields.map((sent) => [JSON.stringify(sent), 'application/json'] as const),
  fc
    .jsonValue({ maxDepth: 4 })
    .map((value) => [JSON.stringify(value), 'application/json'] as const),
  fc.tuple(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('application/json', 'text/plain', 'multipart/form-data; boundary=x', 'a/b'),
  ),
)

const TAILS = ['', '', '/', '/capture', '/transactions', '/stored_cards', '/x']

/**
 * Creates a generator of requests that no contract describes: any method on any address of a
 * resource, with any query and body.
 */
export function strayRequests({ ids }: Known): fc.Arbitrary<Request> {
  const id = fc.oneof(
    fc.constantFrom(
      '1',
      '2',
      '3',
      '99',
      'x',
      '..',
      '%00',
      '%FF',
      '1e3',
      ...Object.values(ids).flat(),
    ),
    anything.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 400)),
  )
  const address = fc
    .tuple(
      fc.constantFrom(...Object.keys(ids), 'mondido.js'),
      fc.option(id),
      fc.constantFrom(...TAILS),
    )
    .map(([resource, one, tail]) => `/v1/${resource}${one === null ? '' : `/${one}`}${tail}`)
  return fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      address,
      query: fields,
      sent: fc.option(body),
      login: fc.constantFrom('own' as const, 'none' as const),
    })
    .map(({ method, address: path, query, sent, login }) => {
      const [text, type] = method === 'GET' || sent === null ? [null, ''] : sent
      return {
        operation: '',
        method,
        address: `${path}?${new URLSearchParams(query)}`,
        body: text,
        type,
        login,
      }
    })
}
