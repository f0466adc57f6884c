import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRepository, read } from '../../helpers/documents.ts'
import { CASES, caseLines } from './cases.ts'

const rows = Object.entries(CASES)

/** Returns true if a line contains the title in quotes. */
const isTitled = (line: string, title: string): boolean =>
  /['"`]/.test(line.slice(0, Math.max(0, line.indexOf(title)))) &&
  /['"`]/.test(line.slice(line.indexOf(title)))

test('every attack has its own number and name', () => {
  expect(rows.map(([id]) => Number(id))).toEqual(
    Array.from({ length: 135 }, (_each, index) => index + 1),
  )
  expect(new Set(rows.map(([, { name }]) => name)).size).toBe(135)
})

test('every attack names tests that exist', () => {
  const untrue = rows.flatMap(([id, { shownBy }]) => {
    const untold = shownBy.filter(([file, title]) => {
      const path = `test/${file}`
      return (
        !existsSync(inRepository(path)) ||
        !read(path)
          .split('\n')
          .some((line) => isTitled(line, title))
      )
    })
    return untold.map((proof) => [id, ...proof])
  })
  expect(untrue).toEqual([])
})

test('every attack has a test', () => {
  expect(rows.filter(([, { shownBy }]) => shownBy.length === 0)).toEqual([])
})

test('the printed table names the test files that failed', () => {
  const lines = caseLines((file) => !file.includes('authentication') && !file.includes('console'))
  expect(lines[1]).toBe(
    '  2 · wrong-password-uniform · FAILED by gateway/web/http/authentication.test.ts',
  )
  expect(lines[18]).toBe(' 19 · metadata-html · FAILED by gateway/abuse/console.test.ts')
  expect(caseLines(() => true).at(-1)).toBe(
    '135 of 135 attacks have passing tests, 1 of them without the parts that are not built yet',
  )
})
