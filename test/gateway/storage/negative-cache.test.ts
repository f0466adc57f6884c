import { expect, test } from 'vitest'
import { createNegativeCache } from '../../../mock-gateway/storage/negative-cache.ts'

test('an empty list is queried once, and again after a row or a restore', async () => {
  let restores = 0
  let queries = 0
  let rows: readonly string[] = []
  const cache = createNegativeCache({ count: () => restores, add: () => {} })
  const find = () =>
    cache.find(async () => {
      queries += 1
      return rows
    })
  await find()
  await find()
  expect(queries).toBe(1)
  cache.added()
  await find()
  expect(queries).toBe(2)
  restores += 1
  rows = ['restored']
  expect([await find(), await find()]).toEqual([rows, rows])
  rows = []
  await find()
  await find()
  expect(queries).toBe(5)
})
