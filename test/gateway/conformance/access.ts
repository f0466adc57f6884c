import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect } from 'vitest'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { CARD, MERCHANT, startGateway } from '../../helpers/gateway.ts'
import { openCheckout, pressed } from './checkout.ts'
import { row, type Section } from './rows.ts'
import { LOCKED, posted, type World } from './world.ts'

const md5 = (...parts: readonly (string | number)[]) =>
  createHash('md5').update(parts.join('')).digest('hex')

/** Returns true if a server accepts a TLS version. */
function speaks(url: string, version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'): Promise<boolean> {
  const { port } = new URL(url)
  return new Promise((resolve) => {
    // Without this list of ciphers, Node itself would not offer the old version, so the test would
    // prove nothing.
    const ciphers = 'DEFAULT@SECLEVEL=0'
    const options = {
      port: Number(port),
      minVersion: version,
      maxVersion: version,
      ciphers,
      rejectUnauthorized: false,
    }
    const socket = connect(options, () => resolve(socket.getProtocol() === version))
    socket.once('error', () => resolve(false)).once('secureConnect', () => socket.end())
  })
}

export async function tlsFloor() {
  const gateway = await runGateway(
    ['--memory', '--tls', '--port', '0'],
    { LOG_LEVEL: 'silent' },
    () => {},
  )
  const versions = ['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const
  const spoken = await Promise.all(versions.map((version) => speaks(gateway.url, version)))
  await gateway.close()
  expect(spoken).toEqual([false, true, true])
}

export async function lockTime({ as, clock }: World) {
  const guess = as({ ...LOCKED, password: 'guess' })
  for (let failure = 0; failure < 10; failure++) await guess.get('/v1/transactions')
  expect((await as(LOCKED).get('/v1/transactions')).body.code).toBe(207)
  clock.advance(30 * 60_000)
  expect((await as(LOCKED).get('/v1/transactions')).status).toBe(200)
}

async function passwordReset() {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  const database = join(folder, 'gateway.db')
  const before = await startGateway({ database })
  const guess = before.as({ ...MERCHANT, password: 'guess' })
  for (let failure = 0; failure < 10; failure++) await guess.get('/v1/transactions')
  expect((await before.get('/v1/transactions')).body.code).toBe(207)
  await before.close()
  const after = await startGateway({ database, merchants: [{ ...MERCHANT, password: 'set anew' }] })
  expect((await after.get('/v1/transactions')).status).toBe(200)
  await after.close()
  await rm(folder, { recursive: true })
}

const accepts = async (
  { prepare }: World,
  recipe: (payment_ref: string) => string,
  over: Readonly<Record<string, string>> = {},
) => {
  const payment_ref = `recipe-${++recipes}`
  expect((await prepare({ ...over, payment_ref, hash: recipe(payment_ref) })).body.status).toBe(
    'pending',
  )
}
let recipes = 0

export const AUTHENTICATION: Section = {
  title: 'Authentication',
  rows: [
    row('every API call uses HTTP Basic authentication', async ({ browser }) => {
      const { status, headers, body } = await browser.get('/v1/transactions')
      expect([status, body.code, headers.get('www-authenticate')]).toEqual([
        401,
        138,
        expect.stringMatching(/^Basic /),
      ])
    }),
    row('the user name is the merchant id, the password is the merchant’s', async ({ get }) => {
      const login = (user: string) => ({ authorization: `Basic ${btoa(user)}` })
      expect(
        (await get('/v1/transactions', {}, login(`${MERCHANT.id}:${MERCHANT.password}`))).status,
      ).toBe(200)
      expect((await get('/v1/transactions', {}, login(`${MERCHANT.id}:guess`))).status).toBe(401)
    }),
    row('TLS 1.2 or above is required, older versions are refused', tlsFloor),
    row('hash is a hex MD5 digest with the merchant’s secret', (world) =>
      accepts(world, (ref) => md5(MERCHANT.id, ref, '10.00', 'sek', 'test', MERCHANT.secret)),
    ),
    row('variant A: user name, payment_ref, amount, secret', (world) =>
      accepts(world, (ref) => md5(MERCHANT.id, ref, '10.00', MERCHANT.secret)),
    ),
    row('variant B: user name, payment_ref, amount, currency, secret', (world) =>
      accepts(world, (ref) => md5(MERCHANT.id, ref, '10.00', 'sek', MERCHANT.secret)),
    ),
    row(
      'variant C: merchant_id, payment_ref, amount, customer_ref, currency, test, secret',
      (world) =>
        accepts(
          world,
          (ref) => md5(MERCHANT.id, ref, '10.00', 'c42', 'sek', 'test', MERCHANT.secret),
          { customer_ref: 'c42' },
        ),
    ),
    row('a missing hash gives error 106', async ({ prepare }) =>
      expect((await prepare({ hash: undefined })).body.code).toBe(106),
    ),
    row('a wrong hash gives error 107', async ({ prepare }) =>
      expect((await prepare({ hash: md5('x') })).body.code).toBe(107),
    ),
    row('failed authentication gives errors 138 or 182', async ({ browser, as }) => {
      expect((await browser.get('/v1/customers')).body.code).toBe(138)
      expect((await as({ ...MERCHANT, password: 'guess' }).get('/v1/customers')).body.code).toBe(
        182,
      )
    }),
    row('after repeated failures the account is locked for 30 minutes (207)', lockTime),
    row('a password reset unlocks it', passwordReset),
  ],
}

export const BROWSER_INTEGRATION: Section = {
  title: 'Browser integration',
  rows: [
    row(
      'the library is at {cdn_url}/v2/mondido.js?merchant_id=<merchant_id>',
      async ({ browser }) => {
        const { status, headers, body } = await browser.get<string>('/v2/mondido.js', {
          merchant_id: MERCHANT.id,
        })
        expect([status, headers.get('content-type')]).toEqual([
          200,
          'text/javascript; charset=utf-8',
        ])
        expect(body).toContain(`"merchantId":"${MERCHANT.id}"`)
      },
    ),
    row(
      'inputs with data-encrypt-attribute get their name at submit and are encrypted, others go as they are',
      async (world) => {
        const page = await openCheckout(world)
        await pressed(page, ['payment:success', 'payment:fail'])
        const [form] = page.sent
        expect(form?.get('encrypted')?.split(',').sort()).toEqual([
          'card_cvv',
          'card_expiry',
          'card_number',
        ])
        expect(form?.get('card_number')).toMatch(/^[A-Za-z0-9+/]{342}==$/)
        expect(form?.get('card_holder')).toBe(CARD.card_holder)
        await page.close()
      },
    ),
    row('in AJAX mode the form action is {base_url}/v1/transactions', async ({ browser }) => {
      const { headers, body } = await browser.post('/v1/transactions', posted())
      expect([body.status, headers.get('access-control-allow-origin')]).toEqual(['approved', '*'])
    }),
    row(
      'without AJAX the form goes to {pay_url}/v1/form with success_url and error_url',
      async ({ browser }) => {
        const { headers } = await browser.post('/v1/form', posted())
        expect(headers.get('location')).toMatch(
          /^https:\/\/shop\.example\/thanks\?.*status=approved/,
        )
      },
    ),
    row('in AJAX mode those two URLs are not used', async ({ browser }) => {
      const answer = await browser.post(
        '/v1/transactions',
        posted({ success_url: undefined, error_url: undefined }),
      )
      expect(answer.body.status).toBe('approved')
    }),
    row('the library pays by card only, other methods require the hosted page', async (world) => {
      for (const payment_method of ['swish', 'paypal', 'bank']) {
        const { id, href } = (await world.prepare({ payment_method, swish_number: '46701234567' }))
          .body
        const page = new URL(href).pathname
        await world.browser.send(
          'POST',
          page,
          String(new URLSearchParams({ payment_method, swish_number: '46701234567' })),
        )
        await world.browser.send('POST', page, 'answer=approved')
        expect((await world.get(`/v1/transactions/${id}`)).body).toMatchObject({
          status: 'approved',
          payment_method,
        })
      }
    }),
    row('pages use UTF-8', async ({ get, pending }) => {
      const { headers } = await get(new URL(pending.href).pathname)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    }),
  ],
}
