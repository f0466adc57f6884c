import { LIBRARY_ADVICE } from '../../contract/library-advice.ts'
import { CATALOGUE } from '../../domain/errors/catalogue.ts'
import { keyOf } from '../../domain/errors/errors.ts'
import { type Answer, at, type Call, type Contract, callsOf, part, type RequestBody, type Schema } from './contract.ts'
import { type CurlMaker, exampleOf } from './curl.ts'
import { headerRows } from './headers.ts'
import { provocationOf } from './provocations.ts'
import { type Explained, explained, propertiesOf, type Typed, typeOf } from './types.ts'

/** One parameter of a call, or one field of an object. */
interface Row extends Typed, Explained {
  readonly name: string
  readonly where: string
  readonly required: boolean
}

/** What the template of the page shows. */
export interface DocsPage {
  readonly info: Contract['info']
  /** Names of the headers that every answer has. */
  readonly common: readonly string[]
  readonly groups: readonly { readonly name: string; readonly description: string; readonly calls: readonly object[] }[]
  readonly objects: readonly { readonly name: string; readonly description: string; readonly rows: readonly Row[] }[]
  readonly headers: readonly object[]
  readonly errors: readonly object[]
  /** What the browser library says on the console. */
  readonly advice: readonly object[]
}

/** Puts the page together from the document alone; nothing on it is written twice. */
export function docsPage(contract: Contract, curl: CurlMaker): DocsPage {
  const calls = callsOf(contract)
  // An alias stands beside the call that it is an alias of.
  const written = calls.filter((call) => call.pointer.startsWith(`/paths${part(call.path)}/`))
  const common = headersOfAll(written.flatMap((call) => answersOf(contract, call)))
  const show = (call: Call) => ({
    description: '',
    ...call.operation,
    method: call.method.toUpperCase(),
    path: call.path,
    aliases: calls.filter((one) => one.pointer === call.pointer && one.path !== call.path).map(({ path }) => path),
    login: loginOf(call),
    rows: [...parameterRows(contract, call), ...bodyRows(contract, call)],
    answers: answersOf(contract, call).map((answer) => ({
      ...answer,
      headers: answer.headers.filter((name) => !common.includes(name)),
    })),
    errors: call.operation['x-errors'],
    forced: call.operation['x-forced-errors'] ?? false,
    curl: curl(contract, call),
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
    // A code that stands for two names leads to the first of them.
    errors: CATALOGUE.map((row, index) => ({
      ...row,
      how: provocationOf(keyOf(row)),
      again: CATALOGUE.findIndex(({ code }) => code === row.code) < index,
    })),
    advice: Object.entries(LIBRARY_ADVICE).map(([code, [wrong, right]]) => ({ code, wrong, right })),
  }
}

function loginOf({ operation: { security } }: Call): string {
  if (security === undefined) return 'HTTP Basic: merchant id and API password'
  return security.length > 1 ? 'HTTP Basic, or merchant_id and hash' : 'none'
}

function parameterRows(contract: Contract, { parameters }: Call): Row[] {
  return parameters.flatMap(({ name, in: where, required = false, description, example, schema }) => {
    // Conditions of lists: each field is written in brackets.
    if (schema.properties)
      return rowsOf(contract, schema, where).map((row) => ({ ...row, name: `${name}[${row.name}]` }))
    const examples = example === undefined ? {} : { examples: [example] }
    const said = explained(contract, { ...schema, ...(description ? { description } : {}), ...examples })
    return { name, where, required, ...said, ...typeOf(contract, schema) }
  })
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
    ...explained(contract, property),
    ...typeOf(contract, property),
  }))
}

function answersOf(contract: Contract, { pointer, operation }: Call) {
  return Object.keys(operation.responses).map((status) => {
    const { description, headers, content = {} } = at<Answer>(contract, `${pointer}/responses/${status}`).value
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
  (answers[0]?.headers ?? []).filter((name) => answers.every(({ headers }) => headers.includes(name)))

/** The objects that answers and parameters are made of. */
function objectsOf(contract: Contract) {
  return Object.entries(contract.components.schemas)
    .map(([name, schema]) => ({ name, description: schema.description ?? '', rows: rowsOf(contract, schema, '') }))
    .filter(({ rows }) => rows.length > 0)
}
