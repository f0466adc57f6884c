import { CATALOGUE } from '../../domain/errors/catalogue.ts'
import { type ErrorKey, getKey } from '../../domain/errors/errors.ts'
import type { Call } from './contract.ts'
import { code, fence, prose, table } from './markdown.ts'

/** Texts of `docs/errors.md` about errors, in Markdown. */
export interface ErrorTexts {
  /** Text above the sections about single errors. */
  readonly beginning: string
  /** Cause and fix of errors that people meet while they integrate a shop, by name. */
  readonly advice: ReadonlyMap<string, readonly [cause: string, fix: string]>
  /** Requests that get an error, by name. */
  readonly requests: ReadonlyMap<string, string>
  /** Returns a request that gets the error. */
  readonly requestFor: (key: ErrorKey) => string
}

/**
 * Reads `docs/errors.md`: a section for each explained error, and a table of requests. Errors
 * without a request there are requested in test mode (specification: Metadata).
 */
export function readErrorTexts(markdown: string): ErrorTexts {
  const [beginning = '', ...sections] = markdown.split(/^(?=###? )/m)
  const advice = new Map(
    sections.flatMap((section) => {
      const [heading = '', cause, fix] = section.split('\n\n')
      return cause && fix && heading.startsWith('### errors.')
        ? [[heading.slice('### '.length), [cause, fix.trim()]] as const]
        : []
    }),
  )
  const requests = new Map(
    [...markdown.matchAll(/^\| `(errors\.[\w.]+)` \| (.*) \|$/gm)].map(
      ([, name = '', request = '']) => [name, request],
    ),
  )
  const requestFor = (key: ErrorKey) =>
    requests.get(key) ?? `\`metadata[service_instructions][fail_as_code]=${key}\``
  return { beginning, advice, requests, requestFor }
}

/** Builds the list of all errors. */
export const writeErrorsPage = ({ beginning }: ErrorTexts): string =>
  [
    beginning.trim(),
    table(
      ['Code', 'Name', 'Status', 'Description'],
      CATALOGUE.map(({ code: number, name, http, en }) => [
        `[${number}](errors/${number})`,
        code(name),
        String(http),
        prose(en),
      ]),
    ),
  ].join('\n\n')

/** Returns the heading of an error's page, such as "Hash is wrong (error 107)". */
const headingOfError = (number: number): string => {
  const { en = '' } = CATALOGUE.find(({ code }) => code === number) ?? {}
  const [mistake] = en.replace(/ \([^)]*\)/g, '').split(/[;:]/)
  return `${mistake} (error ${number})`
}

/** Builds the page of an error. @param calls of the API */
export function errorPage(
  number: number,
  { advice, requestFor }: ErrorTexts,
  calls: readonly Call[],
): string {
  const parts = CATALOGUE.filter((row) => row.code === number).flatMap((row) => {
    const { name, http, en, sv } = row
    const [cause, fix] = advice.get(name) ?? []
    return [
      `## ${name}`,
      prose(en),
      `In Swedish: ${prose(sv)}`,
      `Status: ${http}`,
      ...(cause && fix ? ['### Cause', cause, '### Fix', fix] : []),
      '### Example',
      `To trigger it: ${requestFor(getKey(row))}. With \`locale=en\`, the answer is:`,
      fence('json', JSON.stringify({ name, code: number, description: en }, null, 2)),
    ]
  })
  const callers = calls
    .filter(({ operation }) => operation['x-errors'].includes(number))
    .map(
      ({ method, path, operation }) =>
        `- [${method.toUpperCase()} ${prose(path)}](calls/${operation.operationId})`,
    )
  return [
    `# ${headingOfError(number)}`,
    ...parts,
    'The header [Mondido-Explain](headers#mondido-explain) of the answer explains the mistake and the fix. All others: [errors](errors).',
    ...(callers.length === 0 ? [] : ['## Calls that return it', callers.join('\n')]),
  ].join('\n\n')
}
