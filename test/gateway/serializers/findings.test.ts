import { afterAll, describe, expect, test } from 'vitest'
import {
  describeSeenDeliveries,
  type Evidence,
  type SeenDelivery,
  type SeenRequest,
} from '../../../mock-gateway/serializers/findings/evidence.ts'
import { findFindings } from '../../../mock-gateway/serializers/findings/findings.ts'
import { createFindings } from '../../../mock-gateway/serializers/findings/read-findings.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { resetData } from '../../../mock-gateway/storage/reset.ts'
import { payment, startGateway } from '../../helpers/gateway.ts'
import { filePlace, sharedPlace } from '../storage/databases.ts'

const request = (over: Partial<SeenRequest> = {}): SeenRequest => ({
  id: 'r',
  at: 1,
  call: 'POST /v1/transactions',
  notices: [],
  sent: {},
  loggedIn: true,
  transactionId: 7,
  ...over,
})

const delivery = (over: Partial<SeenDelivery> = {}): SeenDelivery => ({
  id: 3,
  at: 1,
  eventId: 'evt_1',
  messageId: 'msg_1_1',
  trigger: 'payment',
  url: 'http://shop/hook',
  longest: 10,
  transactionId: 7,
  ...over,
})

const found = (evidence: Partial<Evidence>) =>
  findFindings({ requests: [], deliveries: [], returnFailures: [], ...evidence }).map(
    ({ name, proofs }) => [name, proofs[0]?.says],
  )

test.each([
  [
    'weak_hash',
    { notices: [{ code: 'hash.recipe', facts: { recipe: 'A' } }] },
    'The recipe A leaves out currency and test.',
  ],
  [
    'amount_spelling',
    { notices: [{ code: 'hash.amount_spelling', facts: {} }], sent: { amount: '10' } },
    'The amount was sent as 10.',
  ],
  [
    'misplaced_card',
    { notices: [{ code: 'card_number.misplaced', facts: {} }] },
    'A card number in another field was masked.',
  ],
  [
    'unused_parameter',
    {
      notices: [
        { code: 'parameter.unknown', facts: { name: 'currnecy', meant: 'currency' } },
        { code: 'parameter.unused', facts: { name: 'ref', call: 'a capture' } },
      ],
    },
    '`currnecy`, `ref` were not used.',
  ],
  [
    'long_payment_ref',
    { loggedIn: false, sent: { payment_ref: 'order-1234567' } },
    'payment_ref has 13 characters.',
  ],
] as const)('%s is detected in a request', (name, over, says) => {
  expect(found({ requests: [request(over)] })).toEqual([[name, says]])
})

test.each<[string, Partial<SeenRequest>]>([
  ['the canonical recipe', {}],
  ['a recipe that covers all', { notices: [{ code: 'hash.recipe', facts: { recipe: 'C' } }] }],
  ['a short payment_ref', { loggedIn: false, sent: { payment_ref: 'order-123456' } }],
  ['a long payment_ref of a server', { sent: { payment_ref: 'order-1234567' } }],
])('nothing is found in %s', (_name, over) =>
  expect(found({ requests: [request(over)] })).toEqual([]),
)

test('two webhooks for one event and one address are a finding, whatever their triggers', () => {
  const twice = [delivery(), delivery({ id: 4, messageId: 'msg_1_2', trigger: 'payment_success' })]
  expect(found({ deliveries: twice })).toEqual([
    ['same_place', 'http://shop/hook receives the event as payment and payment_success.'],
  ])
  const apart: Partial<SeenDelivery>[] = [
    { messageId: 'msg_1_1' },
    { messageId: 'msg_1_2', url: 'http://shop/other' },
    { messageId: 'msg_2_1', eventId: 'evt_2' },
    { messageId: 'msg_1_3', url: null },
    { messageId: 'msg_1_4', url: null },
  ]
  expect(found({ deliveries: [delivery(), ...apart.map(delivery)] })).toEqual([])
})

test('an address that accepts no connection is a finding, because the payer is lost there', () => {
  const failure = { id: 1, merchant_id: 1, transaction_id: 7, created_at: 5 }
  const returnFailures = [{ ...failure, address: 'http://shop.example', reason: 'ECONNREFUSED' }]
  expect(found({ returnFailures })).toEqual([['lost_payer', 'http://shop.example: ECONNREFUSED']])
})

test('a handler is slow if its longest attempt takes more than five seconds', () => {
  const rows = [
    {
      id: 3,
      event_id: 'e',
      message_id: 'm',
      trigger: 'payment',
      url: 'u',
      transaction_id: 7,
      created_at: 1,
    },
  ]
  const longest = (...all: number[]) =>
    found({
      deliveries: describeSeenDeliveries(
        rows,
        all.map((duration) => ({ delivery_id: 3, duration })),
      ),
    })
  expect(longest(5_000)).toEqual([])
  expect(longest(6_120, 10)).toEqual([['slow_webhook', 'An attempt took 6.1 seconds.']])
})

describe('findings', async () => {
  const target = await sharedPlace(filePlace)
  const [shop, database] = [await startGateway({ database: target }), await openDatabase(target)]
  const readFindings = createFindings(database.db)
  afterAll(() => Promise.all([shop.close(), database.close()]))

  /**
   * Waits until the findings are as expected, because requests are stored a moment after their
   * answers.
   */
  const finds = (...expected: readonly (readonly [name: string, proofs: number])[]) =>
    expect
      .poll(async () => (await readFindings(1)).map(({ name, proofs }) => [name, proofs.length]))
      .toEqual(expected)

  const pay = async () => {
    const { status } = await shop.post('/v1/transactions', payment({ colour: 'red' }))
    expect(status).toBe(200)
  }

  test('do not contain evidence of deleted requests, even if ids start with 1 again', async () => {
    await resetData(database)
    await finds()
    await pay()
    await finds(['unused_parameter', 1])
    await resetData(database)
    for (const _each of [1, 2]) await shop.post('/v1/transactions', payment({ card_type: 'VISA' }))
    await pay()
    await finds(['unused_parameter', 1])
  })
})
