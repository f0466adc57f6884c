import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { authorizationOf, hashed, MERCHANT, payment } from '../../helpers/gateway.ts'
import { share } from '../../helpers/shared.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

describe('on a loopback address', async () => {
  const CONFIGURED = { PAY_URL: 'http://pay.shop.test:4400', CDN_URL: 'http://[2001:db8::1]:4400' }

  const running = await share(
    runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent', ...CONFIGURED }, () => {}),
  )

  /** Sends a request like a browser after DNS rebinding, which only the Host header shows. */
  const ask = (host: string, path = '/v1/transactions') =>
    new Promise<{
      status: number | undefined
      code: number | undefined
      explain: string | undefined
    }>((resolve, reject) => {
      const headers = { host, authorization: `Basic ${btoa('1:custom00')}` }
      request({ port: new URL(running.url).port, path, headers }, async (answer) => {
        const body = await text(answer)
        const code = body.startsWith('{"name"') ? JSON.parse(body).code : undefined
        resolve({
          status: answer.statusCode,
          code,
          explain: answer.headers['mondido-explain'] as string | undefined,
        })
      })
        .once('error', reject)
        .end()
    })

  for (const host of [
    'rebound.example',
    'localhost.rebound.example',
    '10.0.0.1',
    'localhost@rebound.example',
    '[',
    '',
  ])
    test(`the Host "${host}" is rejected, and the answer lists the accepted hosts`, async () => {
      const explain = expect.stringMatching(/localhost, 127\.0\.0\.1, \[::1\].*--base-url/)
      for (const path of [
        '/v1/transactions',
        '/docs',
        '/v2/mondido.js?merchant_id=1',
        '/v1/form/x',
        '/nothing',
      ])
        expect(await ask(`${host}:4400`, path)).toEqual({ status: 421, code: 253, explain })
    })

  for (const host of [
    'localhost',
    '127.0.0.1',
    '[::1]',
    'LOCALHOST',
    'pay.shop.test',
    '[2001:db8:0::1]',
  ])
    test(`a request for the Host ${host} is answered, with any port`, async () => {
      expect((await ask(host)).status).toBe(200)
      expect((await ask(`${host}:4400`)).status).toBe(200)
    })
})

test('a gateway on an address that others reach, or inside a program, answers requests for any Host', async () => {
  const answer = await shop.gateway.handle(new Request('http://any.example/openapi.json'))
  expect(answer.status).toBe(200)
})

describe('a page of another origin', () => {
  /**
   * Headers of foreign pages: in current browsers, in browsers before 2020, and in a browser that
   * hides its origin.
   */
  const FOREIGN = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3000' },
    { origin: 'null' },
  ]

  const WRITES = [
    ['POST', '/v1/customers'],
    ['POST', '/v1/refunds'],
    ['POST', '/v1/transactions/1'],
    ['PUT', '/v1/transactions/1'],
    ['PUT', '/v2/transactions/1'],
    ['DELETE', '/v1/stored_cards/1'],
    ['POST', '/nothing'],
  ] as const

  for (const headers of FOREIGN)
    describe(JSON.stringify(headers), () => {
      test('cannot send API calls with a password that the browser remembers', async () => {
        for (const [method, path] of WRITES) {
          const login = { authorization: authorizationOf(MERCHANT) }
          const url = `http://localhost:4400${path}`
          const answer = await shop.gateway.handle(
            new Request(url, { method, headers: { ...login, ...headers } }),
          )
          expect([path, answer.status, ((await answer.json()) as { code: number }).code]).toEqual([
            path,
            403,
            253,
          ])
        }
      })

      test('can pay with a hash, and post the payment form', async () => {
        const paid = await shop.browser.post(
          '/v1/transactions',
          payment({ merchant_id: 1 }),
          headers,
        )
        expect(paid.body.status).toBe('approved')
        const fields = hashed(
          payment({ merchant_id: 1, success_url: 'https://shop.example/', error_url: '' }),
          MERCHANT,
        )
        expect((await shop.browser.submit('/v1/form', fields, headers)).status).not.toBe(403)
      })
    })
})

describe('responses that a page of another origin can embed', () => {
  const policyOf = async (method: string, path: string) =>
    (
      await shop.gateway.handle(new Request(`http://localhost:4400${path}`, { method }))
    ).headers.get('cross-origin-resource-policy')

  for (const path of [
    '/v1/transactions',
    '/v1/customers/1',
    '/docs',
    '/v1/form/x',
    '/assets/x.css',
    '/nothing',
  ])
    test(`do not include GET ${path}`, async () =>
      expect(await policyOf('GET', path)).toBe('same-origin'))

  for (const [method, path] of [
    ['GET', '/v2/mondido.js?merchant_id=1'],
    ['GET', '/openapi.json'],
    ['POST', '/v1/transactions'],
    ['GET', '/v1/attempts/x'],
  ] as const)
    test(`include ${method} ${path}`, async () =>
      expect(await policyOf(method, path)).toBe('cross-origin'))
})

test('a page of another site cannot lock the account from inside the developer’s browser', async () => {
  const login = (password: string, site: string) => {
    const authorization = authorizationOf({ ...MERCHANT, password })
    return shop.browser.get('/v1/transactions', {}, { authorization, 'sec-fetch-site': site })
  }
  for (let time = 0; time < 12; time += 1) {
    const { status, headers, body } = await login(`wrong ${time}`, 'cross-site')
    expect({ status, code: body.code }).toEqual({ status: 401, code: 138 })
    // Otherwise the browser would ask for a password on that page.
    expect(headers.get('www-authenticate')).toBeNull()
  }
  expect((await login(MERCHANT.password, 'same-origin')).status).toBe(200)
})

test('a page of another site can send its own Content-Type, but no other header, so no password', async () => {
  for (const path of ['/v1/transactions', '/v1/attempts/an-attempt-of-a-page']) {
    const { headers } = await shop.browser.send('OPTIONS', path)
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type')
  }
})
