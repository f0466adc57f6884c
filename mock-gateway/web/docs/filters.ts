import type { Explained, Typed } from './types.ts'

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const prose = (text: string) =>
  text
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('\n')

const code = (text: string) => `<code>${escapeHtml(text)}</code>`

/** What something is, how it is written, and what it looks like. */
const meaning = ({ description, pattern, examples }: Explained) =>
  [
    prose(description),
    ...(pattern === undefined ? [] : [`<p>Pattern: ${code(pattern)}</p>`]),
    ...(examples.length === 0 ? [] : [`<p>For example: ${examples.map(code).join(', ')}</p>`]),
  ].join('\n')

/** Names of objects lead to where they are explained. */
const type = ({ type, objects }: Typed) =>
  escapeHtml(type).replace(/\w+/g, (word) => (objects.includes(word) ? `<a href="#object-${word}">${word}</a>` : word))

/** What the view of the page calls by name; all but `anchor` make HTML. */
export const DOCS_FILTERS = {
  anchor: (name: string) => name.toLowerCase().replaceAll(' ', '-'),
  prose: { raw: true, handler: prose },
  meaning: { raw: true, handler: meaning },
  type: { raw: true, handler: type },
}
