import pino from 'pino'
import { expect, test } from 'vitest'
import { readTraceparent } from '../../../mock-gateway/web/http/begin-exchange.ts'
import { payment } from '../../helpers/gateway.ts'
import { openTestShop } from './shop.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`

test.each([
  ['version 00', TRACEPARENT, TRACEPARENT],
  ['a trace that is not sampled', `00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${PARENT}-00`],
  ['a later version', `cc-${TRACE}-${PARENT}-03`, TRACEPARENT],
  ['a later version with more fields', `cc-${TRACE}-${PARENT}-00-x`, `00-${TRACE}-${PARENT}-00`],
  ['no header', undefined, undefined],
  ['an empty header', '', undefined],
  ['version ff', `ff-${TRACE}-${PARENT}-01`, undefined],
  ['version 00 with more fields', `${TRACEPARENT}-x`, undefined],
  ['capital letters', `00-${TRACE.toUpperCase()}-${PARENT}-01`, undefined],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`, undefined],
  ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`, undefined],
  ['two headers', `${TRACEPARENT}, ${TRACEPARENT}`, undefined],
])('the forwarded traceparent for %s is right', (_name, header, passedOn) => {
  expect(readTraceparent(header)).toBe(passedOn)
})
const lines: object[] = []
const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })

async function payWith(header: string, hook: object = {}) {
  lines.length = 0
  const shop = await openTestShop({ logger })
  const webhook = JSON.stringify({ trigger: 'payment', url: shop.sink.url, ...hook })
  await shop.post('/v1/transactions', payment({ webhook }), { traceparent: header })
  const [call] = await shop.sink.calls(1)
  await shop.attempted(1)
  return { shop, call }
}

test.each(['payment', 'before_payment'])(
  'a webhook with trigger %s has the traceparent of the request that caused it',
  async (trigger) => {
    const { call } = await payWith(TRACEPARENT, { trigger })
    expect(call?.headers.traceparent).toBe(TRACEPARENT)
  },
)

test('a retried webhook has the traceparent too', async () => {
  const shop = await openTestShop()
  shop.sink.answer(500)
  const webhook = JSON.stringify({ trigger: 'payment', url: shop.sink.url })
  await shop.post('/v1/transactions', payment({ webhook }), { traceparent: TRACEPARENT })
  await shop.attempted(1)
  await shop.gateway.clock.advance({ days: 1 })
  const calls = await shop.sink.calls(2)
  expect(calls.slice(0, 2).map(({ headers }) => headers.traceparent)).toEqual([
    TRACEPARENT,
    TRACEPARENT,
  ])
})

test('a malformed traceparent is ignored', async () => {
  const { call } = await payWith('00-1-2-3')
  expect(call?.headers).not.toHaveProperty('traceparent')
  expect(lines).not.toContainEqual(expect.objectContaining({ traceparent: expect.anything() }))
})
