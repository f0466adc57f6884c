import { timers } from '../../domain/timers.ts'
import { createAnchor } from './markdown.ts'
import { type DocPage, MORE, type Pages } from './pages.ts'

/** The part of a page that best matches a query. */
export interface Hit {
  readonly page: string
  readonly heading: string
  /** Path of the page and anchor of the heading. */
  readonly link: string
  readonly excerpt: string
}

interface Part extends Omit<Hit, 'excerpt'> {
  readonly id: string
  readonly path: string
  readonly group: string
  readonly about: string
  readonly words: string
  readonly text: string
}

const MOST_HITS = 20
const LONGEST_EXCERPT = 200

/** Pages that repeat the contract; the guides explain more. */
const isGenerated = ({ path }: Pick<Part, 'path'>): boolean =>
  /^(?:objects|calls|errors)\/|^(?:objects|headers)$/.test(path)

const STOP_WORDS = new Set(
  'a an and are be can do does for from how i if in is it my of on or the to what when with'.split(
    ' ',
  ),
)

/** Returns the singular of a plural, so that both match; null for a word without a meaning. */
function toTerm(word: string): string | null {
  const lower = word.toLowerCase()
  if (STOP_WORDS.has(lower)) return null
  return lower.length > 3 && /[^sui]s$/.test(lower)
    ? lower.replace(/ies$/, 'y').replace(/(?<=x|ch|sh|ss)es$|s$/, '')
    : lower
}

/** Finds the best parts of pages: first those with every word, then those with any word. */
export type Search = (query: string) => Hit[]

/**
 * Creates the search. It reads the pages one by one and lets other requests run between them,
 * because all of them together take half a second.
 */
export async function createSearch(pages: Pages): Promise<Search> {
  const { default: Engine } = await import('minisearch')
  const index = new Engine<Part>({
    fields: ['page', 'heading', 'about', 'words', 'text'],
    storeFields: ['page', 'heading', 'link', 'path', 'group', 'text'],
    processTerm: toTerm,
    searchOptions: {
      boost: { page: 6, heading: 4, about: 4, words: 10 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 5 && 0.15,
      boostDocument: (_id, _term, stored) =>
        isGenerated(stored as unknown as Part) ? 0.2 : stored?.group === MORE ? 0.8 : 1,
      weights: { prefix: 0.3, fuzzy: 0.2 },
    },
  })
  for (const page of pages.values()) {
    index.addAll(splitPage(page))
    await timers.nextTurn()
  }
  return (query) => {
    const found = [
      ...index.search(query, { combineWith: 'AND' }),
      ...index.search(query),
    ] as unknown as Part[]
    const best = [...Map.groupBy(found, ({ path }) => path).values()].flatMap(
      ([first]) => first ?? [],
    )
    // Guides first; a number is an error's.
    if (!/\d/.test(query))
      best.sort((one, other) => Number(isGenerated(one)) - Number(isGenerated(other)))
    return best.slice(0, MOST_HITS).map(({ page, heading, link, text }) => ({
      ...{ page, heading, link },
      excerpt: chooseExcerpt(text, query),
    }))
  }
}

/** Returns the first sentence or row of a table that has a word of the query, or else the first. */
function chooseExcerpt(text: string, query: string): string {
  const terms = query.split(/\s+/).flatMap((word) => toTerm(word) ?? [])
  const sentences = text.split(/(?<=[.?]) |\n/)
  const has = (sentence: string) => terms.some((term) => sentence.toLowerCase().includes(term))
  const sentence = (sentences.find(has) ?? sentences[0] ?? '').trim()
  return sentence.length > LONGEST_EXCERPT ? `${sentence.slice(0, LONGEST_EXCERPT)} …` : sentence
}

/** Splits a page at its headings. */
const splitPage = ({ path, title, group, about = '', words = '', markdown }: DocPage): Part[] =>
  path === ''
    ? []
    : indentComments(markdown())
        .split(/^(?=#{1,3} )/m)
        .map((part, index) => {
          const heading = index === 0 ? title : (/^#{2,3} (.*)$/m.exec(part)?.[1] ?? title)
          return {
            ...{ path, group },
            id: `${path} ${index}`,
            page: title,
            heading: toPlainText(heading),
            ...(index === 0 ? { about, words } : { about: '', words: '' }),
            link: index === 0 ? path : `${path}#${createAnchor(heading)}`,
            text: toPlainText(part.replace(/^#{1,3} .*$/m, '')),
          }
        })

/** Indents the comments of code samples, because `# comment` in a shell sample is not a heading. */
const indentComments = (markdown: string): string =>
  markdown
    .split('\n```')
    // Every second part is a sample.
    .map((part, index) => (index % 2 === 1 ? part.replace(/^#/gm, ' #') : part))
    .join('\n```')

/** Removes Markdown's markup. Each paragraph, list item and row of a table becomes a line. */
const toPlainText = (markdown: string): string =>
  markdown
    .split(/\n{2,}|\n(?=[|*-])/)
    .map((block) =>
      block
        .replace(/\]\([^()]{0,500}\)/g, '')
        .replace(/^```.*$|^<[^<>]{0,200}>|^\||\|$|[[\]*`\\]/gm, '')
        .replaceAll('|', '·')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => /\w/.test(line))
    .join('\n')
