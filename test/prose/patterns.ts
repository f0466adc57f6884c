/** Pattern that makes a sentence hard to read, and that a program can find. */
interface Pattern {
  readonly name: string
  readonly found: RegExp
}

/** Expression for the start of a sentence or a table cell. */
const START = String.raw`(?<=^|[.:;!?]\s|\*\*\s)`

/**
 * Patterns that docs/inside/style.md forbids. Each is applied to one unit of text: a cell, a list
 * item or a paragraph.
 */
const PATTERNS: readonly Pattern[] = [
  {
    name: 'a clause with "what" instead of a noun',
    found: new RegExp(`${START}What\\b(?![^.]*\\?)|\\b(?:of|by|for|from|with|to) what\\b`, 'g'),
  },
  {
    name: 'an actor without a name',
    found: new RegExp(
      `${START}Who\\b(?![^.]*\\?)|\\b(?:[Ww]hoever|(?:of|by|for|from|with|to) who)\\b`,
      'g',
    ),
  },
  {
    name: 'a pronoun without a noun',
    found: /\b(?:ones?|those) that\b|\bthe others\b|\bthe same(?=[.,;:]|$)/gi,
  },
  { name: '"that of" instead of a noun', found: /\b(?:that|those) of\b/gi },
  { name: 'a sentence that begins with "of"', found: new RegExp(`${START}Of\\b`, 'g') },
  { name: 'a clause with "of which"', found: /\b(?:of|by|from|to|for|with) (?:which|whom)\b/gi },
  { name: 'a dummy agent', found: /\b(?:nobody|somebody|everybody|anybody)\b/gi },
  { name: 'a thing that talks', found: /\b(?:tells?|told|hears?|heard)\b/gi },
  {
    name: '"is no" instead of "is not a"',
    found: /(?<!there )\b(?:is|are) (?:no|none)\b(?! (?:longer|more)\b)/gi,
  },
  {
    name: 'a bare number',
    found: /\b(?:with|answers|gets|returns|is) \d{3,4}(?=[.,;:)]|$)|\(\d{3,4}\)/g,
  },
  { name: 'a double negative', found: /\b(?:nothing|nobody|none|no other|never any) but\b/gi },
  {
    name: 'a dated word',
    found:
      /\b(?:anew|mend(?:s|ed)?|besides?|shall|for ever|in earnest|in vain|by halves|otherwise than|at once)\b/gi,
  },
  { name: '"say" for "for example"', found: /\bsay(?=[,.;)]|$)/gi },
  {
    name: 'a private word',
    found:
      /\b(?:worlds?|floors?|rooms?|stand-ins?|in clear|struck|put back|bent|held (?:by|against|to))\b/gi,
  },
  { name: '"stands" for "is"', found: /\b(?:stands?|stood)\b/gi },
  { name: 'a clipped condition', found: /\b(?:Without|Unless)(?: one)?,/g },
]

/** Header cells that do not name the content of their column. */
const EMPTY_HEADER = /^(?:what|then|beside|paste|here|who|where|again|ends|how|to|)$/i

/** Maximum number of words in a table cell. */
const MOST_WORDS = 40

/** Place in a document that is hard to read. */
export interface Hit {
  readonly name: string
  readonly text: string
}

/** Returns the cells of a table row. */
const cellsOf = (row: string): string[] =>
  row
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

/** Returns the text without code, quotations, addresses of links, and HTML. */
const plain = (text: string): string =>
  text
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]*`/g, 'x')
    .replace(/"[^"\n]*"/g, 'x')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<[^>]*>/g, '')

/** Finds every hit of the patterns, and every cell with too many words. */
export function findHits(document: string): { hits: Hit[]; longCells: Hit[] } {
  const lines = plain(document.replaceAll('\r\n', '\n')).split('\n')
  const headers = lines
    .filter((_line, index) => /^\|[\s:|-]+\|$/.test(lines[index + 1] ?? ''))
    .flatMap(cellsOf)
  const cells = lines.filter((line) => line.startsWith('|')).flatMap(cellsOf)
  const paragraphs = lines
    .map((line) => (line.startsWith('|') ? '' : line))
    .join('\n')
    .split(/\n\s*\n|\n(?=\s*(?:[*-]|\d+\.) )|\n(?=#)/)
    .map((text) =>
      text
        .replace(/^\s*(?:[*#-]+|\d+\.)\s/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
  const hits = [...cells, ...paragraphs].flatMap((unit) =>
    PATTERNS.flatMap(({ name, found }) =>
      [...unit.matchAll(found)].map(({ index }) => ({
        name,
        text: unit.slice(Math.max(0, index - 30), index + 50),
      })),
    ),
  )
  return {
    hits: [
      ...hits,
      ...headers
        .filter((header) => EMPTY_HEADER.test(header))
        .map((text) => ({ name: 'a header without a noun', text })),
    ],
    longCells: cells
      .filter((cell) => cell.split(/\s+/).length > MOST_WORDS)
      .map((cell) => ({
        name: `a cell of more than ${MOST_WORDS} words`,
        text: cell.slice(0, 80),
      })),
  }
}
