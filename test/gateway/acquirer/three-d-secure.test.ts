import { describe, expect, test } from 'vitest'
import type { AuthorizationRequest } from '../../../mock-gateway/acquirer/authorization.ts'
import { authorize } from '../../../mock-gateway/acquirer/authorize.ts'
import {
  type AuthenticationRequest,
  planAuthentication,
} from '../../../mock-gateway/acquirer/three-d-secure/plan.ts'
import {
  createForgedAnswer,
  readClaimedRef,
  signAnswer,
  verifyAnswer,
} from '../../../mock-gateway/acquirer/three-d-secure/signed-answer.ts'
import {
  type AuthenticationResult,
  createAuthenticationFacts,
  createServerIds,
  decideAfterAuthentication,
  findEci,
  VERDICTS,
} from '../../../mock-gateway/acquirer/three-d-secure/verdict.ts'
import { QUESTION_KINDS } from '../../../mock-gateway/domain/card/bank-questions.ts'
import type { FinalAuthenticationResult } from '../../../mock-gateway/domain/card/three-d-secure.ts'
import { ALWAYS, CASES, OUTCOMES } from '../../../mock-gateway/domain/card/three-d-secure-cases.ts'

const randomBytes = (count: number) => new Uint8Array(count).fill(1)
const APPROVED = {
  kind: 'approved',
  authCode: '843009',
  providerRef: 'sim_0101010101010101',
} as const

const asked = (over: Partial<AuthenticationRequest> = {}): AuthenticationRequest => ({
  setting: 'card',
  payerPresent: true,
  test: true,
  metadata: null,
  cardCase: undefined,
  ...over,
})

const instructed = (
  three_d_secure: Record<string, string | number>,
  over: Partial<AuthenticationRequest> = {},
) => planAuthentication(asked({ metadata: { service_instructions: { three_d_secure } }, ...over }))

describe('every result that ends an authentication', () => {
  for (const [result, transStatus, visa, mastercard, ends, error] of [
    ['Y', 'Y', '05', '02', 'approved', undefined],
    ['A', 'A', '06', '01', 'approved', undefined],
    ['N', 'N', '07', '00', 'declined', 'errors.mpi.not_approved'],
    ['U', 'U', '07', '00', 'approved', undefined],
    ['R', 'R', '07', '00', 'declined', 'errors.mpi.not_approved'],
    ['bypass', null, '07', '00', 'approved', undefined],
    ['error', null, '07', '00', 'failed', 'errors.mpi.invalid'],
    ['timeout', null, '07', '00', 'failed', 'errors.transaction.timeout'],
    ['cancel', 'N', '07', '00', 'failed', 'errors.payment.canceled'],
    ['disabled', null, '07', '00', 'failed', 'errors.mpi.disabled'],
  ] as const)
    test(`${result} ends ${ends}`, () => {
      const word = decideAfterAuthentication(result, APPROVED, 'accept')
      expect(VERDICTS[result].transStatus).toBe(transStatus)
      expect([findEci('visa', result), findEci('amex', result)]).toEqual([visa, visa])
      expect([findEci('mastercard', result), findEci('maestro', result)]).toEqual([
        mastercard,
        mastercard,
      ])
      expect({ kind: word.kind, error: 'error' in word ? word.error : undefined }).toEqual({
        kind: ends,
        error,
      })
    })

  test('the table has each of these results', () => expect(Object.keys(VERDICTS)).toHaveLength(10))
})

test('a payment whose authentication is unavailable is declined if the setting says so', () => {
  expect(decideAfterAuthentication('U', APPROVED, 'refuse')).toMatchObject({
    kind: 'declined',
    error: 'errors.mpi.not_approved',
  })
})

describe('the choice of the authentication', () => {
  test('follows the card: each of the 20 outcomes, and each challenge type, has its own flow', () => {
    expect(OUTCOMES.size).toBe(20)
    expect(CASES.flatMap(({ question = [] }) => question)).toEqual(QUESTION_KINDS.slice(1))
    for (const [index, course] of CASES.entries())
      expect(planAuthentication(asked({ cardCase: index + 1 }))).toEqual(course)
  })

  test('is empty for a plain card, without a payer, and if 3-D Secure is off', () => {
    expect(planAuthentication(asked())).toBeUndefined()
    expect(planAuthentication(asked({ cardCase: 10, payerPresent: false }))).toBeUndefined()
    expect(planAuthentication(asked({ cardCase: 10, setting: 'off' }))).toBeUndefined()
    expect(planAuthentication(asked({ cardCase: 10, test: false }))).toBeUndefined()
  })

  test('follows the setting always for plain cards, also for live cards and server calls', () => {
    expect(planAuthentication(asked({ setting: 'always' }))).toEqual(ALWAYS)
    expect(
      planAuthentication(asked({ setting: 'always', test: false, payerPresent: false })),
    ).toEqual(ALWAYS)
    expect(planAuthentication(asked({ setting: 'always', cardCase: 1 }))).toEqual(CASES[0])
  })

  test('follows the instructions before the card, in test mode only', () => {
    expect(instructed({ result: 'N' }, { cardCase: 1 })).toMatchObject({
      flow: 'frictionless',
      result: 'N',
    })
    expect(instructed({ result: 'N' })).toMatchObject({ flow: 'challenge', result: 'N' })
    expect(instructed({ flow: 'none' }, { cardCase: 10 })).toBeUndefined()
    expect(instructed({ result: 'N' }, { test: false })).toBeUndefined()
    expect(instructed({ delay_seconds: 90, version: '2.1.0' }, { cardCase: 10 })).toEqual({
      flow: 'challenge',
      result: 'Y',
      delaySeconds: 90,
      version: '2.1.0',
    })
  })

  test('includes the challenge type, for challenges only: first the requested type, then the card’s, then the setting’s', () => {
    const question = 'choice'
    expect(instructed({ question: 'app' }, { cardCase: 1, question })).toMatchObject({
      flow: 'challenge',
      question: 'app',
    })
    expect(instructed({ question: 'app' })).toEqual({ ...ALWAYS, question: 'app' })
    expect(planAuthentication(asked({ cardCase: 21, question }))).toEqual({
      ...ALWAYS,
      question: 'app',
    })
    expect(planAuthentication(asked({ cardCase: 10, question }))).toEqual({ ...ALWAYS, question })
    expect(planAuthentication(asked({ cardCase: 1, question }))).toEqual(CASES[0])
    expect(instructed({ question: 'riddle' }, { cardCase: 10 })).toEqual(CASES[9])
  })

  test('follows the control API before everything else', () => {
    const next = { ...ALWAYS, result: 'R' } as const
    expect(instructed({ result: 'N' }, { cardCase: 1, next })).toEqual(next)
  })
})

describe('the bank', () => {
  const request = (over: Partial<AuthorizationRequest>): AuthorizationRequest => ({
    test: true,
    source: { kind: 'card', cvv: '200' },
    metadata: null,
    storeCard: false,
    liveCards: 'simulate',
    randomBytes,
    ...over,
  })
  const plan = (number: number) => CASES[number - 1]

  test('is asked for an authorization after a frictionless authentication', () => {
    const answer = (cvv: string) =>
      authorize(request({ source: { kind: 'card', cvv }, authentication: plan(1) }))
    expect(answer('200')).toEqual({ ...APPROVED, authentication: plan(1) })
    expect(answer('201')).toMatchObject({ kind: 'declined', error: 'errors.payment.declined' })
  })

  test('answers before a challenge, and its answer counts once the payer is authenticated', () => {
    const answer = authorize(
      request({ source: { kind: 'card', cvv: '201' }, authentication: plan(10) }),
    )
    expect(answer).toMatchObject({
      kind: 'challenge',
      word: { kind: 'declined', error: 'errors.payment.declined' },
    })
    expect(JSON.stringify(answer)).not.toContain('"201"')
  })

  test('is not asked if the issuer does not know the payer', () => {
    expect(authorize(request({ authentication: plan(2) }))).toMatchObject({
      error: 'errors.mpi.not_approved',
    })
  })

  test('applies service instructions before an authentication', () => {
    const metadata = { service_instructions: { fail_as_code: 'errors.generic' } }
    expect(authorize(request({ metadata, authentication: plan(10) }))).toMatchObject({
      error: 'errors.generic',
    })
  })
})

describe('the data of an authentication', () => {
  const done = (over: Partial<AuthenticationResult> = {}) =>
    createAuthenticationFacts({
      plan: ALWAYS,
      result: 'Y',
      brand: 'visa',
      ids: createServerIds(randomBytes),
      ref: 'r',
      key: 'k',
      ...over,
    })

  test('have a CAVV of 20 bytes only for an authenticated payer, which is always the same for the authentication', () => {
    for (const result of Object.keys(VERDICTS) as FinalAuthenticationResult[]) {
      const { cavv } = done({ result })
      if (result === 'Y' || result === 'A') expect(cavv).toMatch(/^[A-Za-z0-9+/]{27}=$/)
      else expect(cavv).toBeNull()
    }
    expect(done()).toEqual(done())
    expect(done({ ref: 's' }).cavv).not.toBe(done().cavv)
    expect(done().xid).toMatch(/^.{27}=$/)
  })

  test("contain the reason of the card only with the card's own result", () => {
    const course = CASES[5] ?? ALWAYS
    expect(done({ plan: course, result: 'U' }).trans_status_reason).toBe('08')
    expect(done({ plan: course, result: 'N' }).trans_status_reason).toBe('01')
  })
})

describe('a signed answer', () => {
  const answer = { ref: 'a1', result: 'Y' } as const

  test('is read with its key', () => {
    expect(verifyAnswer(signAnswer(answer, 'key'), 'key')).toEqual(answer)
    expect(readClaimedRef(signAnswer(answer, 'key'))).toBe('a1')
  })

  test('is rejected with another key, with a broken signature, or after a change', () => {
    const signed = signAnswer(answer, 'key')
    const [, signature] = signed.split('.')
    const payload = Buffer.from(JSON.stringify({ aud: 'mpi', ref: 'a1', result: 'A' })).toString(
      'base64url',
    )
    expect(verifyAnswer(signed, 'other')).toBeUndefined()
    expect(verifyAnswer(createForgedAnswer(answer, 'key'), 'key')).toBeUndefined()
    expect(verifyAnswer(`${payload}.${signature}`, 'key')).toBeUndefined()
    expect(verifyAnswer(`${signed}.x`, 'key')).toBeUndefined()
  })
})
