import fc from 'fast-check'
import {
  at,
  type Call,
  type Contract,
  type Document,
  listCalls,
  part,
  type RequestBody,
  type Schema,
} from '../../../mock-gateway/web/docs/contract.ts'
import { type Fields, hashed, MERCHANT, type TestMerchant } from '../../helpers/gateway.ts'
import { hide } from '../conformance/encrypt.ts'
import {
  boundaryValue,
  hostileValue,
  type Json,
  propertiesOf,
  someHeaders,
  validValue,
} from './fuzz-values.ts'

/** Request in the form in which it is sent. */
export interface Request {
  readonly method: string
  readonly address: string
  readonly body: string | null
  readonly type: string
  /** Login of the request. `key` is the control key. */
  readonly login: 'own' | 'other' | 'none' | 'broken' | 'key'
  /** Additional header lines. */
  readonly headers?: readonly string[]
}

/** Existing objects that requests can name. */
export interface Known {
  /** Valid values by the name of the parameter. */
  readonly values: Readonly<Record<string, readonly Json[]>>
  /** Values for `{id}` and similar parts, by the preceding part of the address. */
  readonly ids: Readonly<Record<string, readonly string[]>>
  /** Values by the name of the parameter that are used only now and then. */
  readonly others?: Readonly<Record<string, readonly Json[]>>
}

type Values = Readonly<Record<string, Json>>

/**
 * Creates the generator of values once for each name, because creating one takes longer than
 * drawing.
 */
function memoized<Value>(make: (name: string) => Value): (name: string) => Value {
  const made = new Map<string, Value>()
  return (name) => {
    const value = made.get(name) ?? make(name)
    made.set(name, value)
    return value
  }
}

/**
 * Creates a generator of requests for one call of the contract: with its documented parameters,
 * some of them replaced, omitted, doubled or mutated.
 */
function requestsFor(contract: Document, call: Call, known: Known): fc.Arbitrary<Request> {
  const { operation } = call
  const method = call.method.toUpperCase()
  const fields = listFields(contract, call)
  return fc
    .record({
      values: drawValues(contract, call, known),
      id: drawId(call, known),
      signs: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn > 0 && fields.has('hash')),
      encoding: fc.constantFrom(...ENCODINGS),
      disturbance: fc.oneof(
        { weight: 6, arbitrary: fc.constant('') },
        fc.constantFrom(...DISTURBANCES),
      ),
      login: fc.oneof(
        { weight: 8, arbitrary: fc.constant('own' as const) },
        fc.constantFrom('other' as const, 'none' as const, 'broken' as const),
      ),
      headers: someHeaders,
    })
    .map(({ values, id, signs, encoding, disturbance, login, headers }) => {
      const sent = 'payment_ref' in values ? { ...values, payment_ref: newOrder(values) } : values
      const written = encoding(signs ? withHash(sent) : sent, operation.requestBody !== undefined)
      const query = [written.query, written.body === null ? disturbance : '']
        .filter(Boolean)
        .join('&')
        .slice(0, 6_000)
      const path = call.path.replace(/\{\w+\}/, () => id)
      const body = written.body && [written.body, disturbance].filter(Boolean).join('&')
      return {
        method,
        address: query ? `${path}?${query}` : path,
        body: method === 'GET' ? null : body,
        type: written.type,
        login,
        headers,
      }
    })
}

/** Draws the values of a call's parameters. */
function drawValues(contract: Document, call: Call, known: Known): fc.Arbitrary<Values> {
  const fields = listFields(contract, call)
  const names = [...fields.keys(), ...STRANGE_NAMES]
  // The list of encrypted fields is written with the encoding, not as a field.
  const plain = [...fields.keys()].filter((name) => name !== 'encrypted')
  const bad = memoized((name) => {
    const pointer = fields.get(name)
    return pointer === undefined
      ? hostileValue
      : fc.oneof(boundaryValue(contract, pointer), hostileValue)
  })
  const good = memoized((name): fc.Arbitrary<Json> => {
    const value = validValue(contract, fields.get(name) ?? '')
    const existing = known.values[name] ?? known.others?.[name]
    return existing
      ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...existing) }, value)
      : value
  })
  const pairs = <T>(chosen: fc.Arbitrary<string[]>, value: (name: string) => fc.Arbitrary<T>) =>
    chosen.chain((list) =>
      fc.tuple(...list.map((name) => fc.tuple(fc.constant(name), value(name)))),
    )
  return fc
    .record({
      example: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...listExamples(contract, call)) },
        fc.constant(undefined),
      ),
      real: pairs(fc.subarray(Object.keys(known.values).filter((name) => fields.has(name))), good),
      further: pairs(fc.subarray(plain, { maxLength: Math.min(3, plain.length) }), good),
      mutated: pairs(sometimes(names, 2), bad),
      left: sometimes(names, 1),
    })
    .map(({ example, real, further, mutated, left }): Values => {
      const order = example && 'payment_ref' in example ? { payment_ref: NEW_ORDER } : {}
      const base = example ? { ...example, ...Object.fromEntries(real), ...order } : {}
      const whole = { ...base, ...Object.fromEntries(further), ...Object.fromEntries(mutated) }
      return Object.fromEntries(Object.entries(whole).filter(([name]) => !left.includes(name)))
    })
}

/** Value of payment_ref that stands for a new order number. */
const NEW_ORDER = 'a new order'

let orders = 0
const newOrder = ({ payment_ref = '' }: Values): Json =>
  payment_ref === NEW_ORDER ? `fuzzed-${++orders}` : payment_ref

/** Draws an empty list most of the time, otherwise some of the names. */
const sometimes = (names: readonly string[], most: number): fc.Arbitrary<string[]> =>
  fc.oneof(
    fc.constant<string[]>([]),
    fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: most }),
  )

/** Creates a generator of requests for every call of the contract except the calls for its document. */
export const requests = (contract: Contract, known: Known): fc.Arbitrary<Request> =>
  requestsOf(
    contract,
    listCalls(contract).filter(({ path }) => !path.startsWith('/docs') && path !== '/openapi.json'),
    known,
  )

/**
 * Creates a generator of requests for some calls. Calls that change data, and lists with their many
 * filters, are drawn more often.
 */
export const requestsOf = (
  document: Document,
  calls: readonly Call[],
  known: Known,
): fc.Arbitrary<Request> =>
  fc.oneof(
    ...calls.map((call) => ({
      weight: call.operation.requestBody || listFields(document, call).has('order_by') ? 3 : 1,
      arbitrary: requestsFor(document, call, known),
    })),
  )

const STRANGE_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'filter',
  'filter[id]',
  'x',
  'test',
  'encrypted',
  'a[',
  '',
]

/**
 * Returns the fields of a call by name, with pointers to their schemas. Filters of lists have the
 * name `filter[field]`.
 */
function listFields(contract: Document, call: Call): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const ofPath = call.pointer.slice(0, call.pointer.lastIndexOf('/'))
  const parameters = [call.pointer, ofPath].flatMap((place) => {
    const { value } = at<{ readonly parameters?: readonly unknown[] }>(contract, place)
    return value.parameters?.map((_one, index) => `${place}/parameters/${index}`) ?? []
  })
  for (const parameter of parameters) {
    const { value, pointer } = at<Call['parameters'][number]>(contract, parameter)
    if (value.in === 'path') continue
    const properties = propertiesOf(contract, `${pointer}/schema`)
    for (const [name, where] of properties) fields.set(`${value.name}[${name}]`, where)
    if (properties.size === 0) fields.set(value.name, `${pointer}/schema`)
  }
  if (call.operation.requestBody)
    for (const [name, where] of propertiesOf(contract, `${bodyPointer(contract, call)}/schema`))
      fields.set(name, where)
  return fields
}

const bodyPointer = (contract: Document, call: Call): string => {
  const { value, pointer } = at<RequestBody>(contract, `${call.pointer}/requestBody`)
  const type = FORM in value.content ? FORM : Object.keys(value.content)[0]
  return `${pointer}/content${part(type ?? FORM)}`
}

/**
 * Returns the documented examples of a call's request, whose ids are not ids of existing rows. If
 * there is no example, returns the required fields.
 */
function listExamples(contract: Document, call: Call): readonly Values[] {
  if (!call.operation.requestBody) return [{}]
  const media = at<RequestBody['content'][string]>(contract, bodyPointer(contract, call))
  const names = Object.keys(media.value.examples ?? {})
  if (names.length === 0) return [neededOf(contract, `${media.pointer}/schema`)]
  return names.map((name) => {
    const { hash, ...rest } = at<{ value: Values }>(
      contract,
      `${media.pointer}/examples${part(name)}`,
    ).value.value
    return rest
  })
}

/** Returns the example of every required property that has one. */
function neededOf(contract: Document, pointer: string): Values {
  const { required = [] } = at<Schema>(contract, pointer).value
  const examples = [...propertiesOf(contract, pointer)].flatMap(([name, where]) => {
    const [example] = at<Schema>(contract, where).value.examples ?? []
    return required.includes(name) && example !== undefined ? [[name, example as Json]] : []
  })
  return Object.fromEntries(examples)
}

/**
 * Draws the id in the address: usually the id of a matching row, sometimes of another row,
 * sometimes an unknown id.
 */
function drawId({ path }: Call, { ids }: Known): fc.Arbitrary<string> {
  const [, kind = ''] = /\/([\w-]+)\/\{/.exec(path) ?? []
  const any = fc.constantFrom(...Object.values(ids).flat())
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(ids[kind] ?? ['1'])) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 300 }).map(String) },
    { weight: 1, arbitrary: any },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...STRANGE_IDS), hostileValue.map(inPath)) },
  )
}

const STRANGE_IDS = [
  '0',
  '-1',
  '01',
  '1e3',
  '0x1',
  '2147483648',
  '9007199254740991',
  '9223372036854775808',
  '%00',
  '%FF',
  '%',
]
const inPath = (value: Json) => encodeURIComponent(asText(value).toWellFormed()).slice(0, 400)

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Adds the correct hash of the sent fields, if it can be calculated. */
function withHash(values: Values, merchant: TestMerchant = MERCHANT): Values {
  const { hash } = hashed(
    { ...(values as Fields), hash: undefined, ...hashed(values as Fields, merchant) },
    merchant,
  )
  return 'hash' in values ? values : { ...values, hash: String(hash) }
}

interface Written {
  readonly query: string
  readonly body: string | null
  readonly type: string
}

type Encoding = (values: Values, hasBody: boolean) => Written

const FORM = 'application/x-www-form-urlencoded'
const pair = (name: string, value: string) =>
  `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`
const form = (values: Values) =>
  Object.entries(values)
    .map(([name, value]) => pair(name, asText(value)))
    .join('&')

/** Writes nested values in brackets, like PHP. */
function bracketed(name: string, value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [pair(name, String(value ?? ''))]
  return Object.entries(value).flatMap(([key, each]) => bracketed(`${name}[${key}]`, each))
}

const write = (text: string, type: string, hasBody: boolean, values: Values): Written =>
  hasBody ? { query: '', body: text, type } : { query: form(values), body: null, type: '' }

const ENCODINGS: readonly Encoding[] = [
  (values, hasBody) => write(form(values), FORM, hasBody, values),
  (values, hasBody) => write(form(values), FORM, hasBody, values),
  (values, hasBody) => write(JSON.stringify(values), 'application/json', hasBody, values),
  (values, hasBody) => write(JSON.stringify(values), 'text/plain', hasBody, values),
  (values) => ({ query: form(values), body: null, type: '' }),
  (values) => ({ query: form(values), body: form(values), type: FORM }),
  (values) => ({
    query: Object.entries(values)
      .flatMap(([name, value]) => bracketed(name, value))
      .join('&'),
    body: null,
    type: '',
  }),
  (values, hasBody) =>
    write(
      Object.entries(values)
        .flatMap(([name, value]) => bracketed(name, value))
        .join('&'),
      FORM,
      hasBody,
      values,
    ),
  (values, hasBody) => write(multipart(values), 'multipart/form-data; boundary=x', hasBody, values),
  (values, hasBody) => write(form(encrypted(values)), FORM, hasBody, values),
]

const multipart = (values: Values) =>
  `${Object.entries(values)
    .map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${asText(value)}\r\n`,
    )
    .join('')}--x--\r\n`

/** Encrypts the card like a browser, if it is short enough. */
function encrypted(values: Values): Values {
  const short = Object.entries(values)
    .filter(([name]) => name.startsWith('card_') || name === 'amount')
    .map(([name, value]) => [name, asText(value)] as const)
    .filter(([, text]) => Buffer.byteLength(text) < 180)
  return { ...values, ...hide(Object.fromEntries(short), ...short.map(([name]) => name)) }
}

/** Texts that are added unchanged to a form or a query. */
const DISTURBANCES = [
  'amount=2.00',
  'test=false',
  'limit=2&limit=3',
  'x=%FF',
  '%ED%A0%80=1',
  'x=%zz',
  'metadata[__proto__][x]=1',
  'items[999999999]=x',
  'items[0]=1&items[]=2',
  'filter[id]=1&filter[id]=2',
  'a[b[c]=1',
  '[]=1',
  '&&&=&',
  'metadata["a]=1',
  'metadata=%7B%22a%22%3A%22%5Cu0000%22%7D',
  `a${'[b]'.repeat(20)}=1`,
  'locale=en',
  'extend=customer,stored_card,subscription,plan,transaction,refunds,payment_details',
]
