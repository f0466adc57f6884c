import { SUBJECTS } from '../../mock-gateway/operations/table.ts'
import { createControlDocument } from '../../mock-gateway/web/control/document.ts'
import {
  type Answer,
  at,
  type Call,
  type Contract,
  listCalls,
  type RequestBody,
} from '../../mock-gateway/web/docs/contract.ts'
import { declare, writeType } from './typescript.ts'

const listAllOperations = () => SUBJECTS.flatMap(({ operations }) => operations)

/** The source of `mock-gateway/client/operations.ts`: the typed calls, and their routes. */
export function generateOperations(): string {
  const document = createControlDocument() as Contract
  const used: string[] = []
  const signatures = listCalls(document).map((call) => ({
    name: call.operation.operationId,
    source: writeSignature(document, call, used),
  }))
  const subjects = Map.groupBy(signatures, ({ name }) => name.split('.')[0] ?? '')
  const types = new Map<string, string>()
  for (const name of used)
    if (!types.has(name) && name !== 'Metadata')
      types.set(name, declare(document, name, document.components.schemas[name] ?? {}, used))
  return [
    '// Generated from mock-gateway/operations by `npm run generate`.',
    '// biome-ignore-all format: one line for each type and each operation',
    'type Metadata = { readonly [key: string]: unknown }',
    ...[...types.values()].map(onOneLine),
    '',
    '/** Every operation of the sandbox, by its name. */',
    'export interface Operations {',
    ...[...subjects].flatMap(([subject, some]) => [
      `  readonly ${subject}: {`,
      ...some.map(({ source }) => `    ${source}`),
      '  }',
    ]),
    '}',
    '',
    '/** The route of each operation. */',
    'export const ROUTES = {',
    ...listAllOperations().map(({ name, route }) => `  '${name}': '${route}',`),
    '}',
    '',
  ].join('\n')
}

/** Writes a declaration without its comments, on one line. */
const onOneLine = (source: string): string =>
  source
    .replace(/\/\*\*.*?\*\/\n/gs, '')
    .trim()
    .replace(/\{\n/g, '{ ')
    .replace(/\n\}/g, ' }')
    .replace(/\n/g, '; ')

function writeSignature(document: Contract, call: Call, used: string[]): string {
  const { operation, pointer, parameters } = call
  const body = operation.requestBody && at<RequestBody>(document, `${pointer}/requestBody`).value
  const sent = Object.values(body?.content ?? {})[0]?.schema
  const listed = parameters.map(({ name, schema }) => [name, schema] as const)
  const schema = {
    type: 'object',
    properties: { ...Object.fromEntries(listed), ...sent?.properties },
    required: [
      ...parameters
        .filter(({ required, in: place }) => required || place === 'path')
        .map((one) => one.name),
      ...(sent?.required ?? []),
    ],
  }
  const { content = {} } = at<Answer>(document, `${pointer}/responses/200`).value
  const answers = Object.entries(content).map(([type, { schema: answer }]) =>
    type === 'application/json' ? writeType(document, answer, used) : 'string',
  )
  const mark = schema.required.length > 0 ? '' : '?'
  const input =
    Object.keys(schema.properties).length > 0
      ? `input${mark}: ${writeType(document, schema, used)}`
      : ''
  const verb = operation.operationId.split('.')[1]
  const answer = onOneLine(answers.join(' | '))
  return `/** ${operation.summary}. */\n    ${verb}(${onOneLine(input)}): Promise<${answer}>`
}

/** The table of all operations in `docs/reference/control.md`. */
export const writeOperationRows = (): string =>
  [
    '| Operation | Call | Effect |',
    '|---|---|---|',
    ...listAllOperations().map(
      ({ name, route, does }) => `| \`${name}\` | \`${route}\` | ${does} |`,
    ),
  ].join('\n')

/** Replaces the table of operations in a document. */
export const withOperationRows = (markdown: string): string =>
  markdown.replace(/\| Operation \| Call \|.*?(?=\n\n)/s, writeOperationRows())
