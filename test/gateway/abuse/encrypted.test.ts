import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import pino from 'pino'
import { describe, expect, test, vi } from 'vitest'
import type { Call } from '../../../mock-gateway/web/docs/contract.ts'
import {
  type Answer,
  encode,
  type Fields,
  hashed,
  MERCHANT,
  payment,
  prepared,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../helpers/shared-gateway.ts'
import { hide } from '../conformance/encrypt.ts'
import { addressOf, CALLS, contract, SENT, titleOf } from '../contract/call-requests.ts'
import { parametersOf } from '../contract/documented.ts'
import { worldOf } from '../errors/world.ts'
import { API, outcome } from './outcomes.ts'

const log: string[] = []
const logger = pino({ level: 'trace' }, { write: (line) => void log.push(line) })
const shop = await sharedGateway({ logger })
const world = worldOf(shop, 'en')

const NUMBER = '4111111111111111'
const CVV = '739'

describe('a stolen ciphertext cannot be read', () => {
  test('the explanation of a wrong hash does not show the encrypted value', async () => {
    const order = payment({
      merchant_id: 1,
      payment_ref: CVV,
      customer_ref: 'Kim',
      currency: 'SEK',
      hash: 'wrong',
    })
    for (const names of [
      ['payment_ref'],
      ['payment_ref', 'customer_ref', 'amount', 'currency', 'test'],
    ]) {
      const { headers, body } = await shop.browser.post('/v1/transactions', hide(order, ...names))
      expect(body.code).toBe(107)
      expect(headers.get('mondido-explain')).not.toContain(CVV)
      expect(headers.get('mondido-explain')).toContain('(encrypted)')
    }
  })

  test('an encrypted value is left out of payment_request', async () => {
    const order = hide(
      hashed(payment({ locale: 'Locale-Mark' }), MERCHANT),
      'locale',
      'payment_ref',
      'card_number',
    )
    const { body } = await shop.post('/v1/transactions', order)
    expect(Object.keys(body.payment_request)).toContain('amount')
    for (const name of ['locale', 'payment_ref', 'card_number'])
      expect(body.payment_request).not.toHaveProperty(name)
    const { id } = (await shop.post('/v1/transactions', prepared())).body
    const paid = await shop.put(
      `/v1/transactions/${id}`,
      hide(payment({ amount: '10.00' }), 'card_number'),
    )
    expect(paid.body.payment_request).not.toHaveProperty('card_number')
  })

  for (const name of [
    'payment_ref',
    'customer_ref',
    'locale',
    'metadata',
    'card_holder',
    'success_url',
  ])
    for (const number of [NUMBER, '4111 1111-1111 1111'])
      test(`an encrypted card number (${number}) sent as ${name} gets error 197, like a broken ciphertext`, async () => {
        const sent = hide(payment({ merchant_id: 1, [name]: number }), name)
        const broken = payment({ merchant_id: 1, [name]: 'broken', encrypted: name })
        const told = ({ status, headers, body }: Answer<unknown>) => [
          status,
          headers.get('mondido-explain'),
          body,
        ]
        const answer = await shop.browser.post('/v1/transactions', sent)
        expect(answer.body.code).toBe(197)
        expect(told(answer)).toEqual(told(await shop.browser.post('/v1/transactions', broken)))
      })
})

/** Members of an answer that show a parameter, if their names differ from its name. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  order_id: ['payment_ref'],
  customer_ref: ['ref', 'customer'],
  webhook: ['webhooks'],
  swish_number: ['payment_details'],
  hash: ['request_hash'],
  amount: ['amount', 'org_auth_amount'],
  quantity: ['multiplier', 'subscription_quantity'],
  subscription_quantity: ['multiplier', 'subscription_quantity'],
  payment_details: ['payment_details', 'customer_name'],
  card_holder: ['card_holder', 'payment_details'],
}

/** Valid values of parameters, each with a unique mark. */
const VALUES: Readonly<Record<string, string>> = {
  amount: '73519.37',
  vat_amount: '73519.37',
  debt: '73519.37',
  plan_id: '735193',
  template_id: '735193',
  transaction_id: '735193',
  quantity: '735193',
  subscription_quantity: '735193',
  payment_details: '{"first_name":"Mark-7f3q"}',
  metadata: '{"first_name":"Mark-7f3q"}',
  success_url: 'https://mark-7f3q.example/',
  error_url: 'https://mark-7f3q.example/',
}
const MARKS = ['mark-7f3q', '73519.37', '735193']

const holdsMark = (text: string) => MARKS.some((mark) => text.toLowerCase().includes(mark))

describe('the plain value of an encrypted parameter appears only in its own field:', () => {
  for (const call of CALLS)
    test(titleOf(call), async () => {
      const names = parametersOf(contract, call).filter((name) => name !== 'encrypted')
      const [fieldsOf = () => ({})] = SENT[call.operation.operationId] ?? []
      for (const name of names) {
        const value = VALUES[name] ?? 'Mark-7f3q'
        const { hash: _, ...fields }: Fields = { ...(await fieldsOf(world)), [name]: value }
        const address = await addressOf(world, call)
        log.length = 0
        const [right, wrong] = [hashed(fields, MERCHANT), { ...fields, hash: 'wrong' }]
        const ways = [
          [shop, right],
          [shop, wrong],
          [shop.browser, wrong],
          [shop.browser, right],
        ] as const
        for (const [client, order] of ways) {
          const sent = hide({ merchant_id: 1, ...order, [name]: value }, name)
          const { headers, body } = await sendTo(client, call, address, sent)
          expect(headers.get('mondido-explain')?.toLowerCase() ?? '').not.toMatch(/mark-7f3q|73519/)
          expect({ name, shown: leaks(body, name) }).toEqual({ name, shown: [] })
        }
        expect(log.filter(holdsMark)).toEqual([])
      }
    })
})

const sendTo = (
  client: Pick<TestGateway, 'send'>,
  { method }: Call,
  address: string,
  fields: Fields,
) =>
  method === 'get'
    ? client.send<unknown>('GET', `${address}?${encode(fields)}`)
    : client.send<unknown>(method.toUpperCase(), address, encode(fields))

/**
 * Returns the places of an answer that contain a mark, except the parameter's own members. Lists
 * are omitted, because they show earlier objects.
 */
function leaks(body: unknown, name: string): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const own = MEMBERS[name] ?? [name]
  return Object.entries(body).filter(
    ([member, value]) => !own.includes(member) && holdsMark(JSON.stringify(value)),
  )
}

/** Returns a payment with an encrypted card and the maximum number of other encrypted parameters. */
function costly(): Fields {
  const idle = Array.from({ length: 39 }, (_, index) => [`idle_${index}`, 'x'])
  const fields = { ...hashed(payment(), MERCHANT), ...Object.fromEntries(idle) }
  return hide(fields, 'card_number', ...idle.map(([name = '']) => name))
}

test('requests without encrypted parameters are answered while others are decrypted', async () => {
  const started = once(process, 'worker')
  const shop = await openGateway()
  expect(outcome(await shop.post(API, costly()))).toBe(200)
  const [thread]: Worker[] = await started
  if (!thread) throw new Error('Nothing was decrypted in a thread')
  // The test decides when the thread answers.
  const begun = Promise.withResolvers<unknown>()
  const send = vi.spyOn(thread, 'postMessage').mockImplementationOnce(begun.resolve)
  let answered = false
  const create = shop.post(API, costly()).finally(() => {
    answered = true
  })
  const sealed = await begun.promise
  expect(outcome(await shop.get(API))).toBe(200)
  expect(outcome(await shop.post(API, payment()))).toBe(200)
  expect(answered).toBe(false)
  send.mockRestore()
  thread.postMessage(sealed)
  expect(outcome(await create)).toBe(200)
})
