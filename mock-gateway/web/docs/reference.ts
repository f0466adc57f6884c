import { CATALOGUE } from '../../domain/errors/catalogue.ts'
import { LANGUAGES, type SampleCall } from '../pages/call-samples.ts'
import {
  type Answer,
  at,
  type Call,
  type Contract,
  type Header,
  listCalls,
  part,
  type RequestBody,
  type Schema,
} from './contract.ts'
import { findExample } from './curl.ts'
import { type ErrorTexts, errorPage, writeErrorsPage } from './errors.ts'
import { code, fence, prose, table } from './markdown.ts'
import { type DocPage, type Example, MORE } from './pages.ts'
import { describeMeaning, describeType, listRows, type Row } from './schema.ts'

/** Group of the menu for pages that list the contract; a heading of `docs/index.md`. */
const LOOK_UP = 'Look up'

/** The contract, and what its pages need of it. */
export interface Reference {
  readonly contract: Contract
  /** Calls at every address. */
  readonly all: readonly Call[]
  /** Calls at their first address; an alias is listed with its call. */
  readonly calls: readonly Call[]
  /** Names of the headers of every answer. */
  readonly common: readonly string[]
}

export function readReference(contract: Contract): Reference {
  const all = listCalls(contract)
  const calls = all.filter(({ path, pointer }) => pointer.startsWith(`/paths${part(path)}/`))
  const [first = {}, ...others] = calls
    .flatMap((call) => listAnswers(contract, call))
    .map(({ value }) => value.headers)
  const common = Object.keys(first).filter((name) => others.every((headers) => name in headers))
  return { contract, all, calls, common }
}

/** Builds the pages about the API from the contract: one for each call, object and error. */
export function createReferencePages(
  reference: Reference,
  errors: ErrorTexts,
  exampleFor: (call: Call) => Example,
): DocPage[] {
  const { contract, calls } = reference
  const objects = Object.entries(contract.components.schemas).filter(
    ([, schema]) => listRows(contract, schema).length > 0,
  )
  return [
    ...contract.tags.flatMap(({ name }) =>
      calls
        .filter(({ operation }) => operation.tags.includes(name))
        .map((call) => ({
          path: `calls/${call.operation.operationId}`,
          title: call.operation.summary,
          group: name,
          markdown: () => callPage(reference, call, exampleFor(call)),
          example: () => exampleFor(call),
        })),
    ),
    ...objects.map(([name, schema]) => ({
      path: `objects/${name}`,
      title: name,
      group: 'Objects',
      markdown: () => writeObjectPage(contract, name, schema),
    })),
    { path: 'objects', title: 'Objects', group: MORE, markdown: () => writeObjectList(objects) },
    { path: 'headers', title: 'Headers', group: MORE, markdown: () => writeHeadersPage(reference) },
    { path: 'errors', title: 'Errors', group: LOOK_UP, markdown: () => writeErrorsPage(errors) },
    ...[...new Set(CATALOGUE.map((row) => row.code))].map((number) => ({
      path: `errors/${number}`,
      title: `Error ${number}`,
      group: 'Errors',
      markdown: () => errorPage(number, errors, calls),
    })),
  ]
}

/**
 * Builds the first page, with links to all others.
 * @param index the Markdown of `docs/index.md`, which links to every guide
 */
export function createFirstPage(
  { contract, calls, common }: Reference,
  index: string,
  exampleFor: (call: Call) => Example,
): DocPage {
  const { summary, description } = contract.info
  // Without its title. A line break instead of the colon separates a guide from its description.
  const [guides = '', more = ''] = index
    .slice(index.indexOf('## '))
    .replaceAll('): ', ') ')
    .split(`## ${MORE}\n`)
  const inDiv = (list: string) => `<div>\n\n${list.trim()}\n\n</div>`
  const inTasks = (groups: string) => `<div class="tasks">\n\n${groups}\n\n</div>`
  // A column for each group. The first guide of a group is its first task.
  const columns = guides
    .split(/^(?=## )/m)
    .map(inDiv)
    .join('\n')
  const writeCallLine = (call: Call) => {
    const { operationId, summary } = call.operation
    const to = `calls/${operationId}`
    const tryIt = exampleFor(call).call ? ` [Try it](${to}#try-it)` : ''
    return `- [${call.method.toUpperCase()} ${prose(call.path)}](${to}): ${prose(summary)}.${tryIt}`
  }
  const markdown = [
    '# Documentation',
    prose(summary),
    inTasks(columns),
    fold(`### ${MORE}`, inTasks(inDiv(more))),
    '## Every call',
    '<div class="calls">',
    fold(
      '### How to call the API',
      prose(description),
      'The API as data: [/openapi.json](/openapi.json), which Postman and Bruno import. All documents as plain text for programs: [/llms.txt](/llms.txt).',
      `Every answer has the headers ${common.map(writeHeaderLink).join(', ')}.`,
      'All [objects](objects), all [headers](headers), all [errors](errors), all [messages of the browser library](reference/library-messages).',
    ),
    ...contract.tags.map((tag) =>
      fold(
        `### ${tag.name}`,
        prose(tag.description),
        calls
          .filter(({ operation }) => operation.tags.includes(tag.name))
          .map(writeCallLine)
          .join('\n'),
      ),
    ),
    '</div>',
  ].join('\n\n')
  return { path: '', title: 'Documentation', group: 'Start', markdown: () => markdown }
}

/** Folds parts of a page below a heading in Markdown. */
const fold = (heading: string, ...parts: readonly string[]) =>
  ['<details><summary>', heading, '</summary>', ...parts, '</details>'].join('\n\n')

const writeHeaderLink = (name: string) => `[${name}](headers#${name.toLowerCase()})`

/** Returns the answers of a call with their statuses and pointers. */
const listAnswers = (contract: Contract, { pointer, operation }: Call) =>
  Object.keys(operation.responses).map((status) => ({
    status,
    ...at<Answer>(contract, `${pointer}/responses/${status}`),
  }))

function describeLogin({ operation: { security } }: Call): string {
  if (security === undefined) return 'HTTP Basic: merchant id and API password'
  return security.length > 1 ? 'HTTP Basic, or merchant\\_id and hash' : 'none'
}

/** Returns the parameters of a call in Markdown, with their place. */
function listParameters(contract: Contract, call: Call): readonly (Row & { place: string })[] {
  const inAddress = call.parameters.flatMap(
    ({ name, in: place, required: isRequired = false, description, example, schema }) => {
      // Conditions of lists: each field is written in brackets.
      if (schema.properties)
        return listRows(contract, schema).map((row) => ({
          ...row,
          place,
          name: `${name}[${row.name}]`,
        }))
      const described = {
        ...schema,
        ...(description ? { description } : {}),
        ...(example === undefined ? {} : { examples: [example] }),
      }
      const [type, meaning] = [describeType(contract, schema), describeMeaning(contract, described)]
      return { name, isRequired, type, meaning, place }
    },
  )
  if (!call.operation.requestBody) return inAddress
  const { content } = at<RequestBody>(contract, `${call.pointer}/requestBody`).value
  const [media] = Object.values(content)
  const inBody = media ? listRows(contract, media.schema) : []
  return [...inAddress, ...inBody.map((row) => ({ ...row, place: 'body' }))]
}

const formatName = ({ name, isRequired }: Row) => `${code(name)}${isRequired ? ' *required*' : ''}`

function callPage({ contract, all, common }: Reference, call: Call, example: Example): string {
  const {
    summary,
    description = '',
    'x-errors': errors,
    'x-forced-errors': forced,
  } = call.operation
  const aliases = all.filter(({ pointer, path }) => pointer === call.pointer && path !== call.path)
  const parameters = listParameters(contract, call)
  const answers = listAnswers(contract, call).map(({ status, value }) => {
    const [type = '', media] = Object.entries(value.content ?? {})[0] ?? []
    return { status, value, type, media, body: media && findExample(contract, media) }
  })
  const others = forced
    ? '; in test mode also any error requested with metadata.service\\_instructions'
    : ''
  return [
    `# ${summary}`,
    `**${call.method.toUpperCase()}** ${code(call.path)}${aliases.map(({ path }) => `, also ${code(path)}`).join('')}`,
    prose(description),
    `Login: ${describeLogin(call)}`,
    '<div class="sample">',
    '## Example',
    fence('sh', example.command),
    example.call
      ? LANGUAGES.map(({ name, fence: language, write }) =>
          fold(name, fence(language, write(example.call as SampleCall))),
        )
      : [],
    '</div>',
    parameters.length === 0
      ? []
      : [
          '## Parameters',
          table(
            ['Name', 'In', 'Type', 'Meaning'],
            parameters.map((row) => [formatName(row), row.place, row.type, row.meaning]),
          ),
        ],
    '## Answers',
    table(
      ['Status', 'Meaning', 'Body', 'More headers'],
      answers.map(({ status, value, type, media }) => [
        status,
        prose(value.description),
        `${prose(type)}${media ? ` ${describeType(contract, media.schema)}` : ''}`,
        Object.keys(value.headers)
          .filter((name) => !common.includes(name))
          .map(writeHeaderLink)
          .join(', '),
      ]),
    ),
    answers.flatMap(({ status, type, body }) =>
      body === undefined
        ? []
        : [
            `### ${status}, for example`,
            fence(type.includes('json') ? 'json' : '', JSON.stringify(body, null, 2)),
          ],
    ),
    errors.length === 0
      ? []
      : [
          '## Errors',
          `${errors.map((number) => `[${number}](errors/${number})`).join(', ')}${others}.`,
        ],
  ]
    .flat(2)
    .join('\n\n')
}

const writeObjectPage = (contract: Contract, name: string, schema: Schema): string =>
  [
    `# ${name}`,
    prose(schema.description ?? ''),
    table(
      ['Field', 'Type', 'Meaning'],
      listRows(contract, schema).map((row) => [formatName(row), row.type, row.meaning]),
    ),
  ].join('\n\n')

const writeObjectList = (objects: readonly (readonly [name: string, schema: Schema])[]): string =>
  [
    '# Objects',
    table(
      ['Object', 'Meaning'],
      objects.map(([name, { description = '' }]) => [
        `[${name}](objects/${name})`,
        prose(description),
      ]),
    ),
  ].join('\n\n')

/** A header with several meanings has a line for each. */
function writeHeadersPage({ contract, calls }: Reference): string {
  const lines = new Map<string, readonly [name: string, line: string]>()
  for (const call of calls)
    for (const answer of listAnswers(contract, call))
      for (const name of Object.keys(answer.value.headers)) {
        const { value, pointer } = at<Header>(contract, `${answer.pointer}/headers${part(name)}`)
        const { description, schema, example } = value
        const described = { ...schema, description, ...(example ? { examples: [example] } : {}) }
        lines.set(pointer, [
          name,
          `${describeType(contract, schema)}. ${describeMeaning(contract, described)}`,
        ])
      }
  const byName = Map.groupBy([...lines.values()].toSorted(), ([name]) => name)
  const parts = [...byName].map(([name, rows]) => [`## ${name}`, ...rows.map(([, line]) => line)])
  return ['# Headers', 'Headers of answers.', ...parts.flat()].join('\n\n')
}
