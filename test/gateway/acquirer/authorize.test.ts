import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AuthorizationRequest,
  type BankDecision,
  createAuthCode,
  createProviderRef,
} from '../../../mock-gateway/acquirer/authorization.ts'
import { authorize, decide } from '../../../mock-gateway/acquirer/authorize.ts'
import { checkTestFlag } from '../../../mock-gateway/acquirer/test-mode.ts'
import { CATALOGUE } from '../../../mock-gateway/domain/errors/catalogue.ts'
import { findEntryByName } from '../../../mock-gateway/domain/errors/errors.ts'
import type { JsonObject } from '../../../mock-gateway/domain/json.ts'
import { payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { refusal } from '../domain/refusal.ts'

const request = (over: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  test: true,
  source: { kind: 'card', cvv: '200' },
  metadata: null,
  storeCard: false,
  liveCards: 'simulate',
  randomBytes: (count) => new Uint8Array(count).fill(1),
  ...over,
})

const answerTo = (over: Partial<AuthorizationRequest>) => withoutExplain(decide(request(over)))

const withCvv = (cvv: string, over: Partial<AuthorizationRequest> = {}) =>
  answerTo({ source: { kind: 'card', cvv }, ...over })

const failing = (
  instructions: { readonly [key: string]: string | number },
  over: Partial<AuthorizationRequest> = {},
) => answerTo({ metadata: { service_instructions: instructions }, ...over })

/** Returns the bank's answer without the explanation, which other tests check. */
const withoutExplain = (answer: BankDecision) => {
  if (answer.kind === 'approved') return answer
  const { explain, ...rest } = answer
  return rest
}

const approved = { kind: 'approved', authCode: '843009', providerRef: 'sim_0101010101010101' }

describe('a payment with test=false', () => {
  test('is approved with every CVV', () =>
    expect(withCvv('201', { test: false })).toEqual(approved))

  test('ignores service instructions', () =>
    expect(failing({ fail_as_code: 'errors.generic' }, { test: false })).toEqual(approved))

  test('a recurring charge with test=false ignores the expiry', () =>
    expect(answerTo({ test: false, source: { kind: 'recurring', expiry: '0137' } })).toEqual(
      approved,
    ))

  test('is declined if the merchant refuses live cards', () => {
    const refused = { kind: 'failed', error: 'errors.service_not_available' }
    expect(withCvv('200', { test: false, liveCards: 'refuse' })).toEqual(refused)
  })
})

test('accepts test cards if the merchant refuses live cards', () =>
  expect(withCvv('200', { liveCards: 'refuse' })).toEqual(approved))

describe('a service instruction', () => {
  for (const [code, error] of [
    ['errors.card.do_not_honour', 'errors.card.do_not_honour'],
    ['129', 'errors.payment.declined'],
    [129, 'errors.payment.declined'],
    ['1290', 'errors.payment.failed'],
    ['errors.payment.canceled', 'errors.payment.canceled'],
  ] as const)
    test(`fail_as_code ${JSON.stringify(code)} fails with ${error}`, () =>
      expect(failing({ fail_as_code: code })).toEqual({ kind: 'failed', error }))

  test('can fail with every name of the catalogue', () => {
    const errors = CATALOGUE.map(({ name }) => failing({ fail_as_code: name }))
    expect(errors).toEqual(
      CATALOGUE.map(({ name }) => ({ kind: 'failed', error: findEntryByName(name)?.name })),
    )
  })

  test('fail_as_code outside the catalogue fails with an explanation', () => {
    expect(failing({ fail_as_code: 'errors.made_up' })).toEqual({
      kind: 'failed',
      error: 'errors.generic',
      message: 'fail_as_code errors.made_up is not an error of the catalogue',
    })
  })

  test('fail_as_message describes the error of fail_as_code', () => {
    const failed = { kind: 'failed', error: 'errors.payment.declined', message: 'No' }
    expect(failing({ fail_as_code: '129', fail_as_message: 'No' })).toEqual(failed)
  })
})

test('a stored card is approved without a CVV', () =>
  expect(answerTo({ source: { kind: 'stored_card' } })).toEqual(approved))

describe('a payer’s answer in another app', () => {
  const source = { kind: 'payer' } as const

  test('is awaited before the result is known', () =>
    expect(authorize(request({ source }))).toEqual({ kind: 'pending' }))
})

describe('a decline explains its cause and how to get an approval:', () => {
  const invoice = { kind: 'invoice', country: 'SWE', personalNumber: '199610202385' } as const
  const instructed = (instructions: JsonObject) => ({
    metadata: { service_instructions: instructions },
  })

  const byCvv = (cvv: string) => ({ source: { kind: 'card', cvv } }) as const
  const byExpiry = { source: { kind: 'recurring', expiry: '0137' } } as const

  test.each<[what: string, over: Partial<AuthorizationRequest>, says: string, never: string]>([
    ['live cards', { test: false, liveCards: 'refuse' }, 'live_cards rejects payments', 'CVV'],
    ['a CVV', byCvv('201'), 'this CVV means a declined payment. Send CVV 200', '201'],
    ['a wrong CVV', byCvv('202'), 'this CVV means a wrong CVV. Send CVV 200', '202'],
    ['a CVV of age', byCvv('203'), 'this CVV means an expired card. Send CVV 200', '203'],
    ['an expiry', byExpiry, 'expiry of this stored card means', '0137'],
    ['a test person', { source: invoice }, 'personal number belongs to', invoice.personalNumber],
    ['a code', instructed({ fail_as_code: 129 }), 'requests this result with fail_as_code', 'CVV'],
    ['a text', instructed({ fail_as_message: 'No' }), 'with fail_as_message. Leave it out', 'CVV'],
    ['an unknown code', instructed({ fail_as_code: 'x' }), 'must be the name or the code', 'CVV'],
  ])('%s', (_what, over, says, never) => {
    const answer = decide(request(over))
    const explain = answer.kind === 'approved' ? 'approved' : answer.explain
    expect(explain).toContain(says)
    expect(explain).not.toContain(never)
  })
})

test('an authorization code has six digits and keeps its leading zeros', () => {
  expect(createAuthCode(() => Uint8Array.of(0, 0, 0, 7))).toBe('000007')
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
      expect(createAuthCode(() => bytes)).toMatch(/^[0-9]{6}$/)
    }),
  )
})

test('a reference of the bank shows that it is simulated', () => {
  expect(createProviderRef((count) => new Uint8Array(count).fill(0xab))).toBe(
    'sim_abababababababab',
  )
})

describe('the test flag and the card number', () => {
  for (const [number, flag, outcome] of [
    ['4111111111111111', true, 'accepted'],
    ['4111111111111111', false, 'errors.card_number.invalid'],
    ['4000000000001091', true, 'accepted'],
    ['4000000000001091', false, 'errors.card_number.invalid'],
    ['4000000000000002', true, 'errors.card_number.invalid'],
    ['4000000000000002', false, 'accepted'],
  ] as const)
    test(`${number} with test=${flag} is ${outcome}`, () =>
      expect(refusal(() => checkTestFlag(number, flag))).toBe(outcome))
})

const shop = await sharedGateway()

test('the explanation of a decline names its cause, also for a repeated attempt', async () => {
  const fields = payment({ card_cvv: '201', merchant_id: 1, mondido_attempt: 'a'.repeat(32) })
  const explained = async () => {
    const { body, headers } = await shop.post('/v1/transactions', fields)
    return { code: body.code, explain: headers.get('mondido-explain') }
  }
  expect([await explained(), await explained()]).toEqual([
    { code: 129, explain: expect.stringContaining('this CVV means a declined payment') },
    { code: 129, explain: expect.stringContaining('first request with this mondido_attempt') },
  ])
})
