import { expect, test } from 'vitest'
import { read } from '../../helpers/documents.ts'

const decisions = [...read('docs/decisions.md').matchAll(/^\| (\d+) \| (\S+) \| .+ \| .+ \|$/gm)]

test('decisions are numbered from 1 on, each with the day it was taken', () => {
  expect(decisions.length).toBeGreaterThan(80)
  expect(decisions.map(([, number]) => Number(number))).toEqual(decisions.map((_row, index) => index + 1))
  for (const [, , date = ''] of decisions) expect(date).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
})
