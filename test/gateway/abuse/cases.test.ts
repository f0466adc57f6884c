import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRepository, read } from '../../helpers/documents.ts'
import { CASES, caseLines } from './cases.ts'

const rows = Object.entries(CASES)

/** Whether a line has this between quotes. */
const isTitled = (line: string, title: string): boolean =>
  /['"`]/.test(line.slice(0, Math.max(0, line.indexOf(title)))) && /['"`]/.test(line.slice(line.indexOf(title)))

test('every case of the reference has its line, under a name of its own', () => {
  expect(rows.map(([id]) => Number(id))).toEqual(Array.from({ length: 135 }, (_each, index) => index + 1))
  expect(new Set(rows.map(([, { name }]) => name)).size).toBe(135)
})

test('what is held is shown by a test that there is', () => {
  const untrue = rows.filter(([, { shownBy }]) => {
    if (!shownBy) return false
    const [file, title] = shownBy
    const path = `test/${file}`
    return (
      !existsSync(inRepository(path)) ||
      !read(path)
        .split('\n')
        .some((line) => isTitled(line, title))
    )
  })
  expect(untrue).toEqual([])
})

test('what no test shows says what it waits for', () => {
  expect(rows.filter(([, { shownBy, waits }]) => !shownBy && !waits)).toEqual([])
})

test('the table says which files failed', () => {
  const [, second] = caseLines((file) => !file.includes('authentication'))
  expect(second).toBe('  2 · wrong-password-uniform · FAILED by gateway/web/http/authentication.test.ts')
  expect(caseLines(() => true)[29]).toBe(' 30 · console-stored-xss · not built: console')
})
