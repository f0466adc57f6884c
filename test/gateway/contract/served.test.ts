import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIBRARY_ADVICE } from '../../../mock-gateway/contract/library-advice.ts'
import { CATALOGUE } from '../../../mock-gateway/domain/errors/catalogue.ts'
import { keyOf } from '../../../mock-gateway/domain/errors/errors.ts'
import type { FieldType } from '../../../mock-gateway/domain/listing/fields.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { LISTED_FIELDS } from '../../../mock-gateway/storage/list.ts'
import { type Contract, callsOf, type Document } from '../../../mock-gateway/web/docs/contract.ts'
import { provocationOf } from '../../../mock-gateway/web/docs/provocations.ts'
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
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** What a call, or a section at the end, says in words. */
function textOf(id: string): string {
  const begin = page.indexOf(` id="${id}"`)
  const end = page.slice(begin + 1).search(/<h[23] |<\/section>/)
  const html = page.slice(begin + 1, begin + 1 + end)
  const words = html.replace(/<\/?(code|a|b)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' ')
  return plain(words).replace(/\s+/g, ' ')
}

/** What each list can be filtered by. */
const LISTS = {
  listTransactions: LISTED_FIELDS.transactions,
  listStoredCards: LISTED_FIELDS.stored_cards,
  listCustomers: LISTED_FIELDS.customers,
  listRefunds: LISTED_FIELDS.refunds,
  listWebhooks: LISTED_FIELDS.webhooks,
  listPlans: LISTED_FIELDS.plans,
  listSubscriptions: LISTED_FIELDS.subscriptions,
}

const WRITTEN: Readonly<Record<FieldType, readonly [type: string, written: string]>> = {
  string: ['text', 'The whole text; up to five * stand for any characters'],
  word: ['word', 'The whole word in any case; up to five *'],
  exact: ['text', 'The whole text, without wildcards.'],
  boolean: ['boolean', 'true or false'],
  integer: ['integer or range', 'A whole number, or a range with its ends or one of them: 1..5, 100.., ..7.'],
  decimal: ['decimal or range', 'An amount, or a range with its ends or one of them: 10.00..20.00'],
  date: ['date or range', 'A day of UTC as YYYYMMDD, or a range with its ends or one of them: 20260101..20260131'],
}

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
        '/v1/refunds/{id}': { get: { 'x-errors': [138, 182, 194, 196, 197, 200, 202, 207, 252, 253, 2091] } },
      },
    })
  })

  test('has no path that is a reference, and a name for each call: parsers of many kinds read it', async () => {
    const { body } = await shop.get<Contract>('/openapi.json')
    expect(Object.values(body.paths).filter((item) => '$ref' in item)).toEqual([])
    expect(Object.keys(body.paths)).toContain('/v1/stored_card/{id}')
    const names = callsOf(body).map(({ operation }) => operation.operationId)
    expect(names.length).toBe(new Set(names).size)
    expect((await new Validator().validate(JSON.parse(JSON.stringify(body)))).errors).toBeUndefined()
  })

  test('is not sent again to who has it', async () => {
    const etag = (await shop.get('/openapi.json')).headers.get('etag') ?? ''
    expect((await shop.get('/openapi.json', {}, { 'if-none-match': etag })).status).toBe(304)
  })
})

test('/openapi-control.json is the document of the control API, for any page, without its key', async () => {
  const { status, headers, body } = await shop.browser.get<Document>('/openapi-control.json')
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect(body.servers[0]).toMatchObject({ url: '{base_url}/_control', variables: { base_url: { default: HERE.base } } })
  expect(Object.keys(body.paths)).toContain('/clock/advance')
})

describe('/docs', () => {
  test('needs neither script nor network', async () => {
    const { headers } = await shop.get('/docs')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/)
    expect(page).not.toMatch(/<script|<img|style=|onclick|src=/)
    expect([...page.matchAll(/href="(?!#)([^"]*)"/g)].map(([, href]) => href)).toEqual([
      expect.stringMatching(/^\/assets\/docs\.[0-9a-f]{16}\.css$/),
      'openapi.json',
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
      for (const part of [
        `>${code}</th>`,
        `<code>${name}</code>`,
        ` data-head="Description">${en}<br>`,
        `<span lang="sv">${sv}</span>`,
      ])
        expect(text).toContain(part)
  })

  test('tells everything that the library says on the console, where its links lead', () => {
    for (const [code, texts] of Object.entries(LIBRARY_ADVICE)) {
      const row = page.slice(page.indexOf(`id="library-${code}"`)).split('</tr>', 1)[0] ?? ''
      for (const text of texts) expect(plain(row)).toContain(text)
    }
  })

  test('shows the parameters, answers and errors of a call', () => {
    const refund = page.slice(page.indexOf('id="createRefund"'), page.indexOf('id="getRefund"'))
    const text = refund.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
    expect(text).toContain('POST /v1/refunds')
    expect(text).toMatch(/reason required body string, at most 255 characters/)
    expect(text).toMatch(/200 The refund Example .* application\/json Refund/)
    expect(text).toMatch(/Errors: 108 , 109 , 128 /)
  })

  test('shows every field that a list can be filtered by, its type and how it is written', () => {
    for (const [list, fields] of Object.entries(LISTS))
      for (const [field, kind] of Object.entries(fields)) {
        const [type, written] = WRITTEN[kind]
        expect(textOf(list), `${list} ${field}`).toContain(`filter[${field}] query ${type} ${written}`)
      }
  })

  test('shows how parameters are written: limits, patterns and examples', () => {
    const text = textOf('createTransaction')
    expect(text).toContain('payment_ref required body string, at most 64 characters')
    expect(text).toMatch(/card_cvv body string Never kept.* Pattern: \^\\d\{3,4\}\$ For example: 200/)
    expect(text).toMatch(/metadata body object Anything .* 65,536 characters .* For example: {"order":{"id":5501}}/)
    expect(textOf('listTransactions')).toMatch(/limit query integer, from 1, default 10/)
    expect(textOf('listTransactions')).toContain('For example: created_at:desc')
  })

  test('explains every header, the name of which leads there', () => {
    const text = textOf('headers')
    expect(text).toMatch(/Content-Range string First and last row .* Pattern: \^items .* For example: items 1-10\/173/)
    expect(text).toMatch(/Mondido-Explain string One English sentence .* For example: The card expiry/)
    expect(text).toContain('X-Content-Type-Options "nosniff" Keeps browsers from guessing.')
    expect(page).toContain('<a href="#header-Content-Range">Content-Range</a>')
    const explained = [...page.matchAll(/ id="header-([^"]*)"/g)].map(([, name]) => name)
    expect(explained).toEqual([...new Set(explained)].sort())
  })

  test('tells how to provoke every error: what to send, or the instruction that asks for it', () => {
    const text = textOf('errors')
    for (const row of CATALOGUE) {
      const { code, name, http, en, sv } = row
      expect(text).toContain(
        `${code} ${name} ${http} ${en} ${sv} ${provocationOf(keyOf(row)).replaceAll('`', '')}`.replace(/\s+/g, ' '),
      )
    }
    expect(text).toContain('metadata[service_instructions][fail_as_code]=errors.card.do_not_honour')
  })

  test('names the column of every cell, for screens that are too narrow for heads', () => {
    for (const [table] of page.matchAll(/<table.*?<\/table>/gs)) {
      const [, ...heads] = [...table.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, head]) => head)
      for (const [row] of table.matchAll(/<tr><th scope="row".*?<\/tr>/gs))
        expect([...row.matchAll(/<td data-head="([^"]*)"/g)].map(([, head]) => head)).toEqual(heads)
    }
  })

  test('has a style of its own', async () => {
    const [style = ''] = /\/assets\/[^"]+/.exec(page) ?? []
    expect((await shop.get(style)).headers.get('content-type')).toBe('text/css; charset=utf-8')
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
  const commands = [...html.matchAll(/<pre tabindex="0">((?:curl|PAGE=) ?[^<]*)<\/pre>/g)].map(([, command = '']) =>
    plain(command),
  )

  test('every call has one', () => expect(commands.length).toBe(html.match(/<article /g)?.length))

  // Those that end something come last.
  const ends = (command: string) => Number(command.includes('DELETE'))
  for (const command of commands.toSorted((one, other) => ends(one) - ends(other)))
    test(command.split(' \\\n')[0] ?? '', async () => {
      expect((await paste(command, gateway.browser)).status).toBe(statusOf(command))
    })
})

/** By what a command calls at last: a payer is sent on; a capture of nothing finds nothing. */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/\/transactions\/\/capture/, 404],
  [/\/page"/, 204],
  [/\/acs\/payment\//, 303],
  [/\/v1\/acs\/.*action=code/s, 303],
  [/\/v1\/acs\//, 200],
  [/\/v1\/(?:form|mpi_js).*card_number/s, 303],
]

const statusOf = (command: string): number => STATUSES.find(([pattern]) => pattern.test(command))?.[1] ?? 200

/** One of everything, each with the id 1. */
async function fillFirstIds(client: Client) {
  const webhook = '{"trigger":"payment","url":"https://shop.example/hook"}'
  await client.post('/v1/transactions', payment({ authorize: true, webhook }))
  await client.post('/v1/stored_cards', { ...CARD, card_type: 'VISA', currency: 'sek', test: true })
  await client.post('/v1/plans', { name: 'A', interval: 1, interval_unit: 'months', prices: '{"sek":"1.00"}' })
  await client.post('/v1/subscriptions', { plan_id: 1, stored_card_id: 1 })
  const { id } = (await client.post('/v1/transactions', payment())).body
  await client.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason: 'A' })
}
