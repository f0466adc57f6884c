import fc from 'fast-check'
import type { Drawer, Known, Request } from './fuzz-requests.ts'
import { hostileText, someHeaders } from './fuzz-values.ts'

/**
 * Link or form in an answer. The fields of a form have possible values, the current value first.
 */
export interface Way {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly fields: Readonly<Record<string, readonly string[]>>
}

const FORM = /<form\b(?<head>[^>]*)>(?<inside>.*?)<\/form>/gs
const CONTROL = /<(?<tag>input|select|option|button|textarea)\b(?<marks>[^>]*)>(?<text>[^<]*)/g
const LINK = /\s(?:href|src)="(?<link>[^"]*)"/g

const attribute = (marks: string, name: string): string | undefined => {
  const [, value] = new RegExp(`(?:^|\\s)${name}(?:="([^"]*)")?(?=[\\s/]|$)`).exec(marks) ?? []
  return value === undefined ? undefined : unescaped(value)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(code)),
  )

/** Returns the fields of a page's forms. */
function fieldsIn(html: string): Way['fields'] {
  const fields = new Map<string, string[]>()
  let select: string | undefined
  for (const { groups: { tag, marks = '', text = '' } = {} } of html.matchAll(CONTROL)) {
    const name = tag === 'option' ? select : attribute(marks, 'name')
    if (tag === 'select') select = name
    if (name === undefined || tag === 'select') continue
    const value = attribute(marks, 'value') ?? (tag === 'input' ? '' : unescaped(text))
    const known = fields.get(name) ?? []
    const isFirst = /\s(?:checked|selected)\b/.test(marks)
    fields.set(
      name,
      [...new Set(isFirst ? [value, ...known] : [...known, value])].slice(0, MOST_VALUES),
    )
  }
  return Object.fromEntries(fields)
}

/** Maximum number of possible values of a field. */
const MOST_VALUES = 30

/** Maximum number of links that are followed from an answer that is not a page. */
const MOST_LINKS = 12

/**
 * Returns the links and forms of an answer that stay at its origin.
 * @param origin origin of the gateway
 */
export function waysIn(
  origin: string,
  address: string,
  text: string,
  location: string | null,
): readonly Way[] {
  const here = new URL(address, origin)
  const link = (to: string): Way[] => {
    const url = URL.parse(to, here)
    if (url?.port !== here.port || url.host.includes('example')) return []
    const query = [...url.searchParams].map(([name, value]) => [name, [value]])
    return [{ method: 'GET', path: url.pathname, fields: Object.fromEntries(query) }]
  }
  if (location !== null) return link(location)
  if (!text.includes('<html')) {
    const written = text.match(/https?:\/\/(?:localhost|127\.0\.0\.1):\d+\/[\w/.?=&-]+/g) ?? []
    return [...new Set(written)].slice(0, MOST_LINKS).flatMap(link)
  }
  const forms = [...text.matchAll(FORM)].flatMap(
    ({ groups: { head = '', inside = '' } = {} }): Way[] => {
      const [way] = link(attribute(head, 'action') || here.href)
      const id = attribute(head, 'id')
      // A button can be outside of the form that it names.
      const outside =
        id === undefined ? [] : (text.match(new RegExp(`<button form="${id}"[^>]*>`, 'g')) ?? [])
      const fields = { ...way?.fields, ...fieldsIn(inside + outside.join('')) }
      return way ? [{ ...way, method: /method="post"/i.test(head) ? 'POST' : 'GET', fields }] : []
    },
  )
  const links = [...text.matchAll(LINK)].flatMap(({ groups: { link: to = '' } = {} }) =>
    link(unescaped(to)),
  )
  return [...forms, ...links]
}

/**
 * Returns the parts that links and forms to the same code have in common: the path without ids, and
 * the names of the fields.
 */
const shapeOf = ({ method, path, fields }: Way, login: Request['login']): string => {
  const kind = path
    .replace(/^\/(docs|assets)\/.*/, '/$1/*')
    .replace(/\/(?:\d+|[\w-]{16,})(?=\/|$)/g, '/*')
  return [
    login,
    method,
    kind,
    ...Object.keys(fields).map((name) => name.replace(/\d+/g, '0')),
  ].join(' ')
}

/** Number of recent links or forms of one shape that requests can follow. */
const LATEST = 6

/** Maximum number of shapes that requests follow. */
const MOST_SHAPES = 500

/** Drawn link or form with the values to send. */
interface Taken {
  /** Position among the recent links and forms of the shape; 0 is the newest. */
  readonly which: number
  /**
   * Chosen values by field: the position of a possible value, or a text. Other fields have their
   * first value.
   */
  readonly fields: Readonly<Record<string, number | string>>
  readonly left: readonly number[]
  readonly id: string | null
  readonly further: Readonly<Record<string, string>>
  readonly suffix: string
  readonly headers: readonly string[]
}

/**
 * Collection of links and forms in answers, so that requests can follow them like payers, merchants
 * and administrators.
 */
export class Ways {
  readonly #origin: string
  readonly #leftOut: RegExp
  readonly #typed: (name: string) => fc.Arbitrary<string> | undefined
  readonly #latest = new Map<string, Way[]>()

  /** @param typed returns typical input for a field by its name */
  constructor(
    origin: string,
    leftOut: RegExp,
    typed: (name: string) => fc.Arbitrary<string> | undefined,
  ) {
    this.#origin = origin
    this.#leftOut = leftOut
    this.#typed = typed
  }

  /**
   * Adds the links and forms of an answer.
   * @returns generators for new shapes, and the names of all shapes in this answer
   */
  take({ address, login }: Request, text: string, location: string | null) {
    const fresh: Drawer[] = []
    const ahead = new Set<string>()
    for (const way of waysIn(this.#origin, address, text, location)) {
      if (this.#leftOut.test(way.path)) continue
      const shape = shapeOf(way, login)
      const latest = this.#latest.get(shape)
      if (latest) latest.splice(0, latest.length, way, ...latest.slice(0, LATEST - 1))
      else if (this.#latest.size >= MOST_SHAPES) continue
      else fresh.push(this.#drawer(shape, way, login))
      ahead.add(shape)
    }
    return { fresh, ahead: [...ahead] }
  }

  #drawer(name: string, way: Way, login: Request['login']): Drawer {
    const latest = [way]
    this.#latest.set(name, latest)
    const { method } = way
    return {
      name,
      weight: method === 'POST' ? 3 : 1,
      drafts: this.#draftsFor(way),
      write(draft, known) {
        const { which, ...taken } = draft as Taken
        return written(latest[Math.min(which, latest.length - 1)] ?? way, taken, login, known)
      },
    }
  }

  #draftsFor({ fields }: Way): fc.Arbitrary<Taken> {
    const names = Object.keys(fields)
    const places = names.map((_name, place) => place)
    const good = (place: number): fc.Arbitrary<number | string> => {
      const values = fields[names[place] ?? ''] ?? []
      const typed = values.every((value) => value === '')
        ? this.#typed(names[place] ?? '')
        : undefined
      return typed ?? fc.nat(Math.max(values.length - 1, 0))
    }
    const pairs = (
      chosen: readonly number[],
      value: (place: number) => fc.Arbitrary<number | string>,
    ) => fc.tuple(...chosen.map((place) => value(place).map((each) => [place, each] as const)))
    const any =
      names.length === 0
        ? fc.constant<number[]>([])
        : fc.array(fc.constantFrom(...places), { maxLength: 2 })
    const rarely = fc.oneof(
      { weight: 3, arbitrary: fc.constant<number[]>([]) },
      { weight: 1, arbitrary: any },
    )
    return fc.record({
      which: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3, 4, 5),
      fields: fc
        .tuple(
          pairs(places, good),
          rarely.chain((chosen) => pairs(chosen, () => hostileText)),
        )
        .map(([all, mutated]) => Object.fromEntries([...all, ...mutated])),
      left: rarely,
      id: fc.oneof(
        { weight: 9, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: hostileText },
      ),
      further: fc.oneof(
        { weight: 5, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc.dictionary(fc.constantFrom(...FURTHER), hostileText, { maxKeys: 2 }),
        },
        { weight: 2, arbitrary: fc.constantFrom(...HELPFUL) },
      ),
      suffix: fc.oneof(
        { weight: 12, arbitrary: fc.constant('') },
        fc.constantFrom('[]', '[a]', '[__proto__]', '['),
      ),
      headers: someHeaders,
    }) as fc.Arbitrary<Taken>
  }
}

const FURTHER =
  'id offset limit filter[id] filter[status] order_by to done refused locale lang error_name'.split(
    ' ',
  )
const HELPFUL: readonly Readonly<Record<string, string>>[] = [
  ...['sv', 'en'].map((lang) => ({ lang })),
  ...['invoice', 'swish', 'bank', 'apple_pay', 'credit_card'].map((name) => ({
    'payment.selected': name,
  })),
  ...['cancel', 'back', 'extend', 'answer', 'remove_card'].map((action) => ({ action })),
  { error_name: 'errors.payment.declined' },
  { 'metadata[news]': 'on' },
  { template: 'none' },
]

function written(
  way: Way,
  taken: Omit<Taken, 'which'>,
  login: Request['login'],
  { ids }: Known,
): Request {
  const { method, path } = way
  const [own, other] = ids.form_token ?? []
  const names = Object.entries(way.fields).map(([name, values], place): [string, string][] => {
    if (name === 'form_token') return [[name, (login === 'own' ? own : other) ?? '']]
    if (taken.left.includes(place)) return []
    const said = taken.fields[place] ?? 0
    return [
      [name + taken.suffix, typeof said === 'string' ? said : (values[said] ?? values[0] ?? '')],
    ]
  })
  const sent = String(new URLSearchParams([...names.flat(), ...Object.entries(taken.further)]))
  const { id } = taken
  const to =
    id === null
      ? path
      : path.replace(/\/(?:\d+|[\w-]{16,})(?=\/|$)/, () => `/${encodeURIComponent(id)}`)
  return {
    operation: '',
    method,
    address: method === 'GET' && sent ? `${to}?${sent}`.slice(0, 6_000) : to,
    body: method === 'POST' ? sent : null,
    type: 'application/x-www-form-urlencoded',
    login,
    headers: taken.headers,
  }
}
