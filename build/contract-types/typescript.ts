import { execFileSync } from 'node:child_process'
import { at, type Contract, type Schema } from '../../mock-gateway/web/docs/contract.ts'

/** Parameters that the client sets itself. */
const MADE_BY_CLIENT: ReadonlySet<string> = new Set(['hash'])

/** A source as Biome writes it. */
export const formatted = (text: string): string =>
  execFileSync('node_modules/.bin/biome', ['format', '--stdin-file-path=made.ts'], {
    input: text,
    encoding: 'utf8',
  })

/** Returns the TypeScript name of a schema; Error has another meaning there. */
export const typeName = (name: string): string => (name === 'Error' ? 'ApiError' : name)

/** An interface, or a name for something smaller. */
export function declare(contract: Contract, name: string, schema: Schema, used: string[]): string {
  const about = docs(schema.description)
  if (!schema.properties && !schema.allOf)
    return `${about}export type ${name} = ${writeType(contract, schema, used)}\n`
  const parents = (schema.allOf ?? [])
    .filter(({ $ref }) => $ref)
    .map((parent) => writeType(contract, parent, used))
  const required = new Set((schema.required ?? []).filter((each) => !MADE_BY_CLIENT.has(each)))
  const inherited = [...required].filter((each) => !schema.properties?.[each])
  const own = Object.entries(schema.properties ?? {})
  const above = inherited.map((each) => [each, propertyAbove(contract, schema, each)] as const)
  const extending = parents.length > 0 ? ` extends ${parents.join(', ')}` : ''
  const others =
    schema.additionalProperties === true || isLoose(schema)
      ? 'readonly [key: string]: unknown\n'
      : ''
  const all = members(contract, [...above, ...own], required, used)
  return `${about}export interface ${typeName(name)}${extending} {\n${all}${others}}\n`
}

function members(
  contract: Contract,
  properties: readonly (readonly [string, Schema])[],
  required: ReadonlySet<string>,
  used: string[],
): string {
  const lines = properties.map(([key, each]) => {
    const written = /^\w+$/.test(key) ? key : `'${key}'`
    const type = writeType(contract, each, used)
    const member = required.has(key) ? `${written}: ${type}` : `${written}?: ${type} | undefined`
    return `${docs(each.description)}readonly ${member}\n`
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

/** Longer enumerations, such as currencies, will grow: they are typed as text. */
const MOST_NAMES = 12

/** How TypeScript writes a schema; what it names is added to `used`. */
export function writeType(contract: Contract, schema: Schema, used: string[]): string {
  const { $ref, type, properties, items, allOf, additionalProperties } = schema
  if (typeof $ref === 'string') return named(contract, $ref, used)
  const options = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined
  if (options && !properties)
    return [...new Set(options.map((each) => writeType(contract, each, used)))].join(' | ')
  if (schema.const !== undefined) return quoted(schema.const)
  if (Array.isArray(schema.enum))
    return schema.enum.length > MOST_NAMES ? 'string' : schema.enum.map(quoted).join(' | ')
  if (Array.isArray(type))
    return type.map((each) => writeType(contract, { ...schema, type: each }, used)).join(' | ')
  if (type === 'array') return `readonly (${writeType(contract, items ?? {}, used)})[]`
  if (allOf?.[0]) return writeType(contract, allOf[0], used)
  if (typeof type === 'string' && PLAIN[type]) return PLAIN[type]
  if (properties && !isFree(schema))
    return `{\n${members(contract, Object.entries(properties), new Set(schema.required), used)}}`
  if (typeof additionalProperties === 'object' && !properties)
    return `{ readonly [key: string]: ${writeType(contract, additionalProperties as Schema, used)} }`
  used.push('Metadata')
  return 'Metadata'
}

const quoted = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)

/** True if the schema combines properties with alternatives, so that each of them is read. */
const isFree = ({ oneOf, properties, additionalProperties }: Schema): boolean =>
  properties !== undefined &&
  additionalProperties !== false &&
  (oneOf !== undefined || typeof additionalProperties === 'object') &&
  !isLoose({ properties, additionalProperties })

/** True if an object has known properties and any others (zod: looseObject). */
const isLoose = ({ properties = {}, additionalProperties }: Schema): boolean =>
  typeof additionalProperties === 'object' &&
  Object.keys(additionalProperties as object).length === 0 &&
  Object.keys(properties).length > 0

/** Small things are written out; objects have names. */
function named(contract: Contract, reference: string, used: string[]): string {
  const name = reference.split('/').at(-1) ?? ''
  const schema = at<Schema>(contract, reference.slice(1)).value
  if ((!schema.properties && !schema.allOf) || isFree(schema))
    return writeType(contract, schema, used)
  used.push(name)
  return typeName(name)
}
