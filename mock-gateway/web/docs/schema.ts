import { at, type Contract, type Schema } from './contract.ts'
import { code, prose } from './markdown.ts'

/** One parameter of a call, or one field of an object, in Markdown. */
export interface Row {
  readonly name: string
  readonly isRequired: boolean
  readonly type: string
  readonly meaning: string
}

/** Follows the reference of a schema. */
export const resolveSchema = (contract: Contract, schema: Schema): Schema =>
  typeof schema.$ref === 'string' ? at<Schema>(contract, schema.$ref.slice(1)).value : schema

/**
 * Describes the type of a schema in Markdown: `integer`, `sek, eur or usd`, `list of Item`. Objects
 * with fields are links to their pages.
 */
export function describeType(contract: Contract, schema: Schema): string {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  const value = resolveSchema(contract, schema)
  if (name !== undefined && listRows(contract, value).length > 0)
    return `[${name}](objects/${name})`
  if (typeof value.title === 'string') return prose(value.title)
  const either = (value.oneOf ?? value.anyOf) as readonly Schema[] | undefined
  if (either) return [...new Set(either.map((each) => describeType(contract, each)))].join(' or ')
  if (value.items) return `list of ${describeType(contract, value.items)}`
  if (value.properties) return prose(`object of ${Object.keys(value.properties).join(', ')}`)
  return prose([describePlainType(value), ...limits(value)].join(', '))
}

function describePlainType(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const words = (schema.enum as readonly unknown[] | undefined)?.map(String)
  if (words) return [...words.slice(0, -2), words.slice(-2).join(' or ')].join(', ')
  const type = [schema.type ?? 'object'].flat().join(' or ')
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type
}

const LIMITS = {
  minimum: 'from #',
  maximum: 'to #',
  maxLength: 'at most # characters',
  default: 'default #',
}

const limits = (schema: Schema): string[] =>
  Object.entries(LIMITS).flatMap(([keyword, text]) =>
    schema[keyword] === undefined ? [] : [text.replace('#', () => String(schema[keyword]))],
  )

/**
 * Describes the meaning of a value in Markdown: description, pattern and examples. The description
 * at the use of a schema comes first, then the schema's own; for a nullable value, the value's.
 */
export function describeMeaning(contract: Contract, schema: Schema): string {
  const [only, ...others] = ((schema.oneOf ?? []) as readonly Schema[]).filter(
    ({ type }) => type !== 'null',
  )
  const inner = only && others.length === 0 ? only : schema
  const {
    description = '',
    pattern,
    examples = [],
  } = { ...resolveSchema(contract, inner), ...schema }
  const texts = examples.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  return [
    prose(description),
    pattern === undefined ? [] : `Pattern: ${code(pattern)}`,
    texts.length === 0 ? [] : `For example: ${texts.map(code).join(', ')}`,
  ]
    .flat()
    .filter((each) => each !== '')
    .join(' ')
}

/** Lists the fields of an object: the fields of `allOf` first. */
export function listRows(contract: Contract, schema: Schema): Row[] {
  const { properties, required } = collectProperties(contract, schema)
  return Object.entries(properties).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    // A type that names itself would never end.
    get type() {
      return describeType(contract, property)
    },
    get meaning() {
      return describeMeaning(contract, property)
    },
  }))
}

interface Properties {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

/** Collects the fields of an object: the fields of `allOf` first. */
export function collectProperties(contract: Contract, schema: Schema): Properties {
  const value = resolveSchema(contract, schema)
  const parts = (value.allOf ?? []).map((each) => collectProperties(contract, each))
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), value.properties),
    required: [...parts.flatMap(({ required }) => required), ...(value.required ?? [])],
  }
}
