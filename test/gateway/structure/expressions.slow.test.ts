import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { check } from 'recheck'
import { expect, test } from 'vitest'
import { sourcesLike } from '../../helpers/sources.ts'
import { type Expression, expressionsOf } from './expressions.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const found = sourcesLike('{sdk,mock-gateway}/**/*.{ts,js,cjs,mjs}')
  .map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(`${root}/${path}`, 'utf8'),
  }))
  .map((source) => ({ path: source.path, ...expressionsOf(source) }))
const written = [
  ...new Map(found.flatMap((file) => file.written).map((each) => [each.written, each])).values(),
]

/**
 * Returns true for an expression with repetition. Without repetition, each character is read a
 * limited number of times.
 */
const repeats = ({ pattern }: Expression) => /[*+{]/.test(pattern)

/** Limit of a check in milliseconds. The check of some expressions would not end. */
const LIMITS = { timeout: 10_000 }

/**
 * Describes the problem of an expression. Returns undefined if its time is linear in the length of
 * every text, or if the check does not end within its limit.
 */
async function problemOf({ written, pattern, flags }: Expression): Promise<string | undefined> {
  const found = await check(pattern, flags, LIMITS)
  if (found.status !== 'vulnerable') return undefined
  return `${written} is ${found.complexity.summary}: ${found.attack.pattern}`
}

/** Number of parts of the list, because one test of all would take long on a slow machine. */
const PARTS = 10

test.each(Array.from({ length: PARTS }, (_, part) => part + 1))(
  `every regular expression takes time that is linear in its text (%i of ${PARTS})`,
  async (part) => {
    const some = written.filter(repeats).filter((_, index) => index % PARTS === part - 1)
    expect(some.length).toBeGreaterThan(5)
    const problems = []
    // One after the other: each check starts a program of its own, which takes 40 MB.
    for (const expression of some) problems.push(await problemOf(expression))
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
  },
)

test('only the listed files create regular expressions at run time, from fixed parts', () =>
  expect(found.flatMap(({ path, made }) => made.map(() => path)).sort()).toEqual([
    // `[a-z01*]+` for the words true and false.
    'mock-gateway/domain/listing/filters.ts',
    // The name of one of four elements, and a quotation mark.
    'mock-gateway/templates/html-contexts.ts',
    'mock-gateway/templates/html-contexts.ts',
    // A number of digits.
    'sdk/shared/typed-card.ts',
  ]))
