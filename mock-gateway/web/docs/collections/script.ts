/**
 * What a client runs before each request: a new payment_ref and the hash of the order, in every client the same. It calls
 * `field(name)`, a field of the form or '', `value(name)`, a variable, and `keep(name, text)`, which sets one.
 */
const BEFORE = `
const written = (name) => String(field(name)).replace(/{{(\\w+)}}/g, (_whole, variable) => value(variable))
const random = () => MD5(String(Math.random())).toString()

if (field('payment_ref')) keep('payment_ref', 'try-' + random().slice(0, 8))
if (field('mpi_nonce')) keep('nonce', random())
// merchant_id + payment_ref + customer_ref + amount + currency in lower case + "test" + secret
if (field('hash')) {
  const order = ['payment_ref', 'customer_ref', 'amount'].map(written).join('')
  const test = written('test') === 'true' ? 'test' : ''
  const text = value('merchant_id') + order + written('currency').toLowerCase() + test + value('secret')
  keep('hash', MD5(text).toString())
}`

/** After an answer: the id of what was created is what other requests are about. It knows `method`, `path` and `made`. */
const AFTER = `
const [, kind] = /\\/v1\\/(\\w+?)s?$/.exec(path) || []
if (method === 'POST' && kind && made && made.id) keep(kind + '_id', String(made.id))`

/** What a client calls things: the lines before the script. */
export interface Dialect {
  readonly before: string
  readonly after: string
}

export const linesBefore = ({ before }: Dialect): string[] => [
  "const { MD5 } = require('crypto-js')",
  ...before.trim().split('\n'),
  ...BEFORE.split('\n'),
]

export const linesAfter = ({ after }: Dialect): string[] => [...after.trim().split('\n'), ...AFTER.split('\n')]
