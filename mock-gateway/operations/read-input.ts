import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { GatewayError } from '../domain/errors/errors.ts'
import { readId } from '../domain/identifiers.ts'
import { nameForExplain } from '../domain/json.ts'
import {
  integer,
  list,
  object,
  type Parameters,
  readYesOrNo,
  text,
} from '../parsing/parameters/parameters.ts'
import type { Operation } from './operation.ts'

/** Parameters of every operation. */
const COMMON = ['locale', 'merchant_id']

/** Lists the fields of an operation that its path contains. */
export const listPathFields = ({ route }: Pick<Operation, 'route'>): string[] =>
  [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/**
 * Reads the input of an operation from a query, form or JSON body. Texts become what the schema
 * requires; an empty text counts as missing.
 * @param inPath values from the address; an invalid id becomes -1, which no row has
 * @throws GatewayError for the first mistake, with the correct value
 */
export function readInput(
  operation: InputReader,
  parameters: Parameters,
  inPath: Readonly<Record<string, string>> = {},
): never {
  const { shape } = operation.input
  const names = Object.keys(shape).filter((name) => !(name in inPath))
  refuseUnknown(operation, [...names, ...COMMON], parameters)
  const sent: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shape)) {
    const value =
      name in inPath
        ? readPathValue(unwrapSchema(schema), inPath[name] ?? '')
        : readValue(operation, unwrapSchema(schema), name, parameters)
    if (value !== undefined) sent[name] = value
  }
  const result = operation.input.safeParse(sent)
  if (result.success) return result.data as never
  const [issue] = result.error.issues
  throw invalid(operation, explainIssue(shape, issue as z.core.$ZodIssue))
}

/** What is read of an operation. */
export type InputReader = Pick<Operation, 'input' | 'errors'>

const invalid = ({ errors }: InputReader, explain: string) =>
  new GatewayError(errors.invalid, { explain })

/** A misspelt name could inject a fault without effect, or move the common clock. */
function refuseUnknown(
  { errors }: InputReader,
  known: readonly string[],
  parameters: Parameters,
): void {
  const unknown = Object.keys(parameters).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const near = unknown.length <= 40 ? closest(unknown, known) : ''
  const meant = near && distance(unknown, near) <= 2 ? ` Did you mean ${near}?` : ''
  throw new GatewayError(errors.unknown, {
    explain: `${nameForExplain(unknown)} is not a parameter of this call.${meant} Its parameters are ${known.join(', ')}.`,
  })
}

/** A field of an operation's input, for people. */
export interface InputField {
  readonly name: string
  readonly kind: 'number' | 'choice' | 'json' | 'text'
  readonly choices: readonly string[]
  readonly description: string
  readonly isRequired: boolean
  /** Value of a field that is not sent; empty if it has none. */
  readonly usual: string
}

/** Lists the fields of an operation's input. */
export const listFields = ({ input }: Pick<Operation, 'input'>): InputField[] =>
  Object.entries(input.shape).map(([name, schema]) => {
    const base = unwrapSchema(schema)
    const choices = listChoices(base)
    const { success, data } = z.safeParse(schema, undefined)
    return {
      name,
      kind: choices.length > 0 ? 'choice' : getKind(base),
      choices,
      description: String(z.globalRegistry.get(schema)?.description ?? ''),
      isRequired: !success,
      usual: data === undefined || typeof data === 'object' ? '' : String(data),
    }
  })

function listChoices(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodBoolean) return ['true', 'false']
  return schema instanceof z.ZodEnum ? schema.options.map(String) : []
}

function getKind(schema: z.core.$ZodType): InputField['kind'] {
  if (schema instanceof z.ZodNumber) return 'number'
  return schema instanceof z.ZodObject || schema instanceof z.ZodUnknown ? 'json' : 'text'
}

/** Returns the schema of the value that is sent, without its optional parts. */
function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  )
    return unwrapSchema(schema.unwrap())
  return schema instanceof z.ZodPipe ? unwrapSchema(schema.in) : schema
}

const readPathValue = (schema: z.core.$ZodType, written: string): string | number =>
  schema instanceof z.ZodNumber ? readIdInPath(written) : written

/** Reads the id in an address; -1, which no row has, for other texts. */
export const readIdInPath = (written: string): number => readId(written) ?? -1

function readValue(
  { errors: { invalid: error } }: InputReader,
  schema: z.core.$ZodType,
  name: string,
  parameters: Parameters,
): unknown {
  if (schema instanceof z.ZodBoolean) return readYesOrNo(parameters, name)
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) {
    const value = object(parameters, name, error)
    return value && JSON.parse(JSON.stringify(value))
  }
  if (schema instanceof z.ZodArray) {
    const value = parameters[name]
    if (typeof value === 'string' && schema.element instanceof z.ZodString)
      return value.split(',').filter((each) => each !== '')
    const sent = list(parameters, name, error)
    return sent && JSON.parse(JSON.stringify(sent))
  }
  if (schema instanceof z.ZodUnknown) return parameters[name]
  const written = text(parameters, name)
  if (written === undefined) return undefined
  if (schema instanceof z.ZodNumber) {
    if (schema.isInt) return integer(parameters, name, error)
    return /^\d*\.?\d{1,9}$/.test(written) ? Number(written) : written
  }
  if (schema instanceof z.ZodEnum) {
    const upper = written.toUpperCase()
    return schema.options.includes(written)
      ? written
      : schema.options.includes(upper)
        ? upper
        : written
  }
  return written
}

/** Prefix without information: `Invalid input: expected string, received undefined`. */
const GENERAL = /^Invalid (?:input|option): /

/** Explains a mistake with the values that are allowed. A message with a full stop is complete. */
function explainIssue(shape: z.core.$ZodShape, { path, message, code }: z.core.$ZodIssue): string {
  if (message.endsWith('.')) return message
  const field = shape[String(path[0])]
  const { says = '', description = '' } = { ...(field && z.globalRegistry.get(field)) } as Words
  const allowed =
    code === 'custom' || !field ? undefined : (describeAllowed(unwrapSchema(field)) ?? says)
  if (path.length === 1 && allowed) return `${String(path[0])} must be ${allowed}.`
  const isMissing = /received undefined$/.test(message)
  if (isMissing) return `${path.join('.')} is missing. ${description}`.trim()
  return `${path.join('.')} ${message.replace(GENERAL, '')}.`
}

/** Words of a field for people. `says` continues "must be". */
interface Words {
  readonly says?: string
  readonly description?: string
}

/** Describes the values that a schema accepts, for "must be …"; undefined if it cannot. */
function describeAllowed(schema: z.core.$ZodType): string | undefined {
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`
  if (schema instanceof z.ZodNumber && schema.isInt)
    return `a whole number from ${schema.minValue} to ${schema.maxValue}`
  if (schema instanceof z.ZodNumber)
    return `a number above ${schema.minValue} and at most ${schema.maxValue}`
  return schema instanceof z.ZodString && schema.maxLength !== null
    ? `a text of ${schema.minLength ?? 0} to ${schema.maxLength} characters`
    : undefined
}
