import { expect, test } from 'vitest'
import { resetData } from '../../../mock-gateway/storage/reset.ts'
import { insertSeed, leaveSeeds, takeSeeds } from '../../../mock-gateway/storage/seeds.ts'
import { openTestDatabase } from './databases.ts'

test('each gateway draws from its own stream of a seed, or continues a stream that another left', async () => {
  const { db } = await openTestDatabase()
  await insertSeed(db, 1, { seed: 'a test', stream: 0 })
  const take = async () => (await takeSeeds(db)).get(1)
  expect(await take()).toEqual({ seed: 'a test', stream: 1, drawn: 0 })
  await leaveSeeds(db, new Map([[1, { seed: 'a test', stream: 0, drawn: 7 }]]))
  expect(await take()).toEqual({ seed: 'a test', stream: 0, drawn: 7 })
  expect(await take()).toEqual({ seed: 'a test', stream: 2, drawn: 0 })
})

test('a reset of one merchant deletes its seed, and keeps others', async () => {
  const database = await openTestDatabase()
  for (const id of [0, 1, 2]) await insertSeed(database.db, id, { seed: 'a test', stream: 0 })
  await resetData(database, 1)
  expect([...(await takeSeeds(database.db)).keys()].sort()).toEqual([0, 2])
})
