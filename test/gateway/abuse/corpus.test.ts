import { expect, test } from 'vitest'
import { Corpus, crossed, drawsBy } from './corpus.ts'

type Guess = Readonly<Record<'a' | 'b' | 'c' | 'd', number>>

/** Returns the number of correct parts before the first wrong part. */
function reach({ a, b, c, d }: Guess): number {
  const wrong = [a, b, c, d].findIndex((part) => part !== 7)
  return wrong === -1 ? 4 : wrong
}

/** Counts the guesses until all four parts are correct. */
function guessesOf(seed: number, keeps: boolean): number {
  const draw = drawsBy(seed)
  const guess = () => Math.floor(draw() * 20)
  const corpus = new Corpus<Guess>(draw, () => ({ a: guess(), b: guess(), c: guess(), d: guess() }))
  let deepest = 0
  for (let count = 1; count < 10_000; count += 1) {
    const next = corpus.next()
    if (reach(next) <= deepest) continue
    deepest = reach(next)
    if (deepest === 4) return count
    if (keeps) corpus.keep(next)
  }
  return Number.POSITIVE_INFINITY
}

test('mutating requests that reached new code finds deep code within 4,000 attempts; without them, 10,000 fail', () => {
  const seeds = [1, 2, 3]
  expect(Math.max(...seeds.map((seed) => guessesOf(seed, true)))).toBeLessThan(4_000)
  expect(seeds.map((seed) => guessesOf(seed, false))).toEqual(
    seeds.map(() => Number.POSITIVE_INFINITY),
  )
})

class Leaf {
  readonly value = 1
}

test.each([
  ['every member of the first', () => 0, { a: 1, b: { c: 2 }, e: 5 }],
  ['every member of the second', () => 0.99, { a: 9, b: { c: 8 }, f: 6 }],
])('crossing two requests can take %s', (_name, draw, made) => {
  expect(crossed({ a: 1, b: { c: 2 }, e: 5 }, { a: 9, b: { c: 8 }, f: 6 }, draw)).toEqual(made)
})

test('only plain objects are mutated, and only their own members', () => {
  const [one, other] = [new Leaf(), new Leaf()]
  expect(crossed(one, other, () => 0)).toBe(one)
  const named = JSON.parse('{"__proto__":1}')
  expect(Object.keys(crossed(named, {}, () => 0) as object)).toEqual(['__proto__'])
  expect(Object.keys(crossed({}, named, () => 0) as object)).toEqual([])
})
