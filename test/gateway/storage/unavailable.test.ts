import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { explainUnavailability } from '../../../mock-gateway/storage/unavailable.ts'
import { filePlace, openTestDatabase, openTestPlace, postgresPlace } from './databases.ts'
import { newMerchant } from './new-rows.ts'

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => explainUnavailability(error),
  )

test('a full disk is reported, and later writes succeed once there is space', async () => {
  const database = await openTestDatabase(await openTestPlace())
  const pages = async () =>
    (await sql<{ page_count: number }>`pragma page_count`.execute(database.db)).rows[0]?.page_count
  await sql.raw(`pragma max_page_count = ${await pages()}`).execute(database.db)
  const long = 'x'.repeat(200_000)
  const write = (name: string) =>
    database.write((queries) =>
      sql`insert into merchants (id, name, password_hash, secret, settings, created_at, updated_at)
      values (7, ${name}, 'x', 'x', '{}', 0, 0)`.execute(queries),
    )
  expect(await reasonOf(write(long))).toMatch(/disk of the database is full/)
  await sql.raw('pragma max_page_count = 100000').execute(database.db)
  expect(await reasonOf(write(long))).toBe('done')
})

test.each([
  ['SQLite file', filePlace, 'pragma query_only = on'],
  ['PostgreSQL', postgresPlace, 'set default_transaction_read_only = on'],
])('a read-only %s is reported', async (_name, place, statement) => {
  const database = await openTestDatabase(await openTestPlace(place))
  await sql.raw(statement).execute(database.db)
  expect(await reasonOf(newMerchant(database.db))).toMatch(/read-only/)
})

test('an error of the gateway itself is not reported as an error of the database', () => {
  expect(explainUnavailability(new TypeError('x is not a function'))).toBeUndefined()
  expect(
    explainUnavailability(Object.assign(new Error('unique'), { code: '23505' })),
  ).toBeUndefined()
  expect(
    explainUnavailability(Object.assign(new Error('unique'), { errcode: 2067 })),
  ).toBeUndefined()
  expect(explainUnavailability(undefined)).toBeUndefined()
})
