import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseContract } from '../../../mock-gateway/api/docs/parse.ts'
import { CONTRACT_FILE, checkAnswer, checkerOf } from '../../helpers/contract.ts'
import { type Answer, payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'

let shop: TestGateway
let paid: Answer<Record<string, unknown>>
let refused: Answer<Record<string, unknown>>
beforeAll(async () => {
  shop = await startGateway()
  paid = await shop.post('/v1/transactions', payment())
  refused = await shop.get('/v1/transactions/999')
})
afterAll(() => shop.close())

const problemOf = (work: () => void): string => {
  try {
    work()
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

const checkPaid = (over: { body?: unknown; status?: number; headers?: Readonly<Record<string, string | null>> }) =>
  problemOf(() =>
    checkAnswer(
      'POST',
      '/v1/transactions',
      over.status ?? paid.status,
      changed(paid.headers, over.headers),
      over.body ?? paid.body,
    ),
  )

function changed(headers: Headers, over: Readonly<Record<string, string | null>> = {}): Headers {
  const all = new Headers(headers)
  for (const [name, value] of Object.entries(over)) value === null ? all.delete(name) : all.set(name, value)
  return all
}

describe('an answer is checked:', () => {
  test('a true one passes', () => {
    expect(checkPaid({})).toBe('none')
  })

  test.each([
    ['a field too many', { colour: 'red' }, 'additional properties'],
    ['a field that is missing', { href: undefined }, 'href'],
    ['a number as text', { id: '7' }, '/id must be integer'],
    ['an amount with one decimal', { amount: '10.0' }, '/amount must match'],
    ['a status nobody knows', { status: 'done' }, '/status'],
    ['a time with milliseconds', { created_at: '2026-03-14T12:00:00.000Z' }, '/created_at'],
    ['a card number in clear', { card_number: '4111111111111111' }, '/card_number'],
    ['an approved payment that was never processed', { processed_at: null }, '/processed_at'],
    ['a currency in upper case', { currency: 'SEK' }, '/currency'],
  ])('%s does not', (_what, over, problem) => {
    const body = JSON.parse(JSON.stringify({ ...paid.body, ...over }))
    expect(checkPaid({ body })).toContain(problem)
  })

  test.each([
    ['a header that is missing', { 'x-request-id': null }, 'X-Request-Id is missing'],
    ['a header with another value', { 'x-frame-options': 'ALLOW' }, 'X-Frame-Options'],
    ['a header too many', { server: 'Apache' }, 'server is not documented'],
    ['a body of another type', { 'content-type': 'text/html' }, '"text/html" is not documented'],
  ])('%s does not', (_what, headers, problem) => {
    expect(checkPaid({ headers })).toContain(problem)
  })

  test('a status that the call does not have does not', () => {
    expect(checkPaid({ status: 201 })).toContain('no answer 201')
  })
})

describe('a refusal is checked:', () => {
  const checkRefused = (body: unknown, url = '/v1/transactions/999', method = 'GET') =>
    problemOf(() => checkAnswer(method, url, 404, refused.headers, body))

  test('a true one passes, whatever case and slash the address has', () => {
    expect(checkRefused(refused.body)).toBe('none')
    expect(checkRefused(refused.body, '/V1/Transactions/999/?locale=en')).toBe('none')
  })

  test('a code that the call does not list does not', () => {
    const body = { name: 'errors.webhook.not_found', code: 204, description: 'x' }
    expect(checkRefused(body)).toContain('x-errors lacks 204')
    expect(checkRefused(body, '/v1/webhooks/1')).toBe('none')
  })

  test('a code that is not the name’s does not', () => {
    expect(checkRefused({ ...refused.body, code: 129 })).toContain('not in the catalogue')
  })

  test('a fourth key does not', () => {
    expect(checkRefused({ ...refused.body, hint: 'x' })).toContain('additional properties')
  })

  test('success at an address that the contract does not have does not', () => {
    expect(problemOf(() => checkAnswer('GET', '/v1/secrets', 200, refused.headers, {}))).toContain('no such call')
    expect(problemOf(() => checkAnswer('PATCH', '/v1/transactions/1', 200, refused.headers, {}))).toContain(
      'no such call',
    )
  })
})

test('a contract that lacks an error or a field is noticed', () => {
  const yaml = readFileSync(CONTRACT_FILE, 'utf8')
  const check = (text: string) =>
    problemOf(() => checkerOf(parseContract(text))('GET', '/v1/transactions/999', 404, refused.headers, refused.body))
  expect(check(yaml)).toBe('none')
  expect(check(yaml.replace('x-errors: [merchant, 128, 149]', 'x-errors: [merchant, 149]'))).toContain('lacks 128')
  expect(check(yaml.replace('code: { type: integer }', 'number: { type: integer }'))).toContain('additional properties')
})
