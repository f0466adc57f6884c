import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { listOf, problemsOf } from '../../../mock-gateway/domain/schema-problems.ts'

test('a list stops at the first twenty mistakes, and names their places', () => {
  const isGood = vi.fn((value: unknown) => value === 'good')
  const schema = z.object({ rows: listOf(z.custom(isGood, 'must be good')) })
  const rows = Array.from({ length: 1_000 }, (_, index) => (index === 0 ? 'good' : 'bad'))
  const { error } = schema.safeParse({ rows })
  expect(isGood).toHaveBeenCalledTimes(21)
  const problems = problemsOf(error as z.ZodError).split('; ')
  expect([problems.length, problems[0], problems.at(-1)]).toEqual([
    20,
    'rows[1]: must be good',
    'rows[20]: must be good',
  ])
  expect(schema.parse({ rows: ['good'] })).toEqual({ rows: ['good'] })
  expect(problemsOf(schema.safeParse({ rows: 1 }).error as z.ZodError)).toBe(
    'rows: expected array, received number',
  )
})
