import { execFileSync } from 'node:child_process'
import {
  type Answer,
  at,
  type Call,
  type Contract,
  callsOf,
  type Parameter,
  type RequestBody,
  type Schema,
} from '../../../mock-gateway/web/docs/contract.ts'

/** What old clients call by mistake, under other names of the same. */
const LEFT_OUT: ReadonlySet<string> = new Set(['updateTransactionAtV2', 'captureNothing'])

/** Which wire types stand in `contract/`, by their file. */
const WIRE: Readonly<Record<string, string>> = {
  Customer: 'customer',
  Plan: 'plan',
  Refund: 'refund',
  StoredCard: 'stored-card',
  Subscription: 'subscription',
  Transaction: 'transaction',
  Webhook: 'webhook',
  Metadata: 'reference',
  Error: 'error',
}

/** What the client says in place of the caller. */
const MADE_BY_CLIENT: ReadonlySet<string> = new Set(['hash'])

/** Every call as it is written, aliases and what a browser asks beforehand left out. */
export const callsToMake = (contract: Contract): readonly Call[] =>
  callsOf(contract).filter(
    ({ method, path, pointer, operation }) =>
      method !== 'options' &&
      !LEFT_OUT.has(operation.operationId) &&
      pointer.startsWith(`/paths/${path.replaceAll('/', '~1')}/`),
  )

/** The source of `mock-gateway/client/calls.ts`: its types and its table, from the contract. */
export function generateCalls(contract: Contract): string {
  const calls = callsToMake(contract).map((call) => describe(contract, call))
  const named = typesNamedBy(contract, calls)
  const text = [
    '// Made from contract/openapi.yaml by test/gateway/client/calls.test.ts, which writes it anew with `vitest -u`.',
    ...[...named.wire]
      .map((name) => `import type { ${wireName(name)} } from '../contract/${WIRE[name]}.ts'`)
      .sort(byFile),
    `import type { CallOptions, CallRow, List, PageAnswer } from './kinds.ts'`,
    '',
    ...named.declarations,
    '/** Every call of the contract, under its operationId. */',
    'export interface Calls {',
    ...calls.map(({ summary, signature }) => `/** ${summary}. */\n${signature}\n`),
    '}',
    '',
    '/** How each call is made: method, server, path, and what it answers. */',
    'export const CALLS = {',
    ...calls.map(({ name, row }) => `${name}: { ${row} },`),
    '} as const satisfies Readonly<Record<keyof Calls, CallRow>>',
    '',
  ].join('\n')
  const format = ['format', '--stdin-file-path=mock-gateway/client/calls.ts']
  return execFileSync('node_modules/.bin/biome', format, { input: text, encoding: 'utf8' })
}

const byFile = (one: string, other: string) => (one.replace(/.*from/, '') < other.replace(/.*from/, '') ? -1 : 1)

const wireName = (name: string) => (name === 'Error' ? 'ApiError' : name)

interface Described {
  readonly name: string
  readonly summary: string
  readonly signature: string
  readonly row: string
  /** Types that the signature names. */
  readonly types: readonly string[]
  /** Declared for this call alone. */
  readonly declaration: string
}

function describe(contract: Contract, call: Call): Described {
  const { operation, method, path, servers, parameters } = call
  const name = operation.operationId
  const body = operation.requestBody && at<RequestBody>(contract, `${call.pointer}/requestBody`).value
  const [media] = Object.values(body?.content ?? {})
  const inPath = parameters.filter((each) => each.in === 'path')
  const query = parameters.filter((each) => each.in === 'query')
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [name, { ...(description && { description }), ...schema }]),
  )
  const required = query.filter((each) => each.required).map((each) => each.name)
  const ownName = queryName(name, query)
  const used: string[] = []
  const declaration = query.length > 0 ? declare(contract, ownName, { properties, required }, used) : ''
  const sent = media && typeOf(contract, media.schema, used)
  const isOptional = required.length === 0 && !body?.required
  const takes = [sent, query.length > 0 ? ownName : undefined].filter((each) => each !== undefined).join(' & ')
  const answer = answerOf(contract, call, used)
  const args = [
    ...inPath.map((each) => `${each.name}: ${typeOf(contract, each.schema, used)}`),
    ...(takes ? [`parameters${isOptional ? '?' : ''}: ${takes}`] : []),
    'options?: CallOptions',
  ]
  const server = /\{(\w+)_url\}/.exec(servers[0]?.url ?? '')?.[1]
  return {
    name,
    summary: operation.summary,
    signature: `${name}(${args.join(', ')}): ${answer.type}`,
    row: `method: '${method.toUpperCase()}', server: '${server}', path: '${path}', answers: '${answer.kind}'${takes ? '' : ', takes: false'}`,
    types: used,
    declaration,
  }
}

/** Calls that take the same few share a type. */
const queryName = (name: string, query: readonly Parameter[]): string =>
  query.length > 3
    ? `${capital(name)}Query`
    : `${query.map((each) => capital(each.name).replace(/\W/g, '')).join('')}Query`

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** What a call answers when it succeeds. */
function answerOf(contract: Contract, { operation, pointer }: Call, used: string[]) {
  const [status = ''] = Object.keys(operation.responses)
  const { content = {} } = at<Answer>(contract, `${pointer}/responses/${status}`).value
  const json = content['application/json']
  if (json?.schema.type === 'array')
    return { kind: 'list', type: `List<${typeOf(contract, json.schema.items ?? {}, used)}>` }
  if (json) return { kind: 'json', type: `Promise<${typeOf(contract, json.schema, used)}>` }
  if (content['text/html']) return { kind: 'page', type: 'Promise<PageAnswer>' }
  return { kind: 'text', type: 'Promise<string>' }
}

/** Every type that is named, and those that they name. */
function typesNamedBy(contract: Contract, calls: readonly Described[]) {
  const wire = new Set<string>()
  const declarations = new Map<string, string>()
  const waiting = calls.flatMap(({ types }) => types)
  for (const name of waiting) {
    if (name in WIRE) wire.add(name)
    else if (!declarations.has(name)) {
      const used: string[] = []
      declarations.set(name, declare(contract, name, contract.components.schemas[name] ?? {}, used))
      waiting.push(...used)
    }
  }
  return { wire, declarations: new Set([...declarations.values(), ...calls.map(({ declaration }) => declaration)]) }
}

/** An interface, or a name for something smaller. */
function declare(contract: Contract, name: string, schema: Schema, used: string[]): string {
  const about = docs(schema.description)
  if (!schema.properties && !schema.allOf) return `${about}export type ${name} = ${typeOf(contract, schema, used)}\n`
  const parents = (schema.allOf ?? []).map((parent) => typeOf(contract, parent, used))
  const required = new Set((schema.required ?? []).filter((each) => !MADE_BY_CLIENT.has(each)))
  const inherited = [...required].filter((each) => !schema.properties?.[each])
  const own = Object.entries(schema.properties ?? {})
  const above = inherited.map((each) => [each, propertyAbove(contract, schema, each)] as const)
  const extending = parents.length > 0 ? ` extends ${parents.join(', ')}` : ''
  return `${about}export interface ${name}${extending} {\n${members(contract, [...above, ...own], required, used)}}\n`
}

function members(
  contract: Contract,
  properties: readonly (readonly [string, Schema])[],
  required: ReadonlySet<string>,
  used: string[],
): string {
  const lines = properties.map(([key, each]) => {
    const written = /^\w+$/.test(key) ? key : `'${key}'`
    const type = typeOf(contract, each, used)
    const mark = required.has(key) ? '' : '?'
    return `${docs(each.description)}readonly ${written}${mark}: ${type}${mark ? ' | undefined' : ''}\n`
  })
  return lines.join('')
}

const docs = (text: string | undefined) =>
  text === undefined ? '' : `/** ${text.replace(/\s+/g, ' ').trim().replaceAll('*/', '* /')} */\n`

const resolved = (contract: Contract, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : at<Schema>(contract, String(schema.$ref).slice(1)).value

function propertyAbove(contract: Contract, schema: Schema, name: string): Schema {
  const parents = (schema.allOf ?? []).map((parent) => resolved(contract, parent))
  return parents.find(({ properties }) => properties?.[name])?.properties?.[name] ?? {}
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** How TypeScript writes a schema; what it names is added to `used`. */
function typeOf(contract: Contract, schema: Schema, used: string[]): string {
  const { $ref, type, properties, items, allOf, additionalProperties } = schema
  if (typeof $ref === 'string') return named(contract, $ref, used)
  const options = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined
  if (options) return [...new Set(options.map((each) => typeOf(contract, each, used)))].join(' | ')
  if (schema.const !== undefined) return quoted(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map(quoted).join(' | ')
  if (Array.isArray(type)) return type.map((each) => typeOf(contract, { type: each }, used)).join(' | ')
  if (type === 'array') return `readonly (${typeOf(contract, items ?? {}, used)})[]`
  if (allOf?.[0]) return typeOf(contract, allOf[0], used)
  if (properties) return `{\n${members(contract, Object.entries(properties), new Set(schema.required), used)}}`
  if (typeof additionalProperties === 'object')
    return `{ readonly [key: string]: ${typeOf(contract, additionalProperties as Schema, used)} }`
  if (typeof type === 'string' && type !== 'object') return PLAIN[type] ?? 'unknown'
  used.push('Metadata')
  return 'Metadata'
}

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value))

/** Small things are written out; objects have names. */
function named(contract: Contract, reference: string, used: string[]): string {
  const name = reference.split('/').at(-1) ?? ''
  const schema = at<Schema>(contract, reference.slice(1)).value
  if (name in WIRE) {
    used.push(name)
    return wireName(name)
  }
  if (!schema.properties && !schema.allOf) return typeOf(contract, schema, used)
  used.push(name)
  return name
}
