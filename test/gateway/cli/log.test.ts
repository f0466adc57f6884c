import { setImmediate } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogger, writeInTurns } from '../../../mock-gateway/cli/log.ts'
import { createGateway } from '../../../mock-gateway/gateway.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { hashed, payment } from '../../helpers/gateway.ts'

/** Returns the log lines of some requests, on a terminal or not. */
async function shown(onTerminal: boolean, ...requests: readonly Request[]): Promise<string[]> {
  const lines: string[] = []
  const write = (text: string) => void lines.push(text)
  const logger = onTerminal ? createLogger('info', { write }) : pino({}, { write })
  const gateway = await createGateway({ logger })
  for (const request of requests) await gateway.handle(request)
  await expect.poll(() => lines).toHaveLength(requests.length)
  await gateway.close()
  return lines
}

const URL = 'http://localhost:4400/v1/transactions'
const ORDER = hashed(payment(), DEFAULT_MERCHANT)
const headers = { authorization: `Basic ${btoa('1:custom00')}`, 'content-type': 'application/json' }
const list = () => new Request(URL, { headers })
const goodPayment = () => new Request(URL, { method: 'POST', headers, body: JSON.stringify(ORDER) })
const badPayment = () =>
  new Request(URL, { method: 'POST', headers, body: JSON.stringify({ ...payment(), hash: 'no' }) })

test('a request is one coloured line on a terminal, with the reason of a rejection', async () => {
  vi.stubEnv('FORCE_COLOR', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const lines = await shown(
    true,
    list(),
    goodPayment(),
    badPayment(),
    new Request('http://localhost:4400/nowhere'),
  )
  expect(lines[0]).toContain('\u001b[32m200\u001b[39m')
  expect(lines[2]).toContain('\u001b[33m400\u001b[39m')
  const [ok, paid, refused, nowhere] = lines.map(stripVTControlCharacters)
  expect(ok).toMatch(/^\d\d:\d\d:\d\d GET {4}\/v1\/transactions 200 \d+ ms\n$/)
  expect(paid).toMatch(
    /^\S+ POST {3}\/v1\/transactions 200 payment 1 order-\S+ 10\.00 sek approved \d+ ms\n$/,
  )
  expect(refused).toMatch(
    /^\S+ POST {3}\/v1\/transactions 400 errors\.hash\.invalid .*hash.* \d+ ms\n$/,
  )
  expect(nowhere).toMatch(/^\S+ GET {4}no route 404 errors\.not_found .*\d+ ms\n$/)
})

test('the log line of a request that was rejected before routing has no route', async () => {
  const wrong = new Request(URL, { headers: { authorization: `Basic ${btoa('1:wrong')}` } })
  const [line = ''] = await shown(true, wrong)
  expect(stripVTControlCharacters(line)).toMatch(
    / GET {4}\/v1\/transactions 401 errors\.authentication\.failed /,
  )
  const misled = new Request(URL, { headers: { ...headers, 'webhook-id': 'a' } })
  const [other = ''] = await shown(true, misled)
  expect(stripVTControlCharacters(other)).toMatch(/ GET {4}rejected before its route 403 /)
})

test('without a terminal, the log has a line of JSON for a request, with the same reason and without card data', async () => {
  const [line = ''] = await shown(false, badPayment())
  expect(JSON.parse(line)).toMatchObject({
    status: 400,
    error: 'errors.hash.invalid',
    explain: expect.any(String),
  })
  for (const value of ['4111111111111111', 'sandbox-secret', 'custom00'])
    expect(line).not.toContain(value)
})

test('an error of the gateway itself is shown with its stack', () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (text) => lines.push(text) })
  logger.error({ err: new Error('out of cups') }, 'A request failed')
  expect(stripVTControlCharacters(lines.join(''))).toMatch(
    /^\S+ A request failed\nError: out of cups\n +at /,
  )
})

test('an attempt to send a webhook is one line, and text of a shop or payer cannot move the cursor', () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (text) => lines.push(text) })
  const attempt = {
    trigger: 'payment',
    target: 'http://shop/hook',
    attempt: 2,
    duration_ms: 12,
    error: null,
  }
  logger.info({ webhook: { ...attempt, status: 500, next_try: '2026-03-14T12:00:16.000Z' } })
  logger.info({ webhook: { ...attempt, status: null, error: 'ECONNREFUSED', next_try: null } })
  logger.info({
    payment: {
      id: 1,
      payment_ref: 'A\u001b[2J',
      amount: '1.00',
      currency: 'sek',
      outcome: 'failed',
    },
  })
  expect(lines.map((line) => stripVTControlCharacters(line).slice(9))).toEqual([
    'webhook payment to http://shop/hook 500 attempt 2 retry at 2026-03-14T12:00:16.000Z 12 ms\n',
    'webhook payment to http://shop/hook ECONNREFUSED attempt 2 12 ms\n',
    'payment 1 A?[2J 1.00 sek failed\n',
  ])
})

test('log lines of one turn of the event loop are written together, and none is lost at the exit', async () => {
  const written: string[] = []
  const log = writeInTurns({ write: (text) => written.push(text) })
  const waiting = process.listenerCount('exit')
  log.write('one\n')
  log.write('two\n')
  expect(written).toEqual([])
  expect(process.listenerCount('exit')).toBe(waiting + 1)
  await setImmediate()
  log.write('three\n')
  await setImmediate()
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
  expect(process.listenerCount('exit')).toBe(waiting)
})
