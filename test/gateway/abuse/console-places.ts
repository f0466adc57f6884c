import fc from 'fast-check'
import { MERCHANT } from '../../helpers/gateway.ts'
import { type ConsoleClient, consoleOf } from '../web/console/client.ts'
import { crawl } from '../web/console/crawl.ts'
import { hostileValue } from './fuzz-values.ts'

/**
 * Forms that are not sent: injected faults would fail requests, a reset would delete the data, and
 * a logout would end the session.
 */
const LEFT_OUT = /\/(?:controls\/(?:faults|data|snapshots|fixtures)|logout)/

/** The clients that are logged in to the console. */
export interface Clients {
  readonly merchant: ConsoleClient
  readonly administrator: ConsoleClient
}

/** Page of the console, or one of its forms. */
export interface Place {
  readonly by: keyof Clients
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Fields with the values on the page. */
  readonly fields: Readonly<Record<string, string>>
}

/** @param key control key, with which an administrator logs in */
export async function logIn(
  gateway: Parameters<typeof consoleOf>[0],
  url: string,
  key: string,
  password = MERCHANT.password,
): Promise<Clients> {
  const [merchant, administrator] = [consoleOf(gateway, url), consoleOf(gateway, url)]
  await merchant.logIn(1, password)
  await administrator.logIn('admin', key)
  return { merchant, administrator }
}

/** Returns every page that links lead to, and every form on these pages. */
export async function placesOf(clients: Clients): Promise<readonly Place[]> {
  const places: Place[] = []
  for (const [by, from] of [
    ['merchant', '/1'],
    ['administrator', '/merchants'],
  ] as const) {
    const pages = await crawl(
      clients[by],
      from,
      (path) => path.startsWith('/1/') === (from === '/1'),
    )
    for (const [path, { html }] of pages)
      places.push(...placesOn(path, html).map((place) => ({ ...place, by })))
  }
  return places.filter(({ path }) => !LEFT_OUT.test(path))
}

/** Returns the page itself and its forms. */
function placesOn(path: string, html: string): Omit<Place, 'by'>[] {
  const forms = [...html.matchAll(/<form(?<head>[^>]*)>(?<inside>.*?)<\/form>/gs)].map(
    ({ groups = {} }) => {
      const [, action = ''] = /action="\/console([^"]*)"/.exec(groups.head ?? '') ?? []
      const fields = [
        ...(groups.inside ?? '').matchAll(
          /<[^>]* name="(?<name>[^"]*)"(?:[^>]* value="(?<value>[^"]*)")?/g,
        ),
      ]
      return {
        method: /method="post"/.test(groups.head ?? '') ? ('POST' as const) : ('GET' as const),
        path: action || path,
        fields: Object.fromEntries(
          fields.map(({ groups: field = {} }) => [field.name ?? '', field.value ?? '']),
        ),
      }
    },
  )
  return [{ method: 'GET', path, fields: {} }, ...forms]
}

const hostile = hostileValue.map((value) =>
  typeof value === 'string' ? value : JSON.stringify(value),
)
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

/** A request to a place, with some mutated fields and ids. */
interface Sent {
  readonly path: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly further: Readonly<Record<string, unknown>>
  readonly shape: string
}

const sentTo = ({ path, fields }: Place): fc.Arbitrary<Sent> =>
  fc.record({
    path: fc.oneof(
      { weight: 3, arbitrary: fc.constant(path) },
      { weight: 1, arbitrary: withOtherId(path) },
    ),
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
  })

const withOtherId = (path: string) =>
  fc
    .oneof(
      fc.constantFrom('1', '2', '99', '0', 'x', '..', '%00', '%FF', '1e3', 'constructor'),
      hostile,
    )
    .map((id) =>
      path.replace(
        /\/\d+(?=\/|$)(?!.*\/\d)/,
        `/${id.startsWith('%') ? id : encodeURIComponent(id.toWellFormed())}`,
      ),
    )

/** Returns the fields of a query or a form. */
export const fieldsOf = ({ fields, further, shape }: Sent): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...fields, ...further }).map(([name, text]) => [
      name + shape,
      String(text).toWellFormed(),
    ]),
  )

/** Draws one of these places, with the fields to send. */
export const mutatedAt = (places: readonly Place[]): fc.Arbitrary<readonly [Place, Sent]> =>
  fc.constantFrom(...places).chain((place) => fc.tuple(fc.constant(place), sentTo(place)))
