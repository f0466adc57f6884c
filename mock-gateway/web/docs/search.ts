import { anchorOf } from './markdown.ts'
import type { Pages } from './pages.ts'

/** A part of a page that has the words somebody looks for. */
export interface Hit {
  readonly page: string
  readonly heading: string
  /** Path of the page and anchor of the heading. */
  readonly link: string
  readonly excerpt: string
}

const MOST = 30
const EXCERPT = 200

interface Part extends Hit {
  /** Of the title, the heading and the text, in lower case. */
  readonly words: readonly [title: string, heading: string, text: string]
}

/** Finds parts of pages that have every word, those first that have them in their titles. */
export function searchIn(pages: Pages): (query: string) => Hit[] {
  const parts = [...pages.values()].flatMap(partsOf)
  return (query) => {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, 10)
    if (words.length === 0) return []
    return parts
      .map((part) => ({ part, weight: weightOf(part, words) }))
      .filter(({ weight }) => weight > 0)
      .toSorted((one, other) => other.weight - one.weight)
      .slice(0, MOST)
      .map(({ part }) => ({ ...part, excerpt: excerptOf(part.excerpt, words) }))
  }
}

/** 0 where a word is missing. */
function weightOf({ words: [title, heading, text] }: Part, sought: readonly string[]): number {
  let weight = 1
  for (const word of sought) {
    const found = (title.includes(word) ? 5 : 0) + (heading.includes(word) ? 10 : 0) + (text.includes(word) ? 1 : 0)
    if (found === 0) return 0
    weight += found
  }
  return weight
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const first = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length))
  const from = Math.max(0, first - EXCERPT / 4)
  const shown = text.slice(from, from + EXCERPT)
  return `${from > 0 ? '… ' : ''}${shown.trim()}${from + EXCERPT < text.length ? ' …' : ''}`
}

/** A page in parts, one for each heading. */
const partsOf = ({ path, title, markdown }: { path: string; title: string; markdown: string }): Part[] =>
  path === ''
    ? []
    : markdown.split(/^(?=#{1,3} )/m).map((part) => {
        const heading = /^#{1,3} (.*)$/m.exec(part)?.[1] ?? title
        const text = plainOf(part.replace(/^#{1,3} .*$/m, ''))
        const isFirst = /^# /.test(part)
        return {
          page: title,
          heading: plainOf(heading),
          link: isFirst ? path : `${path}#${anchorOf(heading)}`,
          excerpt: text,
          words: [title.toLowerCase(), heading.toLowerCase(), text.toLowerCase()],
        }
      })

/** What a reader reads of Markdown. */
const plainOf = (markdown: string): string =>
  markdown
    .replace(/\]\([^()]{0,500}\)/g, '')
    .replace(/<\/?span[^<>]{0,200}>/g, '')
    .replace(/^\|(?: --- \|)+$/gm, '')
    .replace(/[[\]*`|\\]|^```.*$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
