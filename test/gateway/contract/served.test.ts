import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../mock-gateway/domain/error-catalogue.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { CARD, type Client, MERCHANT, payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'
import { paste } from './curl.ts'

const HERE = { base: 'https://api.example', pay: 'https://pay.example', cdn: 'https://cdn.example' }
const { id, password, secret } = DEFAULT_MERCHANT
const SANDBOX = { id, password, secret, private_key: TEST_PRIVATE_KEY }

let shop: TestGateway
let page: string
beforeAll(async () => {
  shop = await startGateway({ merchants: [SANDBOX], addresses: HERE })
  page = (await shop.get<string>('/docs')).body
})
afterAll(() => shop.close())

const plain = (html: string) =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&#34;', '"')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')

describe('/openapi.json', () => {
  test('is the contract, readable for any page, with the addresses of this gateway', async () => {
    const { status, headers, body } = await shop.get<Record<string, never>>('/openapi.json')
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: '{base_url}', variables: { base_url: { default: HERE.base } } }],
      paths: {
        '/v1/form': { servers: [{ variables: { pay_url: { default: HERE.pay } } }] },
        '/v2/mondido.js': { servers: [{ variables: { cdn_url: { default: HERE.cdn } } }] },
        '/v1/refunds/{id}': { get: { 'x-errors': [138, 149, 182, 194, 196, 197, 200, 207, 252, 253, 2091] } },
      },
    })
  })

  test('is not sent again to who has it', async () => {
    const etag = (await shop.get('/openapi.json')).headers.get('etag') ?? ''
    expect((await shop.get('/openapi.json', {}, { 'if-none-match': etag })).status).toBe(304)
  })
})

describe('/docs', () => {
  test('needs neither script nor network', async () => {
    const { headers } = await shop.get('/docs')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/)
    expect(page).not.toMatch(/<script|<img|style=|onclick|src=/)
    expect([...page.matchAll(/href="(?!#)([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/docs/style.css',
      '/openapi.json',
    ])
  })

  test('has everything that it links to, once', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.length).toBe(new Set(ids).size)
    expect([...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id).filter((id) => !ids.includes(id))).toEqual([])
  })

  test('tells every error in both languages', () => {
    const text = plain(page)
    for (const { code, name, en, sv } of CATALOGUE)
      for (const part of [`>${code}</th>`, `<code>${name}</code>`, `<td>${en}</td>`, `<td lang="sv">${sv}</td>`])
        expect(text).toContain(part)
  })

  test('shows the parameters, answers and errors of a call', () => {
    const refund = page.slice(page.indexOf('id="createRefund"'), page.indexOf('id="getRefund"'))
    const text = refund.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
    expect(text).toContain('POST /v1/refunds')
    expect(text).toMatch(/reason required body string, at most 255 characters/)
    expect(text).toMatch(/200 The refund Example .* application\/json Refund/)
    expect(text).toMatch(/Errors: 109 , 128 /)
  })

  test('has a style of its own', async () => {
    expect((await shop.get('/docs/style.css')).headers.get('content-type')).toMatch(/^text\/css/)
  })

  test('does not tell the secrets of merchants that have their own', async () => {
    const other = await startGateway({ merchants: [MERCHANT] })
    const { body } = await other.get<string>('/docs')
    await other.close()
    expect(body).toContain('-u MERCHANT_ID:PASSWORD')
    for (const secret of [MERCHANT.password, MERCHANT.secret, SANDBOX.password, SANDBOX.secret])
      expect(body).not.toContain(secret)
  })
})

describe('a command of the page works when it is pasted:', async () => {
  const gateway = await startGateway({ merchants: [SANDBOX], library: import.meta.filename })
  afterAll(() => gateway.close())
  await fillFirstIds(gateway)
  const html = (await gateway.get<string>('/docs')).body
  const commands = [...html.matchAll(/<pre tabindex="0">(curl [^<]*)<\/pre>/g)].map(([, command = '']) =>
    plain(command),
  )

  test('most calls have one', () => expect(commands.length).toBeGreaterThan(40))

  // Those that end something come last.
  const ends = (command: string) => Number(command.includes('DELETE'))
  for (const command of commands.toSorted((one, other) => ends(one) - ends(other)))
    test(command.split(' \\\n')[0] ?? '', async () => {
      expect((await paste(command, gateway)).status).toBe(200)
    })
})

/** One of everything, each with the id 1. */
async function fillFirstIds(client: Client) {
  const webhook = '{"trigger":"payment","url":"https://shop.example/hook"}'
  await client.post('/v1/transactions', payment({ authorize: true, webhook }))
  await client.post('/v1/stored_cards', { ...CARD, currency: 'sek', test: true })
  await client.post('/v1/plans', { name: 'A', interval: 1, interval_unit: 'months', prices: '{"sek":"1.00"}' })
  await client.post('/v1/subscriptions', { plan_id: 1, stored_card_id: 1 })
  const { id } = (await client.post('/v1/transactions', payment())).body
  await client.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason: 'A' })
}
