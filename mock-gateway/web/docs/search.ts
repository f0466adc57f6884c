import type MiniSearch from 'minisearch'
import { readOnce } from '../../domain/read-once.ts'
import { MORE } from './guides.ts'
import { anchorOf } from './markdown.ts'
import { type DocPage, EXAMPLE_MARK, type Pages } from './pages.ts'

/** The part of a page that best matches a query. */
export interface Hit {
  readonly page: string
  readonly heading: string
  /** Path of the page and anchor of the heading. */
  readonly link: string
  readonly excerpt: string
}

interface Part extends Omit<Hit, 'excerpt'> {
  readonly id: number
  readonly path: string
  readonly group: string
  readonly text: string
}

const MOST_HITS = 20
const EXCERPT_LENGTH = 200

/** Common search words, with the documents' words for the same thing. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  '3ds': ['secure', 'challenge'],
  abo: ['subscription'],
  authenticate: ['secure'],
  callback: ['webhook'],
  change: ['rotate'],
  checksum: ['hash'],
  delay: ['seconds', 'late'],
  deploy: ['share', 'postgresql', 'docker'],
  docker: ['image'],
  email: ['mail'],
  fail: ['declined', 'error'],
  fixture: ['seed'],
  iframe: ['frame'],
  jest: ['vitest'],
  language: ['locale'],
  limit: ['most', 'fewer'],
  ipn: ['webhook'],
  lost: ['lose'],
  md5: ['hash'],
  migrate: ['upgrade'],
  notification: ['webhook'],
  postgres: ['postgresql'],
  reject: ['declined', 'error'],
  reserved: ['authorized'],
  response: ['answer'],
  renew: ['subscription', 'charge'],
  sca: ['secure'],
  signature: ['verify', 'hash'],
  slow: ['seconds', 'latency', 'late'],
  started: ['first'],
  swedish: ['locale', 'language'],
  ssl: ['tls'],
  theme: ['template'],
  timeout: ['lose', 'lost'],
  timezone: ['clock'],
  token: ['store'],
  travel: ['clock'],
  void: ['refund', 'release'],
  wordpress: ['woocommerce'],
}

/** Pages that repeat the contract; the guides explain more. */
const isGenerated = ({ path }: Pick<Part, 'path'>): boolean =>
  /^(?:objects|calls|errors)\/|^(?:advice|headers|errors)$/.test(path)

/** Forms of one word. */
const SAME: Readonly<Record<string, string>> = { save: 'store', saved: 'store', stored: 'store' }

const STOP_WORDS = new Set(
  'a an and are be can do does for from how i if in is it my of on or the to what when with'.split(
    ' ',
  ),
)

/** Returns the singular of a plural, so that both match. */
const stem = (word: string): string =>
  word.length > 3 && /[^sui]s$/.test(word)
    ? word.replace(/ies$/, 'y').replace(/(?<=x|ch|sh|ss)es$|s$/, '')
    : word

const toTerm = (word: string): string | null => {
  const lower = word.toLowerCase()
  return STOP_WORDS.has(lower) ? null : (SAME[lower] ?? stem(lower))
}

/** Loaded with the first search, so that the gateway starts faster. */
const loadEngine = readOnce(async () => (await import('minisearch')).default)

/**
 * Creates a search for the best parts of pages: first those with every word, then those with any
 * word or a synonym.
 */
export function createSearch(pages: Pages): (query: string) => Promise<Hit[]> {
  const openIndex = readOnce(async () => indexOf(await loadEngine(), [...pages.values()]))
  return async (query) => {
    const index = await openIndex()
    const found = [
      ...index.search(query, { combineWith: 'AND' }),
      ...index.search(query, {
        processTerm: (word) => {
          const term = toTerm(word)
          return term === null ? null : [term, ...(SYNONYMS[term] ?? [])]
        },
      }),
    ] as unknown as Part[]
    const best = [...Map.groupBy(found, ({ path }) => path).values()].flatMap(
      ([first]) => first ?? [],
    )
    // Guides first; a number is an error's.
    if (!/\d/.test(query))
      best.sort((one, other) => Number(isGenerated(one)) - Number(isGenerated(other)))
    return best.slice(0, MOST_HITS).map(({ page, heading, link, text }) => ({
      page,
      heading,
      link,
      excerpt: excerptOf(text, query),
    }))
  }
}

function indexOf(Engine: typeof MiniSearch, pages: readonly DocPage[]): MiniSearch<Part> {
  const parts = pages.flatMap(partsOf).map((part, id) => ({ ...part, id }))
  const index = new Engine<Part>({
    fields: ['page', 'heading', 'text'],
    storeFields: ['page', 'heading', 'link', 'path', 'group', 'text'],
    processTerm: toTerm,
    searchOptions: {
      boost: { page: 6, heading: 4 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 5 && 0.15,
      boostDocument: (_id, _term, stored) =>
        isGenerated(stored as unknown as Part) ? 0.2 : stored?.group === MORE ? 0.8 : 1,
      weights: { prefix: 0.3, fuzzy: 0.2 },
    },
  })
  index.addAll(parts)
  return index
}

function excerptOf(text: string, query: string): string {
  const lower = text.toLowerCase()
  const places = query
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => toTerm(word) ?? [])
    .map((term) => lower.indexOf(term))
    .filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - EXCERPT_LENGTH / 4)
  const start = places.length === 0 ? 0 : from
  const end = start + EXCERPT_LENGTH
  const shown = text.slice(start, end).trim()
  return `${start > 0 ? '… ' : ''}${shown}${end < text.length ? ' …' : ''}`
}

/** Splits a page at its headings. */
const partsOf = ({ path, title, group, markdown }: DocPage): Omit<Part, 'id'>[] =>
  path === ''
    ? []
    : indentComments(markdown)
        .split(/^(?=#{1,3} )/m)
        .map((part) => {
          const heading = /^#{1,3} (.*)$/m.exec(part)?.[1] ?? title
          const isFirst = /^# /.test(part)
          return {
            path,
            group,
            page: title,
            heading: plainOf(heading),
            link: isFirst ? path : `${path}#${anchorOf(heading)}`,
            text: plainOf(part.replace(/^#{1,3} .*$/m, '').replace(EXAMPLE_MARK, '')),
          }
        })

/** Indents the comments of code samples, because `# comment` in a shell sample is not a heading. */
const indentComments = (markdown: string): string =>
  markdown
    .split('\n```')
    // Every second part is a sample.
    .map((part, index) => (index % 2 === 1 ? part.replace(/^#/gm, ' #') : part))
    .join('\n```')

/** Removes Markdown's markup. */
const plainOf = (markdown: string): string =>
  markdown
    .replace(/\]\([^()]{0,500}\)/g, '')
    .replace(/<\/?span[^<>]{0,200}>/g, '')
    .replace(/^\|(?: ?--- ?\|)+$/gm, '')
    .replace(/^```.*$|[[\]*`|\\]/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
