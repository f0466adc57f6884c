import { describe, expect, test } from 'vitest'
import { read } from '../../helpers/documents.ts'
import { sourcesLike } from '../../helpers/sources.ts'

/** Numbers at the beginning of the rows of a document's tables. */
const numbered = (text: string): string[] =>
  [...text.matchAll(/^\| (\d+) \| \S/gm)].map(([, number = '']) => number)

const partOf = (document: string, heading: string) =>
  read(document).split(`\n## ${heading}\n`)[1] ?? ''

/** Decisions by their headings, each with the text below it. */
const DECISIONS = [
  ...read('docs/inside/decisions.md').matchAll(/^### (\d+)\. \S.*\n((?:(?!#).*\n)+)/gm),
].map(([, number = '', text = '']) => ({ number, text: text.trim() }))

/**
 * Citations by number in comments and tests, and the numbers that exist (docs/inside/sources.md).
 */
const CITED: Readonly<Record<string, readonly string[]>> = {
  decision: DECISIONS.map(({ number }) => number),
  attack: numbered(read('docs/inside/attacks.md')),
  'webhook rule': numbered(read('docs/inside/webhook-rules.md')),
  'observed:': numbered(partOf('docs/inside/sources.md', 'Observed behaviour')),
}

/** Sources whose citations are checked. */
const SOURCES = sourcesLike('{mock-gateway,sdk,examples,test}/**/*.{ts,js,mjs,css,liquid}')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path !== 'test/gateway/documents/citations.test.ts')
  .map((path) => ({ path, text: read(path) }))

const found = (pattern: RegExp) =>
  SOURCES.flatMap(({ path, text }) => [...text.matchAll(pattern)].map((match) => ({ path, match })))

describe('every attack, decision, rule and topic that a comment or document cites by number exists:', () => {
  for (const [what, known] of Object.entries(CITED))
    test(what, () => {
      expect(known.length).toBeGreaterThan(10)
      // A citation has one or two numbers, such as "attacks 30, 46" or "webhook rules 2 and 3".
      // "observed: 2.3" cites the topic 2.
      const cited = found(
        new RegExp(`\\b${what}s? (\\d+)[.\\d]*(?:(?:, | and )(\\d+)[.\\d]*)?`, 'gi'),
      )
      expect(cited.length).toBeGreaterThan(5)
      const lost = cited.filter(({ match: [, ...numbers] }) =>
        numbers.some((each) => each && !known.includes(each)),
      )
      expect(lost.map(({ path, match: [citation] }) => `${path}: ${citation}`)).toEqual([])
    })
})

test('no comment cites a document outside the repository', () => {
  const elsewhere = found(/\bC\.4\/\d+|\breference [A-E]\.\d|\bdesign: |\bdesign\.md/g)
  expect(elsewhere.map(({ path, match: [citation] }) => `${path}: ${citation}`)).toEqual([])
})

test('decisions are numbered from 1 without gaps, and end with their date', () => {
  const numbers = DECISIONS.map(({ number }) => Number(number)).toSorted(
    (one, other) => one - other,
  )
  expect(numbers.length).toBeGreaterThan(80)
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1))
  const undated = DECISIONS.filter(({ text }) => !/\(20\d\d-[01]\d-[0-3]\d\)$/.test(text))
  expect(undated).toEqual([])
})
