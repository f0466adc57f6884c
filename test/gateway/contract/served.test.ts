import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../mock-gateway/domain/errors/catalogue.ts'
import { keyOf } from '../../../mock-gateway/domain/errors/errors.ts'
import type { FieldType } from '../../../mock-gateway/domain/listing/fields.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { LISTED_FIELDS } from '../../../mock-gateway/storage/list.ts'
import { type Contract, callsOf, type Document } from '../../../mock-gateway/web/docs/contract.ts'
import { readErrorTexts } from '../../../mock-gateway/web/docs/errors.ts'
import {
  CARD,
  type Client,
  MERCHANT,
  payment,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { paste } from './curl.ts'

const HERE = { base: 'https://api.example', pay: 'https://pay.example', cdn: 'https://cdn.example' }
const { id, password, secret } = DEFAULT_MERCHANT
const SANDBOX = { id, password, secret, private_key: TEST_PRIVATE_KEY }

const { requestFor } = readErrorTexts(readFileSync('docs/errors.md', 'utf8'))

const shop = await sharedGateway({ merchants: [SANDBOX], addresses: HERE })

const plain = (html: string) =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const read = async (path: string) => (await shop.get<string>(path)).body

/** Returns the words of a page. */
async function textOf(path: string): Promise<string> {
  const [, html = ''] = (await read(path)).split(/(?=<article>)/)
  const words = html.replace(/<\/?(code|a|strong|span|em)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' ')
  return plain(words).replace(/\s+/g, ' ')
}

/** Reads the first page and every page that links lead to, by path. */
async function everyPage(client: Pick<TestGateway, 'get'> = shop): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const paths = ['/docs']
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    if (pages.has(path)) continue
    const { status, body } = await client.get<string>(path)
    expect([path, status]).toEqual([path, 200])
    pages.set(path, body)
    const links = [...body.matchAll(/href="(\/docs[^"#]*)/g)].map(([, to = '']) => to)
    paths.push(...links.filter((to) => !/\.(?:md|json)$/.test(to) && !pages.has(to)))
  }
  return pages
}

/** Filters of each list. */
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
  string: ['text', 'The whole text. Up to five * match any characters'],
  word: ['word', 'The whole word, in upper or lower case. Up to five *'],
  exact: ['text', 'The whole text, without wildcards.'],
  boolean: ['boolean', 'true or false; 1 or 0 also work.'],
  integer: ['integer or range', 'A whole number or a range: 1..5, 100.., ..7.'],
  decimal: ['decimal or range', 'An amount or a range: 10.00..20.00'],
  date: ['date or range', 'A day in UTC as YYYYMMDD, or a range: 20260101..20260131'],
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
        '/v1/refunds/{id}': {
          get: { 'x-errors': [138, 182, 194, 196, 197, 200, 202, 207, 252, 253, 2091] },
        },
      },
    })
    expect(JSON.stringify(body)).toContain(`"${HERE.pay}/v1/form/`)
    expect(JSON.stringify(body)).not.toContain('localhost:4400')
  })

  test('has a name for each call and no path that is a reference, so that every kind of parser reads it', async () => {
    const { body } = await shop.get<Contract>('/openapi.json')
    expect(Object.values(body.paths).filter((item) => '$ref' in item)).toEqual([])
    expect(Object.keys(body.paths)).toContain('/v1/stored_card/{id}')
    const names = callsOf(body).map(({ operation }) => operation.operationId)
    expect(names.length).toBe(new Set(names).size)
    expect(
      (await new Validator().validate(JSON.parse(JSON.stringify(body)))).errors,
    ).toBeUndefined()
  })

  test('is not sent again to a client that has it', async () => {
    const etag = (await shop.get('/openapi.json')).headers.get('etag') ?? ''
    expect((await shop.get('/openapi.json', {}, { 'if-none-match': etag })).status).toBe(304)
  })
})

test('/openapi-control.json is the document of the control API, for any page, without its key', async () => {
  const { status, headers, body } = await shop.browser.get<Document>('/openapi-control.json')
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect(body.servers[0]).toMatchObject({
    url: '{base_url}/_control',
    variables: { base_url: { default: HERE.base } },
  })
  expect(Object.keys(body.paths)).toContain('/clock/advance')
})

test.each(['swagger.json', 'openapi', 'postman', 'bruno.json'])(
  '/docs/%s leads to the contract',
  async (guess) => {
    const { status, headers } = await shop.get(`/docs/${guess}`)
    expect([status, headers.get('location')]).toEqual([302, `${HERE.base}/openapi.json`])
  },
)

/** Paths in `docs/` of the guides that the gateway shows. */
const GUIDES = globSync('docs/**/*.md')
  .map((file) => file.replaceAll('\\', '/').slice('docs/'.length, -'.md'.length))
  .filter((name) => !name.startsWith('inside/'))

let pages: Map<string, string>
beforeAll(async () => {
  pages = await everyPage()
})

describe('/docs', () => {
  test('loads only its own scripts, styles and pictures', async () => {
    const { headers } = await shop.get('/docs')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self';/,
    )
    for (const html of pages.values()) {
      expect(html.replace(/<(pre|code)\b.*?<\/\1>/gs, '')).not.toMatch(/<script>| style=| on\w+=/)
      for (const [, src = ''] of html.matchAll(/ src="([^"]*)"/g))
        expect(src).toMatch(/^\/assets\//)
    }
  })

  test('has no page of more than 120 KB', () => {
    for (const [path, html] of pages)
      expect({ path, kilobytes: html.length / 1_000 < 120 }).toEqual({ path, kilobytes: true })
  })

  test('links from its first page to every call that can be tried', () => {
    const first = pages.get('/docs') ?? ''
    const tried = [...pages]
      .filter(([, html]) => html.includes('id="try-it"'))
      .map(([path]) => path)
    expect(tried.length).toBeGreaterThan(30)
    expect([...first.matchAll(/href="([^"]*)#try-it"/g)].map(([, to]) => to).toSorted()).toEqual(
      tried.toSorted(),
    )
  })

  test('contains every target of a link, once', () => {
    for (const [path, html] of pages) {
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
      expect({ path, twice: ids.filter((id, index) => ids.indexOf(id) !== index) }).toEqual({
        path,
        twice: [],
      })
      for (const [, to, id] of html.matchAll(/href="(\/docs[^"#]*)?#([^"]*)"/g))
        if (id !== 'main')
          expect(pages.get(to ?? path), `${path} ${to}#${id}`).toContain(` id="${id}"`)
    }
  })

  test('shows the guides, but no internal document', () => {
    expect(GUIDES.length).toBeGreaterThan(15)
    for (const name of GUIDES.filter((each) => each !== 'index')) {
      const [, title = ''] = /^# (.*)$/m.exec(readFileSync(`docs/${name}.md`, 'utf8')) ?? []
      expect(plain(pages.get(`/docs/${name}`) ?? '')).toContain(`>${title}</h1>`)
    }
    const inside = globSync('docs/inside/*.md').map((file) => basename(file, '.md'))
    expect(inside).toContain('decisions')
    for (const name of inside)
      expect([...pages.keys()].filter((path) => path.endsWith(`/${name}`))).toEqual([])
  })

  test('shows the addresses of this gateway in the guides, each in its role', async () => {
    const guides = [...pages].filter(([path]) => GUIDES.includes(path.replace('/docs/', '')))
    expect(
      guides.filter(([, html]) => html.includes('http://localhost:4400')).map(([path]) => path),
    ).toEqual([])
    expect(plain(pages.get('/docs/reference/library') ?? '')).toContain(
      `src="${HERE.cdn}/v2/mondido.js?merchant_id=1"`,
    )
    expect(plain(pages.get('/docs/how-to/connect-a-shop') ?? '')).toContain(`${HERE.pay}/v1/form`)
    expect(await read('/docs/reference/api.md')).toContain(
      `curl -u 1:custom00 '${HERE.base}/v1/transactions?locale=en'`,
    )
  })

  test('lists the headings of a long page next to its text, and no page has more than 120 KB', () => {
    const links = (path: string) => {
      const [, list = ''] =
        /<nav class="contents"[^>]*>(.*?)<\/nav>/s.exec(pages.get(path) ?? '') ?? []
      return [...list.matchAll(/href="#([^"]*)">([^<]*)</g)].map(([, id, text]) => [id, text])
    }
    expect(links('/docs/reference/library')).toContainEqual(['3-d-secure', '3-D Secure'])
    expect(links('/docs/reference/settings')).toContainEqual(['payments', 'Payments'])
    expect(links('/docs/explanation/webhooks-repeat')).toEqual([])
    for (const [path, html] of pages) {
      for (const [id] of links(path))
        expect([path, html.includes(` id="${id}"`)]).toEqual([path, true])
      expect([path, Buffer.byteLength(html) < 120_000]).toEqual([path, true])
    }
  })

  test('links from its first page to every guide', () => {
    const unknown = GUIDES.filter(
      (name) => name !== 'index' && !pages.get('/docs')?.includes(`href="/docs/${name}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('the documentation in /docs', () => {
  test('lists every error in both languages, how to cause it, and the calls that return it', async () => {
    for (const row of CATALOGUE) {
      const { code, name, http, en, sv } = row
      const text = plain((pages.get(`/docs/errors/${code}`) ?? '').replace(/<\/?code>/g, ''))
      for (const part of [
        name,
        `>${en}<`,
        `In Swedish: ${sv}<`,
        `Status: ${http}<`,
        requestFor(keyOf(row)).replaceAll('`', ''),
      ])
        expect(text).toContain(part)
    }
    expect(await textOf('/docs/errors/134')).toContain('POST /v1/refunds')
  })

  test('has the cause and fix of each error that the guides about problems and stored cards name', () => {
    const guides = ['problems', 'stored-cards']
      .map((name) => readFileSync(`docs/how-to/${name}.md`, 'utf8'))
      .join('')
    const named = [...guides.matchAll(/\b(\d{3,4}) `errors\.[\w.]+`/g)].map(([, number]) => number)
    expect(named.length).toBeGreaterThan(8)
    for (const number of named) {
      const html = pages.get(`/docs/errors/${number}`)
      for (const part of [
        '>Cause</h3>',
        '>Fix</h3>',
        '>Example</h3>',
        `&quot;code&quot;: ${number}`,
      ])
        expect([number, html]).toEqual([number, expect.stringContaining(part)])
    }
  })

  test('shows the parameters, answers and errors of a call, in five languages', async () => {
    const text = await textOf('/docs/calls/createRefund')
    expect(text).toContain('POST /v1/refunds')
    expect(text).toMatch(/reason required body string, at most 255 characters/)
    expect(text).toMatch(/200 The refund application\/json Refund/)
    expect(text).toMatch(/Errors 108, 109, 128/)
    for (const part of [
      'curl -u',
      'curl_setopt_array',
      'await fetch',
      'Net::HTTP::Post',
      'HttpRequestMessage',
    ])
      expect(text).toContain(part)
  })

  test('shows every filter of a list, with type and format', async () => {
    for (const [list, fields] of Object.entries(LISTS)) {
      const text = await textOf(`/docs/calls/${list}`)
      for (const [field, kind] of Object.entries(fields)) {
        const [type, written] = WRITTEN[kind]
        expect(text, `${list} ${field}`).toContain(`filter[${field}] query ${type} ${written}`)
      }
    }
  })

  test('shows the format of parameters: limits, patterns and examples', async () => {
    const text = await textOf('/docs/calls/createTransaction')
    expect(text).toContain('payment_ref required body string, at most 64 characters')
    expect(text).toMatch(
      /card_cvv body string Card verification value.* Pattern: \^\\d\{3,4\}\$ For example: 200/,
    )
    expect(text).toMatch(
      /metadata body object Free-form data .* 65,536 characters .* For example: {"order":{"id":5501}}/,
    )
    const list = await textOf('/docs/calls/listTransactions')
    expect(list).toMatch(/limit query integer, from 1, default 10/)
    expect(list).toContain('For example: created_at:desc')
  })

  test('explains every header, with a link from its name', async () => {
    const text = await textOf('/docs/headers')
    expect(text).toMatch(
      /Content-Range string\. Numbers of the first and the last row .* Pattern: \^items .* For example: items 1-10\/173/,
    )
    expect(text).toMatch(
      /Mondido-Explain .*string\. One or two English sentences .* For example: The card expiry/,
    )
    expect(text).toContain(
      'X-Content-Type-Options "nosniff". Makes browsers trust the content type instead of guessing it.',
    )
    expect(pages.get('/docs/calls/listTransactions')).toContain(
      '<a href="/docs/headers#content-range">Content-Range</a>',
    )
  })

  test('names the column of every cell, for narrow screens without table heads', () => {
    for (const html of pages.values())
      for (const [table] of html.matchAll(/<table>.*?<\/table>/gs)) {
        const heads = [...table.matchAll(/<th scope="col">(.*?)<\/th>/g)]
        for (const [row] of table.matchAll(/<tr><td.*?<\/tr>/g))
          expect([...row.matchAll(/<td data-head="/g)].length).toBe(heads.length)
      }
  })

  test('has each page as Markdown, and a list of them for programs', async () => {
    const { headers, body } = await shop.get<string>('/docs/reference/webhooks.md')
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(body).toMatch(/^# Webhooks/)
    const list = await read('/llms.txt')
    expect(list).toMatch(/^# Payment gateway\n\n> /)
    const named = [...list.matchAll(/\]\(https:\/\/api\.example(\/docs[^)]*\.md)\)/g)].map(
      ([, path = '']) => path,
    )
    for (const path of pages.keys())
      expect(named).toContain(path === '/docs' ? '/docs/index.md' : `${path}.md`)
    for (const path of [
      '/docs/index.md',
      '/docs/calls/createRefund.md',
      '/docs/reference/control.md',
    ]) {
      const text = await read(path)
      expect(text).toMatch(/^# /)
      for (const [, to = ''] of text.matchAll(/\]\((\/docs[^)#]*)/g))
        if (!to.endsWith('.json')) expect(named).toContain(to)
    }
  })

  test('finds pages for a search, and shows the search text unchanged', async () => {
    expect(await read('/docs/search?q=strict_hash')).toContain(
      'href="/docs/explanation/hash#fields-that-a-hash-leaves-open"',
    )
    expect(await read('/docs/search?q=134')).toContain('href="/docs/errors/134"')
    expect(await read('/docs/search?q=webhook+retry')).toContain('href="/docs/reference/webhooks')
    const hostile = await read(
      `/docs/search?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`,
    )
    expect(hostile).not.toContain('<img')
    expect(await read('/docs/search')).toContain('Type a search text')
  })

  test.each([
    '/docs/nothing',
    '/docs/nothing.md',
    '/docs/../gateway.ts',
    '/docs/..%2fREADME.md',
    '/docs/decisions.md',
    '/docs/inside/decisions.md',
    '/docs/__proto__',
  ])('has no page at %s', async (path) => expect((await shop.get(path)).status).toBe(404))

  test('does not show the secrets of other merchants than the default merchant', async () => {
    const other = await startGateway({ merchants: [MERCHANT] })
    const { body } = await other.get<string>('/docs/calls/createTransaction')
    await other.close()
    expect(body).toContain('-u MERCHANT_ID:PASSWORD')
    for (const secret of [MERCHANT.password, MERCHANT.secret, SANDBOX.password, SANDBOX.secret])
      expect(body).not.toContain(`'${secret}`)
  })
})

describe('a command on a page works when it is pasted:', async () => {
  const gateway = await startGateway({ merchants: [SANDBOX], library: import.meta.filename })
  afterAll(() => gateway.close())
  await fillFirstIds(gateway)
  const called = [...(await everyPage(gateway))].filter(([path]) => path.startsWith('/docs/calls/'))
  const commands = called.map(([, html]) =>
    plain(/<pre tabindex="0" data-lang="sh">([^<]*)<\/pre>/.exec(html)?.[1] ?? ''),
  )

  test('every call has a command', () => {
    expect(commands.length).toBeGreaterThan(50)
    expect(commands.every((command) => /^(?:curl|PAGE=)/.test(command))).toBe(true)
  })

  // Commands that delete or cancel run last.
  const ends = (command: string) => Number(command.includes('DELETE'))
  for (const command of commands.toSorted((one, other) => ends(one) - ends(other)))
    test(command.split(' \\\n')[0] ?? '', async () => {
      expect((await paste(command, gateway.browser)).status).toBe(statusOf(command))
    })
})

/**
 * Expected statuses by the last call of a command. A payer is redirected. A capture without an id
 * finds no transaction.
 */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/\/transactions\/\/capture/, 404],
  [/\/page"/, 204],
  [/\/acs\/payment\//, 303],
  [/\/v1\/acs\/.*action=code/s, 303],
  [/\/v1\/acs\//, 200],
  [/\/v1\/(?:form|mpi_js).*card_number/s, 303],
]

const statusOf = (command: string): number =>
  STATUSES.find(([pattern]) => pattern.test(command))?.[1] ?? 200

/** Creates an object of every kind, with the id 1. */
async function fillFirstIds(client: Client) {
  const webhook = '{"trigger":"payment","url":"https://shop.example/hook"}'
  await client.post('/v1/transactions', payment({ authorize: true, webhook }))
  await client.post('/v1/stored_cards', { ...CARD, card_type: 'VISA', currency: 'sek', test: true })
  await client.post('/v1/plans', {
    name: 'A',
    interval: 1,
    interval_unit: 'months',
    prices: '{"sek":"1.00"}',
  })
  await client.post('/v1/subscriptions', { plan_id: 1, stored_card_id: 1 })
  const { id } = (await client.post('/v1/transactions', payment())).body
  await client.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason: 'A' })
}
