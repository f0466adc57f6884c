import { readFileSync } from 'node:fs'
import type { Row, Section } from './rows.ts'

const SPECIFICATION = readFileSync(
  new URL('../../../docs/inside/specification.md', import.meta.url),
  'utf8',
)

/**
 * Returns statements of the specification that have no row, as "heading: name". A statement is a
 * row of a table, with its first cell as name, or a name in a list. A program cannot find the
 * statements inside sentences.
 */
export function missingRows(sections: readonly Section[]): string[] {
  return statements().flatMap(({ headings, name }) => {
    const section = headings
      .map((heading) => sections.find(({ title }) => `${heading} `.startsWith(`${title} `)))
      .find(Boolean)
    return section?.rows.some((row) => isAbout(row, name)) ? [] : [`${headings[0]}: ${name}`]
  })
}

/**
 * Returns true if a row contains the name, in upper or lower case and not as a part of a longer
 * name.
 */
function isAbout({ says }: Row, name: string): boolean {
  const text = ` ${says.toLowerCase()} `
  const wanted = name.toLowerCase()
  const at = text.indexOf(wanted)
  return at > 0 && !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + wanted.length))
}

/** Returns the names of all statements, each with its headings, the nearest heading first. */
function statements(): { headings: readonly string[]; name: string }[] {
  let headings: readonly string[] = []
  return SPECIFICATION.split('\n').flatMap((line) => {
    const [, marks = '', title = ''] = /^(#+) (.*)/.exec(line) ?? []
    if (title) headings = [title, ...headings.slice(1 - marks.length)].slice(0, marks.length)
    return namesIn(line, headings[0] ?? '').map((name) => ({ headings, name }))
  })
}

const HEADS = new Set([
  'Field',
  'Param',
  'Status',
  'State',
  'Method',
  'Kind',
  'Event',
  'Subject',
  '---',
])

function namesIn(line: string, heading: string): string[] {
  if (line.startsWith('|')) {
    const [, first = '', second = '', , next = ''] = line.split('|').map((cell) => cell.trim())
    if (HEADS.has(first)) return []
    if (heading.startsWith('Endpoints')) return [`${first} ${second.replace(/ \(.*/, '')}`]
    if (first === '(none)') return [`(none) -> ${next}`]
    return listed(first)
  }
  const [, variables] =
    /^- \w+: (.*)\.$/.exec(heading.startsWith('Template variables') ? line : '') ?? []
  if (variables) return listed(variables.replace(/\[(.*)\]/, ''))
  const [, list] =
    /(?:^Fields: |^Values: |Params: |^Filterable .* fields: |^(?=SEK, ))([\w, ()=]+)\./.exec(
      line.replace(/^- /, ''),
    ) ?? []
  return list ? listed(list) : []
}

/** Splits a list at its commas, and removes notes in brackets. */
const listed = (text: string): string[] =>
  text
    .replace(/ \(.*?\)/g, '')
    .split(', ')
    .map((name) => name.trim())
