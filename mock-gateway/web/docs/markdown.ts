import type { Tokens } from 'marked'
import { escapeHtml } from '../../domain/escape-html.ts'
import { readOnce } from '../../domain/memoized.ts'
import { groupDigits } from '../pages/card-label.ts'

/** Returns the address of a document's link; undefined if it is not served. */
type Resolve = (target: string) => string | undefined

/** Converts Markdown to HTML. */
export type Renderer = (markdown: string, resolve: Resolve) => string

/** Returns the anchor of a heading, as in repositories. */
export const createAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/<[^<>]{0,200}>/g, '')
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

/** A whole card number. */
const CARD_NUMBER = /^\d{13,16}$/

/** Loaded with the first page, so that the gateway starts faster. */
export const markdownRenderer = readOnce(async (): Promise<Renderer> => {
  const { Marked } = await import('marked')
  return (markdown, resolve) => {
    const marked = new Marked({ gfm: true })
    const taken = new Map<string, number>()
    // Tables list the test cards; in a sentence a number stays as it is sent.
    let isCell = false
    marked.use({
      // A bare address in the source is an example, not a link.
      tokenizer: { url: () => undefined },
      renderer: {
        heading({ tokens, depth, text }) {
          const anchor = createAnchor(text)
          const before = taken.get(anchor) ?? 0
          taken.set(anchor, before + 1)
          const id = escapeHtml(before === 0 ? anchor : `${anchor}-${before}`)
          return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
        },
        link({ href, tokens }) {
          const to = resolve(href)
          const text = this.parser.parseInline(tokens)
          return to === undefined ? text : `<a href="${escapeHtml(to)}">${text}</a>`
        },
        image({ href, text }) {
          const to = resolve(href)
          return to === undefined
            ? escapeHtml(text)
            : `<img src="${escapeHtml(to)}" alt="${escapeHtml(text)}">`
        },
        codespan({ text }) {
          const written = escapeHtml(text)
          return isCell && CARD_NUMBER.test(text)
            ? `<div><code data-copy="${written}">${groupDigits(text)}</code></div>`
            : `<code>${written}</code>`
        },
        code({ text, lang = '' }) {
          const written = escapeHtml(text)
          const shown = lang === 'sh' ? written.replace(/^#.*$/gm, '<i>$&</i>') : written
          return `<pre tabindex="0" data-lang="${escapeHtml(lang)}">${shown}</pre>\n`
        },
        table({ header, rows }) {
          const inline = ({ tokens }: Tokens.TableCell) => {
            isCell = true
            const written = this.parser.parseInline(tokens)
            isCell = false
            return written
          }
          const heads = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('')
          // Each cell contains the heading of its column, which narrow screens show next to it.
          const names = header.map(({ text }) => escapeHtml(text.replaceAll('`', '')))
          const cells = (row: Tokens.TableCell[]) =>
            row.map((cell, at) => `<td data-head="${names[at]}">${inline(cell)}</td>`).join('')
          const lines = rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')
          return `<div class="wide"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}
</tbody>
</table></div>
`
        },
      },
    })
    return String(marked.parse(markdown, { async: false }))
  }
})

/** Escapes prose for Markdown, except code. */
export const prose = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[\\*[\]<>]|\b_|_\b/g, '\\$&')))
    .join('')

/** Formats prose for one line of a table. */
const cell = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replaceAll('|', '\\|')

export const code = (text: string): string => `\`${text.replaceAll('`', 'ˋ')}\``

export const fence = (language: string, text: string): string =>
  `\`\`\`${language}\n${text}\n\`\`\``

/** @param rows cells of prose or Markdown */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
