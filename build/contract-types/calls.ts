import {
  type Answer,
  at,
  type Call,
  type Contract,
  listCalls,
  type Parameter,
  type RequestBody,
} from '../../mock-gateway/web/docs/contract.ts'
import { declare, formatted, typeName, writeType } from './typescript.ts'
import { wireTypes } from './wire.ts'

/** Calls of old clients that are other names of the same calls. */
const LEFT_OUT: ReadonlySet<string> = new Set(['updateTransactionAtV2', 'captureNothing'])

/** Every call as it is written, aliases and what a browser asks beforehand left out. */
export const callsToMake = (contract: Contract): readonly Call[] =>
  listCalls(contract).filter(
    ({ method, path, pointer, operation }) =>
      method !== 'options' &&
      !LEFT_OUT.has(operation.operationId) &&
      pointer.startsWith(`/paths/${path.replaceAll('/', '~1')}/`),
  )

/** The source of `mock-gateway/client/calls.ts`: its types and its table, from the contract. */
export function generateCalls(contract: Contract): string {
  const calls = callsToMake(contract).map((call) => describe(contract, call))
  const named = typesNamedBy(contract, calls)
  return formatted(
    [
      '// Generated from contract/openapi.yaml by `npm run generate`.',
      `import type { ${named.wire.join(', ')} } from '../contract/wire.ts'`,
      `import type { CallOptions, CallRow, List, PageAnswer } from './kinds.ts'`,
      '',
      ...named.declarations,
      '/** Every call of the contract, under its operationId. */',
      'export interface Calls {',
      ...calls.map(({ summary, signature }) => `/** ${summary}. */\n${signature}\n`),
      '}',
      '',
      '/** Method, server, path and kind of answer of each call. */',
      '// biome-ignore format: one line for each call',
      'export const CALLS = {',
      ...calls.map(({ name, row }) => `  ${name}: { ${row} },`),
      '} as const satisfies Readonly<Record<keyof Calls, CallRow>>',
      '',
    ].join('\n'),
  )
}

interface Described {
  readonly name: string
  readonly summary: string
  readonly signature: string
  readonly row: string
  /** Types that the signature names. */
  readonly types: readonly string[]
  /** The declarations of the parameter types. */
  readonly declarations: readonly string[]
}

function describe(contract: Contract, call: Call): Described {
  const { operation, method, path, servers, parameters } = call
  const name = operation.operationId
  const body =
    operation.requestBody && at<RequestBody>(contract, `${call.pointer}/requestBody`).value
  const [media] = Object.values(body?.content ?? {})
  const inPath = parameters.filter((each) => each.in === 'path')
  const query = parameters.filter((each) => each.in === 'query')
  const used: string[] = []
  const sent = media && writeType(contract, media.schema, used)
  const isOptional = !query.some((each) => each.required) && !body?.required
  const answer = describeAnswer(contract, call, used)
  const groups = Map.groupBy(query, (each) => SHARED.get(each.name) ?? 'Query')
  const named = [...groups].map(
    ([group, some]) => [groupName(group, name, answer.item, some), some] as const,
  )
  const takes = [sent, ...named.map(([each]) => each)]
    .filter((each) => each !== undefined)
    .join(' & ')
  const args = [
    ...inPath.map((each) => `${each.name}: ${writeType(contract, each.schema, used)}`),
    ...(takes ? [`parameters${isOptional ? '?' : ''}: ${takes}`] : []),
    'options?: CallOptions',
  ]
  const server = /\{(\w+)_url\}/.exec(servers[0]?.url ?? '')?.[1]
  return {
    name,
    summary: operation.summary,
    signature: `${name}(${args.join(', ')}): ${answer.type}`,
    row: [
      `method: '${method.toUpperCase()}', server: '${server}', path: '${path}'`,
      `answers: '${answer.kind}'${takes ? '' : ', takes: false'}`,
    ].join(', '),
    types: used,
    declarations: named.map(([each, some]) =>
      declare(contract, each, collectParameters(some), used),
    ),
  }
}

/** Parameters of every list, which have types of their own. */
const SHARED: ReadonlyMap<string, 'Filter' | 'PageQuery'> = new Map([
  ['filter', 'Filter'],
  ...['limit', 'offset', 'start_id', 'order_by'].map((name) => [name, 'PageQuery'] as const),
])

/** Lists of the same things share a type, and calls that take the same few. */
function groupName(
  group: string,
  call: string,
  item: string | undefined,
  parameters: readonly Parameter[],
): string {
  if (group === 'PageQuery') return group
  if (group === 'Filter') return `${item}Filter`
  return parameters.length > 3
    ? `${capital(call)}Query`
    : `${parameters.flatMap(({ name }) => name.split('_').map(capital)).join('')}Query`
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const collectParameters = (parameters: readonly Parameter[]) => ({
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [
      name,
      { ...(description && { description }), ...schema },
    ]),
  ),
  required: parameters.filter((each) => each.required).map((each) => each.name),
})

/** Returns the type of a call's successful answer. */
function describeAnswer(contract: Contract, { operation, pointer }: Call, used: string[]) {
  const [status = ''] = Object.keys(operation.responses)
  const { content = {} } = at<Answer>(contract, `${pointer}/responses/${status}`).value
  const json = content['application/json']
  if (json?.schema.type === 'array') {
    const item = writeType(contract, json.schema.items ?? {}, used)
    return { kind: 'list', type: `List<${item}>`, item }
  }
  if (json) return { kind: 'json', type: `Promise<${writeType(contract, json.schema, used)}>` }
  if (content['text/html']) return { kind: 'page', type: 'Promise<PageAnswer>' }
  return { kind: 'text', type: 'Promise<string>' }
}

/** The named types, and the types that they name in turn. */
function typesNamedBy(contract: Contract, calls: readonly Described[]) {
  const wire = wireTypes(contract)
  const declarations = new Map<string, string>()
  const waiting = calls.flatMap(({ types }) => types)
  for (const name of waiting) {
    if (!wire.has(name) && !declarations.has(name)) {
      const used: string[] = []
      declarations.set(name, declare(contract, name, contract.components.schemas[name] ?? {}, used))
      waiting.push(...used)
    }
  }
  return {
    wire: [...new Set(waiting)]
      .filter((name) => wire.has(name))
      .map(typeName)
      .sort(),
    declarations: new Set([
      ...declarations.values(),
      ...calls.flatMap(({ declarations }) => declarations),
    ]),
  }
}
