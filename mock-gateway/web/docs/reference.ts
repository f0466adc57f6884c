import { ERROR_GUIDES } from './error-guides.ts'
import { MORE } from './guides.ts'
import { anchorOf, code, fence, prose, table } from './markdown.ts'
import type { CallView, DocsPage, ObjectView, Row } from './page.ts'
import { type DocPage, EXAMPLE_MARK, type Example } from './pages.ts'
import type { ExplainedType, TypeText } from './types.ts'

/** Group of the menu for pages that list the contract; a heading of `docs/index.md`. */
export const LOOK_UP = 'Look up'

/** Builds the pages about the API from the contract: one for each call, object and error. */
export function referencePages(docs: DocsPage, exampleOf: (call: CallView) => Example): DocPage[] {
  const callsWith = (error: number) =>
    docs.groups.flatMap(({ calls }) => calls.filter(({ errors }) => errors.includes(error)))
  return [
    ...docs.groups.flatMap(({ name, calls }) =>
      calls.map((call) => ({
        path: `calls/${call.operationId}`,
        title: call.summary,
        group: name,
        markdown: callPage(call),
        example: () => exampleOf(call),
      })),
    ),
    ...docs.objects.map((object) => ({
      path: `objects/${object.name}`,
      title: object.name,
      group: 'Objects',
      markdown: objectPage(object),
    })),
    { path: 'headers', title: 'Headers', group: LOOK_UP, markdown: headersPage(docs) },
    { path: 'errors', title: 'Errors', group: LOOK_UP, markdown: errorsPage(docs) },
    ...[...new Set(docs.errors.map(({ code }) => code))].map((number) => ({
      path: `errors/${number}`,
      title: `Error ${number}`,
      group: 'Errors',
      markdown: errorPage(docs, number, callsWith(number)),
    })),
    {
      path: 'advice',
      title: 'Messages of the browser library',
      group: LOOK_UP,
      markdown: advicePage(docs),
    },
  ]
}

/**
 * Builds the first page, with links to all others. It keeps every anchor of the earlier single
 * page, because answers, the library and bookmarks link to them. Each anchor is a line with the
 * main fact and a link.
 * @param index the Markdown of `docs/index.md`, which links to every guide
 * @param exampleOf of a call that can be tried has its example request
 */
export function firstPage(
  docs: DocsPage,
  index: string,
  exampleOf: (call: CallView) => Example,
): DocPage {
  const tryIt = (call: CallView) =>
    exampleOf(call).call ? ` [Try it](calls/${call.operationId}#try-it)` : ''
  const lines = (rows: readonly string[]) => rows.map((row) => `- ${row}`).join('\n')
  const at = (id: string, markdown: string) => `<span id="${id}">${markdown}</span>`
  // A browser opens the fold of an anchor.
  const fold = (heading: string, ...parts: readonly string[]) =>
    ['<details><summary>', heading, '</summary>', ...parts, '</details>'].join('\n\n')
  // Without its title. A line break instead of the colon separates a guide from its description.
  const [guides = '', more = ''] = index
    .slice(index.indexOf('## '))
    .replaceAll('): ', ') ')
    .split(`## ${MORE}\n`)
  const cards = (list: string) => `<div class="cards">\n\n${list}\n\n</div>`
  const markdown = [
    `# ${docs.info.title}`,
    prose(docs.info.summary),
    cards(guides),
    fold(`### ${MORE}`, cards(more)),
    '## How to call the API',
    prose(docs.info.description),
    'The API as data: [/openapi.json](/openapi.json), which Postman and Bruno import. All documents as plain text for programs: [/llms.txt](/llms.txt).',
    `Every answer has the headers ${docs.common.map(headerLink).join(', ')}.`,
    'The calls by subject:',
    ...docs.groups.map(({ name, description, calls }) =>
      fold(
        `### ${name}`,
        prose(description),
        lines(
          calls.map((each) => {
            const { operationId, method, call, summary } = each
            return at(
              operationId,
              `[${method} ${prose(call.path)}](calls/${operationId}): ${prose(summary)}.${tryIt(each)}`,
            )
          }),
        ),
      ),
    ),
    '## Objects, headers and errors',
    'Each has a page of its own. All errors: [one table](errors). All headers: [one page](headers).',
    fold(
      '### Objects',
      lines(docs.objects.map(({ name }) => at(`object-${name}`, `[${name}](objects/${name})`))),
    ),
    fold(
      '### Headers',
      lines(
        [...new Set(docs.headers.map(({ name }) => name))].map((name) =>
          at(`header-${name}`, headerLink(name)),
        ),
      ),
    ),
    fold(
      '### Errors',
      lines(
        docs.errors.map(({ code: number, name, en }, index) => {
          const line = `[${number}](errors/${number}) ${code(name)} ${prose(en)}`
          // A code with two names leads to the first of them.
          const isFirst = docs.errors.findIndex((each) => each.code === number) === index
          return isFirst ? at(`error-${number}`, line) : line
        }),
      ),
    ),
    fold(
      at('library', '### Messages of the browser library').replace(
        /^(<span[^>]*>)(### )(.*)$/,
        '$2$1$3',
      ),
      lines(
        docs.advice.map(({ code: name, wrong }) =>
          at(`library-${name}`, `[${name}](advice#${anchorOf(name)}): ${prose(wrong)}`),
        ),
      ),
    ),
  ].join('\n\n')
  return { path: '', title: docs.info.title, group: 'Start', markdown }
}

const headerLink = (name: string) => `[${name}](headers#${name.toLowerCase()})`

const typeLinks = ({ type, objects }: TypeText) =>
  prose(type).replace(/\w+/g, (word) =>
    objects.includes(word) ? `[${word}](objects/${word})` : word,
  )

/** Describes a value: meaning, format and examples. */
const meaning = ({ description, pattern, examples }: ExplainedType) =>
  [
    prose(description),
    pattern === undefined ? '' : `Pattern: ${code(pattern)}`,
    examples.length === 0 ? '' : `For example: ${examples.map(code).join(', ')}`,
  ]
    .filter((each) => each !== '')
    .join(' ')

const nameOf = ({ name, required }: Row) => `${code(name)}${required ? ' *required*' : ''}`

function callPage({
  call,
  summary,
  method,
  aliases,
  description,
  login,
  rows,
  answers,
  errors,
  forced,
}: CallView) {
  const also = aliases.map((alias) => `, also ${code(alias)}`).join('')
  const shownErrors = errors.map((number) => `[${number}](errors/${number})`).join(', ')
  const others = forced
    ? '; in test mode also any error requested with metadata.service\\_instructions'
    : ''
  return [
    `# ${summary}`,
    `**${method}** ${code(call.path)}${also}`,
    prose(description),
    `Login: ${login}`,
    EXAMPLE_MARK,
    ...(rows.length === 0
      ? []
      : [
          '## Parameters',
          table(
            ['Name', 'In', 'Type', 'Meaning'],
            rows.map((row) => [nameOf(row), row.where, typeLinks(row), meaning(row)]),
          ),
        ]),
    '## Answers',
    table(
      ['Status', 'Meaning', 'Body', 'More headers'],
      answers.map(({ status, description, type, body, headers }) => [
        status,
        prose(description),
        `${prose(type)}${body ? ` ${typeLinks(body)}` : ''}`,
        headers.map(headerLink).join(', '),
      ]),
    ),
    ...answers.flatMap(({ status, example, type }) =>
      example === null
        ? []
        : [`### ${status}, for example`, fence(type.includes('json') ? 'json' : '', example)],
    ),
    ...(errors.length === 0 ? [] : ['## Errors', `${shownErrors}${others}.`]),
  ].join('\n\n')
}

const objectPage = ({ name, description, rows }: ObjectView) =>
  [
    `# ${name}`,
    prose(description),
    table(
      ['Field', 'Type', 'Meaning'],
      rows.map((row) => [nameOf(row), typeLinks(row), meaning(row)]),
    ),
  ].join('\n\n')

const headersPage = ({ headers }: DocsPage) =>
  [
    '# Headers',
    'Headers of answers.',
    ...[...new Set(headers.map(({ name }) => name))].flatMap((name) => [
      `## ${name}`,
      ...headers
        .filter((row) => row.name === name)
        .map((row) => `${typeLinks(row)}. ${meaning(row)}`),
    ]),
  ].join('\n\n')

const errorsPage = ({ errors }: DocsPage) =>
  [
    '# Errors',
    'Each error has a page with its cause and the calls that return it.',
    table(
      ['Code', 'Name', 'Status', 'Description'],
      errors.map(({ code: number, name, http, en }) => [
        `[${number}](errors/${number})`,
        code(name),
        String(http),
        prose(en),
      ]),
    ),
  ].join('\n\n')

function errorPage({ errors }: DocsPage, number: number, calls: readonly CallView[]): string {
  const answeredBy = calls.map(
    ({ method, call, operationId }) => `- [${method} ${prose(call.path)}](calls/${operationId})`,
  )
  return [
    `# Error ${number}`,
    ...errors
      .filter((each) => each.code === number)
      .flatMap(({ name, http, en, sv, how }) => {
        const guide = ERROR_GUIDES[name]
        const answer = JSON.stringify({ name, code: number, description: en }, null, 2)
        return [
          `## ${name}`,
          prose(en),
          `In Swedish: ${prose(sv)}`,
          `Status: ${http}`,
          ...(guide ? ['### Cause', guide.cause, '### Fix', guide.fix] : []),
          '### Example',
          `To trigger it: ${how}. With \`locale=en\`, the answer is:`,
          fence('json', answer),
        ]
      }),
    'The header [Mondido-Explain](headers#mondido-explain) of the answer explains the mistake and the fix. All others: [errors](errors).',
    ...(answeredBy.length === 0 ? [] : ['## Calls that return it', answeredBy.join('\n')]),
  ].join('\n\n')
}

const advicePage = ({ advice }: DocsPage) =>
  [
    '# Messages of the browser library',
    'In test mode, the library writes these messages to the console of the browser.',
    ...advice.flatMap(({ code: name, wrong, right }) => [`## ${name}`, prose(wrong), prose(right)]),
  ].join('\n\n')

/** Formats the example of a call as Markdown. @param others in other languages */
export const exampleBlocks = (
  command: string,
  others: readonly (readonly [name: string, fence: string, text: string])[],
) =>
  [
    fence('sh', command),
    ...others.flatMap(([name, language, text]) => [`${name}:`, fence(language, text)]),
  ].join('\n\n')
