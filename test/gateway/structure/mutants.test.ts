import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { mutantsOf, mutated } from '../../lab/mutants/mutants.ts'
import { blockAt, blocksOf, noting, watched } from '../../lab/mutants/reach.ts'

const written = (source: string) =>
  mutantsOf('a.ts', source).map((mutant) => mutated(source, mutant))

test.each([
  ['a < b', [';', 'a <= b']],
  ['f(a >= 1)', [';', 'f(a > 1)']],
  ['const x = a - 1', ['const x = a + 1']],
  ['const x = a + b', []],
  ["const x = a === 'sek'", ["const x = a !== 'sek'", "const x = a === ''"]],
  ['const x = a && b', ['const x = a || b']],
  ['const x = a ?? b', ['const x = a && b']],
  ['if (a) f()', ['if (!(a)) f()', 'if (a) ;']],
  ['const x = a ? 1 : 2', ['const x = !(a) ? 1 : 2']],
  ['const x = !a', ['const x = (a)']],
  ['const x = { a: true }', ['const x = { a: false }']],
  ['interface A { a: true }\ntype B = false', []],
])('the mutants of %s are as listed', (source, mutants) => expect(written(source)).toEqual(mutants))

const SOURCE = 'const f = (x) => { if (x) { return 1 } return [2].map(() => ({ a: 3 })) }; f(WITH)'

test.each([
  ['true', [0, 1]],
  ['false', [0, 2]],
])('the record of reached blocks contains %s', (given, blocks) => {
  const source = SOURCE.replace('WITH', given)
  const reached = new Set<string>()
  runInNewContext(watched('a.ts', source), { reached })
  expect([...reached]).toEqual(
    blocks.map((block) => expect.stringMatching(`^a.ts#[0-9a-f]{8}#${block};$`)),
  )
})

test.each([
  ['f =', -1],
  ['(x) {', 0],
  ['return 1', 1],
  ['return [2]', 0],
  ['a: 3', 2],
])('the innermost block around %s is found', (text, block) =>
  expect(blockAt(blocksOf('a.ts', SOURCE), SOURCE.indexOf(text))).toBe(block),
)

const BRANCHES = `
  const f = (x) => {
    if (x === 1) return a
    else if (x === 2) return b
    for (const y of [x]) if (y === 3) { return c }
    switch (x) {
      case 4:
      case 5: return d ?? e
      default: return x === 6 ? { f } : (x && [g])
    }
  }
  f(WITH)`

test.each([
  [1, 'return a'],
  [2, 'return b'],
  [3, '{ return c }'],
  [4, 'return d ?? e'],
  [5, 'e'],
  [6, '{ f }'],
  [7, '[g]'],
])(
  'branches without braces are their own blocks: for %d the last reached block is %s',
  (given, last) => {
    const source = BRANCHES.replace('WITH', String(given))
    const blocks = blocksOf('a.ts', source)
    const reached = new Set<number>()
    const all = { a: 1, b: 1, c: 1, d: given === 5 ? undefined : 1, e: 1, g: 1, reached }
    runInNewContext(
      noting(source, blocks, (number) => `reached.add(${number})`),
      all,
    )
    const { start, end } = blocks[[...reached].at(-1) ?? -1] ?? { start: 0, end: 0 }
    expect(source.slice(start, end)).toMatch(last)
    expect(source.slice(start, start + last.length)).toBe(last)
  },
)
