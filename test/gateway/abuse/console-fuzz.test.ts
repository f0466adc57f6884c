import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { MERCHANT, TEMPLATES } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { type ConsoleClient, consoleOf } from '../web/console/client.ts'
import { crawl } from '../web/console/crawl.ts'
import { newEstate } from './estate.ts'
import { hostileValue } from './fuzz-values.ts'

/** `npm run test:abuse` sends more of them, and others. */
const REQUESTS = Number(process.env.TEST_REQUESTS ?? 200)
const SEED = Number(process.env.TEST_SEED ?? 20260314)

const KEY = 'a-key-of-our-own'

/** Orders that requests fail, which then would; and that nothing be left to ask for. */
const LEFT_OUT = /\/(?:faults|reset|logout)/

/** A page, or what a form of one sends. */
interface Place {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** As the page has filled them in. */
  readonly fields: Readonly<Record<string, string>>
}

const clients: Record<'merchant' | 'administrator', ConsoleClient> = {} as never
const places: Record<'merchant' | 'administrator', readonly Place[]> = {} as never
const shop = await sharedGateway({ control: KEY, templates: TEMPLATES })
beforeAll(async () => {
  await newEstate(shop)
  for (const [name, username, password, from] of [
    ['merchant', 1, MERCHANT.password, '/1'],
    ['administrator', 'admin', KEY, '/merchants'],
  ] as const) {
    const client = consoleOf(shop.gateway)
    await client.logIn(username, password)
    const pages = await crawl(client, from, (path) => path.startsWith('/1/') === (from === '/1'))
    clients[name] = client
    places[name] = [...pages]
      .flatMap(([path, { html }]) => placesOn(path, html))
      .filter(({ path }) => !LEFT_OUT.test(path))
  }
})

/** The page itself, and its forms. */
function placesOn(path: string, html: string): Place[] {
  const forms = [...html.matchAll(/<form(?<head>[^>]*)>(?<inside>.*?)<\/form>/gs)].map(({ groups = {} }) => {
    const [, action = ''] = /action="\/console([^"]*)"/.exec(groups.head ?? '') ?? []
    const fields = [
      ...(groups.inside ?? '').matchAll(/<[^>]* name="(?<name>[^"]*)"(?:[^>]* value="(?<value>[^"]*)")?/g),
    ]
    return {
      method: /method="post"/.test(groups.head ?? '') ? ('POST' as const) : ('GET' as const),
      path: action || path,
      fields: Object.fromEntries(fields.map(({ groups: field = {} }) => [field.name ?? '', field.value ?? ''])),
    }
  })
  return [{ method: 'GET', path, fields: {} }, ...forms]
}

const hostile = hostileValue.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
const plausible = fc.constantFrom(
  '',
  '1',
  '2',
  '0',
  '-1',
  '99',
  '10.00',
  '2026-04-01T12:00:00Z',
  'true',
  'page',
  'admin',
)
const value = fc.oneof(hostile, plausible)
const further = fc.dictionary(
  fc.constantFrom(
    'id',
    'offset',
    'limit',
    'filter[id]',
    'filter[status]',
    'order_by',
    'to',
    'done',
    'refused',
    'locale',
  ),
  value,
  { maxKeys: 2 },
)

/** A place with some of its fields and ids bent. */
const bent = (list: readonly Place[]) =>
  fc.constantFrom(...list).chain(({ method, path, fields }) =>
    fc.record({
      method: fc.constant(method),
      path: fc.oneof({ weight: 3, arbitrary: fc.constant(path) }, { weight: 1, arbitrary: withOtherId(path) }),
      fields: fc.record(
        Object.fromEntries(
          Object.entries(fields)
            .filter(([name]) => name !== 'form_token')
            .map(([name, filled]) => [name, fc.oneof(fc.constant(filled), value)]),
        ),
        { requiredKeys: [] },
      ),
      shape: fc.constantFrom('', '', '', '[]', '[a]', '[__proto__]', '['),
      further,
    }),
  )

const withOtherId = (path: string) =>
  fc
    .oneof(fc.constantFrom('1', '2', '99', '0', 'x', '..', '%00', '%FF', '1e3', 'constructor'), hostile)
    .map((id) =>
      path.replace(/\/\d+(?=\/|$)(?!.*\/\d)/, `/${id.startsWith('%') ? id : encodeURIComponent(id.toWellFormed())}`),
    )

test.each(['merchant', 'administrator'] as const)(
  `${REQUESTS} requests of the console, bent, by a %s who is logged in: none fails (seed ${SEED})`,
  { timeout: 600_000 },
  async (name) => {
    expect(places[name].filter(({ method }) => method === 'POST').length).toBeGreaterThan(2)
    const answers: Record<number, number> = {}
    for (const { method, path, fields, shape, further } of fc.sample(bent(places[name]), {
      seed: SEED,
      numRuns: REQUESTS,
    })) {
      const sent = Object.fromEntries(
        Object.entries({ ...fields, ...further }).map(([key, text]) => [key + shape, String(text).toWellFormed()]),
      )
      const { status } =
        method === 'POST'
          ? await clients[name].post(path, sent)
          : await clients[name].get(`${path}?${new URLSearchParams(sent)}`)
      answers[status] = (answers[status] ?? 0) + 1
      if (status >= 500) expect({ method, path, sent, status }).toEqual('an answer that is no failure')
    }
    expect((await clients[name].get(places[name][0]?.path ?? '')).status).toBe(200)
    expect(answers[200]).toBeGreaterThan(REQUESTS / 20)
    expect(answers[400]).toBeGreaterThan(REQUESTS / 50)
  },
)
