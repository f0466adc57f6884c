import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { mutantsOf, mutated } from '../../mutants/mutants.ts'
import { blockAt, blocksOf, watched } from '../../mutants/reach.ts'

const written = (source: string) => mutantsOf('a.ts', source).map((mutant) => mutated(source, mutant))

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
])('the mutants of %s', (source, mutants) => expect(written(source)).toEqual(mutants))

const SOURCE = 'const f = (x) => { if (x) { return 1 } return [2].map(() => ({ a: 3 })) }; f(WITH)'

test.each([
  ['true', [0, 1]],
  ['false', [0, 2]],
])('what notes its blocks tells which of them are reached with %s', (given, blocks) => {
  const source = SOURCE.replace('WITH', given)
  const reached = new Set<string>()
  runInNewContext(watched('a.ts', source), { reached })
  expect([...reached]).toEqual(blocks.map((block) => expect.stringMatching(`^a.ts#[0-9a-f]{8}#${block};$`)))
})

test.each([
  ['f =', -1],
  ['(x) {', 0],
  ['return 1', 1],
  ['return [2]', 0],
  ['a: 3', 2],
])('the innermost block around %s', (text, block) =>
  expect(blockAt(blocksOf('a.ts', SOURCE), SOURCE.indexOf(text))).toBe(block),
)
