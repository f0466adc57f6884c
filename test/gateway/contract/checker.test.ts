import { beforeAll, describe, expect, test } from 'vitest'
import { parseContract } from '../../../mock-gateway/web/docs/parse.ts'
import { checkAnswer, checkerOf, readContract } from '../../helpers/contract.ts'
import { read } from '../../helpers/documents.ts'
import { type Answer, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

let paid: Answer<Record<string, unknown>>
let refused: Answer<Record<string, unknown>>
const shop = await sharedGateway()
beforeAll(async () => {
  paid = await shop.post('/v1/transactions', payment())
  refused = await shop.get('/v1/transactions/999')
})

const problemOf = (work: () => void): string => {
  try {
    work()
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

const checkPaid = (over: {
  body?: unknown
  status?: number
  headers?: Readonly<Record<string, string | null>>
}) =>
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
  for (const [name, value] of Object.entries(over))
    value === null ? all.delete(name) : all.set(name, value)
  return all
}

describe('the check of an answer', () => {
  test('accepts a correct answer', () => {
    expect(checkPaid({})).toBe('none')
  })

  test.each([
    ['a field too many', { colour: 'red' }, 'additional properties'],
    ['a field that is missing', { href: undefined }, 'href'],
    ['a number as text', { id: '7' }, '/id must be integer'],
    ['an amount with one decimal', { amount: '10.0' }, '/amount must match'],
    ['an unknown status', { status: 'done' }, '/status'],
    ['a time with milliseconds', { created_at: '2026-03-14T12:00:00.000Z' }, '/created_at'],
    ['an unmasked card number', { card_number: '4111111111111111' }, '/card_number'],
    ['an approved payment that was never processed', { processed_at: null }, '/processed_at'],
    ['a currency in upper case', { currency: 'SEK' }, '/currency'],
  ])('rejects %s', (_what, over, problem) => {
    const body = JSON.parse(JSON.stringify({ ...paid.body, ...over }))
    expect(checkPaid({ body })).toContain(problem)
  })

  test.each([
    ['a header that is missing', { 'x-request-id': null }, 'X-Request-Id is missing'],
    ['a header with another value', { 'x-frame-options': 'ALLOW' }, 'X-Frame-Options'],
    ['a header too many', { server: 'Apache' }, 'server is not documented'],
    ['a body of another type', { 'content-type': 'text/html' }, '"text/html" is not documented'],
    [
      'a body in another encoding',
      { 'content-type': 'application/json; charset=latin1' },
      'does not say UTF-8',
    ],
    [
      'a body in an undeclared encoding',
      { 'content-type': 'application/json' },
      'does not say UTF-8',
    ],
  ])('rejects %s', (_what, headers, problem) => {
    expect(checkPaid({ headers })).toContain(problem)
  })

  test('rejects an empty body', () => {
    expect(checkPaid({ body: '' })).toContain('the body is empty')
  })

  test('rejects a status that the call does not have', () => {
    expect(checkPaid({ status: 201 })).toContain('no answer 201')
  })
})

describe('the check of a rejection', () => {
  const checkRefused = (body: unknown, url = '/v1/transactions/999', method = 'GET') =>
    problemOf(() => checkAnswer(method, url, 404, refused.headers, body))

  test('accepts a correct rejection, whatever the case and slashes of the address', () => {
    expect(checkRefused(refused.body)).toBe('none')
    expect(checkRefused(refused.body, '/V1/Transactions/999/?locale=en')).toBe('none')
  })

  test('rejects a code that the call does not list', () => {
    const body = { name: 'errors.webhook.not_found', code: 204, description: 'x' }
    expect(checkRefused(body)).toContain('x-errors lacks 204')
    expect(checkRefused(body, '/v1/webhooks/1')).toBe('none')
  })

  test('rejects a code that does not belong to the name', () => {
    expect(checkRefused({ ...refused.body, code: 129 })).toContain('not in the catalogue')
  })

  test('rejects a fourth key', () => {
    expect(checkRefused({ ...refused.body, hint: 'x' })).toContain('additional properties')
  })

  test('rejects success at an address that the contract does not have', () => {
    expect(problemOf(() => checkAnswer('GET', '/v1/secrets', 200, refused.headers, {}))).toContain(
      'no such call',
    )
    expect(
      problemOf(() => checkAnswer('PATCH', '/v1/transactions/1', 200, refused.headers, {})),
    ).toContain('no such call')
  })
})

test('finds an error or field that the contract lacks', () => {
  const yaml = read('mock-gateway/contract/openapi.yaml')
  const check = (text: string) =>
    problemOf(() =>
      checkerOf(parseContract(text))(
        'GET',
        '/v1/transactions/999',
        404,
        refused.headers,
        refused.body,
      ),
    )
  expect(check(yaml)).toBe('none')
  expect(check(yaml.replace('x-errors: [merchant, 128]', 'x-errors: [merchant]'))).toContain(
    'lacks 128',
  )
  expect(check(yaml.replace('code: { type: integer }', 'number: { type: integer }'))).toContain(
    'additional properties',
  )
})

describe('an error that the contract lacks is found', () => {
  const URLS = {
    success_url: 'https://shop.example/thanks',
    error_url: 'https://shop.example/sorry',
  }

  /**
   * Validates an answer against the contract, and against a contract in which the call's only error
   * is 105.
   */
  function checkBoth(
    path: string,
    method: 'get' | 'post',
    { status, headers, body }: Answer<unknown>,
  ) {
    const cut = structuredClone(readContract())
    const operation = cut.paths[path]?.[method]
    Object.assign(operation ?? {}, { 'x-errors': [105] })
    const address = path.replace('{token}', 'x'.repeat(22))
    return [readContract(), cut].map((contract) =>
      problemOf(() => checkerOf(contract)(method.toUpperCase(), address, status, headers, body)),
    )
  }

  test('in the redirect of a payer to the shop', async () => {
    const answer = await shop.browser.post(
      '/v1/form',
      payment({ merchant_id: 1, ...URLS, card_holder: undefined }),
    )
    const [whole, cut] = checkBoth('/v1/form', 'post', answer)
    expect(whole).toBe('none')
    expect(cut).toContain('x-errors lacks 122')
  })

  test('on the page', async () => {
    const answer = await shop.browser.send('GET', `/v1/form/${'x'.repeat(22)}`)
    const [whole, cut] = checkBoth('/v1/form/{token}', 'get', answer)
    expect(whole).toBe('none')
    expect(cut).toContain('x-errors lacks 128')
  })

  test('in the form that is shown again', async () => {
    const { href } = (await shop.post('/v1/transactions', prepared())).body
    const answer = await shop.browser.send('POST', new URL(href).pathname, 'card_number=1')
    const [whole, cut] = checkBoth('/v1/form/{token}', 'post', answer)
    expect(whole).toBe('none')
    expect(cut).toContain('x-errors lacks 119')
  })

  test('but not reported on a page without an error', async () => {
    const { status, headers } = await shop.browser.send('GET', `/v1/form/${'x'.repeat(22)}`)
    const [whole] = checkBoth('/v1/form/{token}', 'get', {
      status,
      headers,
      body: '<!doctype html><p>Sorry</p>',
    })
    expect(whole).toContain('no error is named')
  })
})

describe('an address outside the contract is checked:', () => {
  const checkAt = async (
    path: string,
    over: { body?: unknown; status?: number; headers?: Parameters<typeof changed>[1] },
  ) => {
    const { status, headers, body } = await shop.get(path)
    return problemOf(() =>
      checkAnswer(
        'GET',
        path,
        over.status ?? status,
        changed(headers, over.headers),
        over.body ?? body,
      ),
    )
  }

  test.each(['/nothing', '/v1/nothing', '/v2/nothing', '/v1/form/no/such', '/v1/attempts/no/such'])(
    '%s',
    async (path) => {
      expect(await checkAt(path, {})).toBe('none')
      expect(await checkAt(path, { headers: { 'x-request-id': null } })).toContain(
        'X-Request-Id is missing',
      )
      expect(await checkAt(path, { headers: { 'mondido-explain': null } })).toContain(
        'Mondido-Explain is missing',
      )
      expect(await checkAt(path, { headers: { server: 'Apache' } })).toContain(
        'server is not documented',
      )
      expect(await checkAt(path, { body: '' })).toContain('the body is empty')
      expect(await checkAt(path, { status: 500 })).toContain('no such call')
    },
  )

  test('an address has the methods of the contract, and no others', async () => {
    const { status, headers, body } = await shop.send('OPTIONS', '/v1/refunds')
    const check = (path: string, over: Parameters<typeof changed>[1] = {}, text: unknown = body) =>
      problemOf(() => checkAnswer('OPTIONS', path, status, changed(headers, over), text))
    expect(check('/v1/refunds')).toBe('none')
    expect(check('/v1/refunds', { allow: 'GET, HEAD' }, 'GET, HEAD')).toContain(
      'documented: GET, HEAD, POST',
    )
    expect(check('/v1/refunds', {}, '')).toContain('the body is not the list')
    expect(check('/v1/refunds', { 'x-request-id': null })).toContain('X-Request-Id is missing')
    expect(check('/v1/nothing')).toContain('no such call')
  })
})
