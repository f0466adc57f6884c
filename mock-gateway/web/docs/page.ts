import { LIBRARY_ADVICE } from '../../../sdk/shared/advice-texts.ts'
import { CATALOGUE } from '../../domain/errors/catalogue.ts'
import { type CatalogueEntry, keyOf } from '../../domain/errors/errors.ts'
import {
  type Answer,
  at,
  type Call,
  type Contract,
  callsOf,
  part,
  type RequestBody,
  type Schema,
} from './contract.ts'
import { exampleOf } from './curl.ts'
import { type HeaderRow, headerRows } from './headers.ts'
import { provocationOf } from './provocations.ts'
import { type ExplainedType, explainType, propertiesOf, type TypeText, typeOf } from './types.ts'

/** One parameter of a call, or one field of an object. */
export interface Row extends TypeText, ExplainedType {
  readonly name: string
  readonly where: string
  readonly required: boolean
}

/** A call with its view data. */
export interface CallView
  extends Readonly<Record<'operationId' | 'summary' | 'description' | 'method' | 'login', string>> {
  readonly call: Call
  readonly aliases: readonly string[]
  readonly rows: readonly Row[]
  readonly answers: readonly AnswerView[]
  /** Numbers of the catalogue. */
  readonly errors: readonly number[]
  /** True if a test may request any other error. */
  readonly forced: boolean
}

interface AnswerView extends Readonly<Record<'status' | 'description' | 'type', string>> {
  /** Names of the headers that not every response has. */
  readonly headers: readonly string[]
  readonly body: TypeText | null
  readonly example: string | null
}

/** A named group of fields. */
export interface ObjectView {
  readonly name: string
  readonly description: string
  readonly rows: readonly Row[]
}

/** Content of the documentation about the contract. */
export interface DocsPage {
  readonly info: Contract['info']
  /** Names of the headers of every response. */
  readonly common: readonly string[]
  readonly groups: readonly {
    readonly name: string
    readonly description: string
    readonly calls: readonly CallView[]
  }[]
  readonly objects: readonly ObjectView[]
  readonly headers: readonly HeaderRow[]
  /** Errors with the way to trigger each. */
  readonly errors: readonly (CatalogueEntry & { readonly how: string })[]
  /** Messages of the browser library on the console. */
  readonly advice: readonly Readonly<Record<'code' | 'wrong' | 'right', string>>[]
}

/** Builds the content from the document alone. */
export function docsPage(contract: Contract): DocsPage {
  const calls = callsOf(contract)
  // An alias is listed with its call.
  const written = calls.filter((call) => call.pointer.startsWith(`/paths${part(call.path)}/`))
  const common = headersOfAll(written.flatMap((call) => answersOf(contract, call)))
  const show = (call: Call): CallView => ({
    call,
    operationId: call.operation.operationId,
    summary: call.operation.summary,
    description: call.operation.description ?? '',
    method: call.method.toUpperCase(),
    aliases: calls
      .filter((one) => one.pointer === call.pointer && one.path !== call.path)
      .map(({ path }) => path),
    login: loginOf(call),
    rows: [...parameterRows(contract, call), ...bodyRows(contract, call)],
    answers: answersOf(contract, call).map((answer) => ({
      ...answer,
      headers: answer.headers.filter((name) => !common.includes(name)),
    })),
    errors: call.operation['x-errors'],
    forced: call.operation['x-forced-errors'] ?? false,
  })
  return {
    info: contract.info,
    common,
    groups: contract.tags.map(({ name, description }) => ({
      name,
      description,
      calls: written.filter(({ operation }) => operation.tags.includes(name)).map(show),
    })),
    objects: objectsOf(contract),
    headers: headerRows(contract, written),
    errors: CATALOGUE.map((row) => ({ ...row, how: provocationOf(keyOf(row)) })),
    advice: Object.entries(LIBRARY_ADVICE).map(([code, [wrong, right]]) => ({
      code,
      wrong,
      right,
    })),
  }
}

function loginOf({ operation: { security } }: Call): string {
  if (security === undefined) return 'HTTP Basic: merchant id and API password'
  return security.length > 1 ? 'HTTP Basic, or merchant_id and hash' : 'none'
}

function parameterRows(contract: Contract, { parameters }: Call): Row[] {
  return parameters.flatMap(
    ({ name, in: where, required = false, description, example, schema }) => {
      // Conditions of lists: each field is written in brackets.
      if (schema.properties)
        return rowsOf(contract, schema, where).map((row) => ({
          ...row,
          name: `${name}[${row.name}]`,
        }))
      const examples = example === undefined ? {} : { examples: [example] }
      const explained = explainType(contract, {
        ...schema,
        ...(description ? { description } : {}),
        ...examples,
      })
      return { name, where, required, ...explained, ...typeOf(contract, schema) }
    },
  )
}

function bodyRows(contract: Contract, { pointer, operation }: Call): Row[] {
  if (!operation.requestBody) return []
  const [media] = Object.values(at<RequestBody>(contract, `${pointer}/requestBody`).value.content)
  return media ? rowsOf(contract, media.schema, 'body') : []
}

function rowsOf(contract: Contract, schema: Schema, where: string): Row[] {
  const { properties, required } = propertiesOf(contract, schema)
  return Object.entries(properties).map(([name, property]) => ({
    name,
    where,
    required: required.includes(name),
    ...explainType(contract, property),
    ...typeOf(contract, property),
  }))
}

function answersOf(contract: Contract, { pointer, operation }: Call) {
  return Object.keys(operation.responses).map((status) => {
    const {
      description,
      headers,
      content = {},
    } = at<Answer>(contract, `${pointer}/responses/${status}`).value
    const [type, media] = Object.entries(content)[0] ?? []
    return {
      status,
      description,
      type: type ?? '',
      headers: Object.keys(headers),
      body: media ? typeOf(contract, media.schema) : null,
      example: (media && JSON.stringify(exampleOf(contract, media), null, 2)) ?? null,
    }
  })
}

const headersOfAll = (answers: readonly { readonly headers: readonly string[] }[]): string[] =>
  (answers[0]?.headers ?? []).filter((name) =>
    answers.every(({ headers }) => headers.includes(name)),
  )

/** Lists the objects in responses and parameters. */
function objectsOf(contract: Contract) {
  return Object.entries(contract.components.schemas)
    .map(([name, schema]) => ({
      name,
      description: schema.description ?? '',
      rows: rowsOf(contract, schema, ''),
    }))
    .filter(({ rows }) => rows.length > 0)
}
