import { at, type Contract, type Schema } from './contract.ts'

/** Description of a value's type. */
export interface TypeText {
  readonly type: string
  /** Names of the objects in it, which the page explains. */
  readonly objects: readonly string[]
}

/** Describes a schema: `integer`, `sek, eur or usd`, `list of Item`, `Reference or null`. */
export function typeOf(contract: Contract, schema: Schema): TypeText {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  const value =
    typeof schema.$ref === 'string' ? at<Schema>(contract, schema.$ref.slice(1)).value : schema
  if (name !== undefined && isExplained(contract, value)) return { type: name, objects: [name] }
  if (typeof value.title === 'string') return { type: value.title, objects: [] }
  const either = (value.oneOf ?? value.anyOf) as readonly Schema[] | undefined
  if (either) return anyOf(either.map((each) => typeOf(contract, each)))
  if (value.items) {
    const { type, objects } = typeOf(contract, value.items)
    return { type: `list of ${type}`, objects }
  }
  if (value.properties)
    return { type: `object of ${Object.keys(value.properties).join(', ')}`, objects: [] }
  return { type: [plainType(value), ...limits(value)].join(', '), objects: [] }
}

/** Returns the fields: the required ones first, with the fields of `allOf` before them. */
export function propertiesOf(contract: Contract, schema: Schema) {
  const value =
    typeof schema.$ref === 'string' ? at<Schema>(contract, schema.$ref.slice(1)).value : schema
  const parts: readonly PartialObject[] = (value.allOf ?? []).map((each) =>
    propertiesOf(contract, each),
  )
  return {
    properties: Object.assign(
      {},
      ...parts.map(({ properties }) => properties),
      value.properties,
    ) as Readonly<Record<string, Schema>>,
    required: [...parts.flatMap(({ required }) => required), ...(value.required ?? [])],
  }
}

interface PartialObject {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

const isExplained = (contract: Contract, schema: Schema): boolean =>
  Object.keys(propertiesOf(contract, schema).properties).length > 0

const anyOf = (kinds: readonly TypeText[]): TypeText => ({
  type: [...new Set(kinds.map(({ type }) => type))].join(' or '),
  objects: [...new Set(kinds.flatMap(({ objects }) => objects))],
})

function plainType(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return oneOf((schema.enum as readonly unknown[]).map(String))
  const type = [schema.type ?? 'object'].flat().join(' or ')
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type
}

/** `a, b or c` */
const oneOf = (words: readonly string[]): string =>
  [...words.slice(0, -2), words.slice(-2).join(' or ')].join(', ')

const LIMITS = [
  ['minimum', 'from'],
  ['maximum', 'to'],
  ['maxLength', 'at most', 'characters'],
  ['default', 'default'],
] as const

const limits = (schema: Schema): string[] =>
  LIMITS.flatMap(([keyword, ...words]) =>
    schema[keyword] === undefined
      ? []
      : [[words[0], schema[keyword], words[1]].filter((word) => word !== undefined).join(' ')],
  )

/** A schema's information besides its type. */
export interface ExplainedType {
  readonly description: string
  /** A regular expression. */
  readonly pattern: string | undefined
  /** As text, objects as JSON. */
  readonly examples: readonly string[]
}

/**
 * Returns the description at the use of a schema, or else the schema's own; for a nullable value,
 * the value's.
 */
export function explainType(contract: Contract, schema: Schema): ExplainedType {
  const [only, ...others] = ((schema.oneOf ?? []) as readonly Schema[]).filter(
    ({ type }) => type !== 'null',
  )
  const inner = only && others.length === 0 ? only : schema
  const referenced =
    typeof inner.$ref === 'string' ? at<Schema>(contract, inner.$ref.slice(1)).value : inner
  const { description = '', pattern, examples = [] } = { ...referenced, ...schema }
  return { description, pattern, examples: examples.map(textOf) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
