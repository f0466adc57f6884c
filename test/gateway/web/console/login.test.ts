import { describe, expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../../mock-gateway/merchants/seed.ts'
import { MERCHANT } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'
import { type ConsoleClient, consoleOf, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL], control: KEY })

async function loggedIn(username: string | number, password: string): Promise<ConsoleClient> {
  const client = consoleOf(shop.gateway)
  expect(await client.logIn(username, password)).toMatchObject({ status: 303, to: '/console' })
  return client
}

describe('the console', () => {
  test('requires a login, and shows the requested page after it', async () => {
    const client = consoleOf(shop.gateway)
    const asked = await client.get('/1/transactions?filter[status]=approved')
    expect([asked.status, asked.to]).toEqual([
      303,
      '/console/login?to=%2Fconsole%2F1%2Ftransactions%3Ffilter%5Bstatus%5D%3Dapproved',
    ])
    const to = '/console/1/transactions?filter[status]=approved'
    expect((await client.get(`/login?${new URLSearchParams({ to })}`)).html).toContain(
      `value="${to}"`,
    )
    expect((await client.post('/login', { username: 1, password: MERCHANT.password, to })).to).toBe(
      to,
    )
  })

  test.each([
    'https://evil.example/console',
    '//evil.example',
    '/consoles',
    '/console/\\evil.example',
    '/console/../v1/form/x',
    '/console/%2e%2e/v1/form/x',
    '/v1/form/x',
  ])('never redirects from the login to %s', async (to) => {
    const answer = await consoleOf(shop.gateway).post('/login', {
      username: 1,
      password: MERCHANT.password,
      to,
    })
    expect(answer.to).toBe('/console')
  })

  test('opens the sandbox with one press, while it has its default password', async () => {
    const own = await openGateway({
      merchants: [{ ...MERCHANT, secret: DEFAULT_MERCHANT.secret }],
    })
    const client = consoleOf(own.gateway)
    const [, words] = /<button>(.*?)</.exec((await client.get('/login')).html) ?? []
    expect(words).toBe('Open the sandbox as merchant 1')
    expect((await client.post('/login', { sandbox: 'true' })).status).toBe(303)
    expect((await client.get('/1')).status).toBe(200)
    expect((await consoleOf(shop.gateway).post('/login', { sandbox: 'true' })).status).toBe(401)
  })

  test('accepts the administrator with the control key, and starts with all merchants', async () => {
    const client = await loggedIn('admin', KEY)
    expect((await client.get('')).to).toBe('/console/merchants')
    const { status, html } = await client.get('/merchants')
    expect(status).toBe(200)
    expect(html).toContain('href="/console/2"')
    expect((await client.get('/2/transactions')).status).toBe(200)
  })

  test.each([
    [1, 'wrong', 'Login failed'],
    [99, MERCHANT.password, 'Login failed'],
    ['admin', 'wrong', 'not the control key'],
    ['admin', '', 'not the control key'],
    ['', '', 'Login failed'],
  ])('rejects %s with the password "%s", and reports that', async (username, password, why) => {
    const client = consoleOf(shop.gateway)
    const answer = await client.logIn(username, password)
    expect(answer.status).toBe(401)
    expect(textOf(answer.html)).toContain(why)
    // With this header, a browser would ask for a password itself.
    expect(answer.headers.has('www-authenticate')).toBe(false)
    expect(client.cookie()).toBe('')
  })

  test('counts wrong passwords together with those of the API, and locks', async () => {
    for (let time = 0; time < 10; time += 1) await consoleOf(shop.gateway).logIn(2, `wrong ${time}`)
    const answer = await consoleOf(shop.gateway).logIn(2, RIVAL.password)
    expect(answer.status).toBe(403)
    expect(textOf(answer.html)).toContain('This login is locked until')
  })

  test('has no administrator without a control key', async () => {
    const alone = await openGateway({ control: false })
    const client = consoleOf(alone.gateway)
    expect((await client.get('/login')).html).not.toContain('control key')
    expect((await client.logIn('admin', '')).status).toBe(401)
  })
})

describe('another site cannot choose the session of a user, attack 49 (login-csrf / fixation):', () => {
  test("a login starts a new session, and ends the browser's previous one", async () => {
    const client = await loggedIn(1, MERCHANT.password)
    const before = client.cookie()
    await client.logIn(1, MERCHANT.password)
    expect(client.cookie()).not.toBe(before)
    const old = await consoleOf(shop.gateway).get('/1', { cookie: before })
    expect(old.to).toContain('/console/login')
  })

  test('a session id that an attacker chose is not used', async () => {
    const chosen = 'console-4400=chosen-by-an-attacker'
    const client = consoleOf(shop.gateway)
    const { headers } = await client.post(
      '/login',
      { username: 1, password: MERCHANT.password },
      { cookie: chosen },
    )
    expect(headers.get('set-cookie')).not.toContain('chosen-by-an-attacker')
    expect((await consoleOf(shop.gateway).get('/1', { cookie: chosen })).to).toContain(
      '/console/login',
    )
  })

  test('a page of another site cannot log in', async () => {
    const fields = { username: 1, password: MERCHANT.password }
    const { status, headers } = await consoleOf(shop.gateway).post('/login', fields, {
      'sec-fetch-site': 'cross-site',
    })
    expect(status).toBe(403)
    expect(headers.has('set-cookie')).toBe(false)
  })

  test('a logout ends the session', async () => {
    const client = await loggedIn(1, MERCHANT.password)
    const before = client.cookie()
    const { to, headers } = await client.post('/logout')
    expect(to).toBe('/console/login')
    expect(headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await consoleOf(shop.gateway).get('/1', { cookie: before })).to).toContain(
      '/console/login',
    )
  })
})

test('links, redirects and forms contain the path that a proxy strips', async () => {
  const base = 'https://pay.example/gateway'
  const gateway = await openGateway({ addresses: { base, pay: base, cdn: base } })
  const client = consoleOf(gateway.gateway, 'https://pay.example')
  expect((await client.get('/1/plans?offset=2')).to).toBe(
    '/gateway/console/login?to=%2Fgateway%2Fconsole%2F1%2Fplans%3Foffset%3D2',
  )
  await client.logIn(1, MERCHANT.password)
  const { html } = await client.get('/1/plans')
  for (const address of [...html.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map(
    ([, found]) => found,
  ))
    expect(address).toMatch(/^\/gateway\/(?:console|assets)/)
})

test.each([
  [
    'http://localhost:4400',
    /^console-4400=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
  ],
  [
    'https://pay.example',
    /^__Host-console=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
  ],
])(
  'the session cookie has all safe attributes, attack 50 (cookie-flags), at %s',
  async (base, form) => {
    const gateway = await openGateway({ addresses: { base, pay: base, cdn: base } })
    const { headers } = await consoleOf(gateway.gateway, base).logIn(1, MERCHANT.password)
    expect(headers.get('set-cookie')).toMatch(form)
  },
)
