import { expect, test } from 'vitest'
import { mutantsOf, mutated } from '../../mutants/mutants.ts'

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
