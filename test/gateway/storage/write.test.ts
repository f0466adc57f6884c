import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertLogEvents } from '../../../mock-gateway/storage/log-events.ts'
import { insertRow } from '../../../mock-gateway/storage/rows.ts'
import type { Queries } from '../../../mock-gateway/storage/tables/schema.ts'
import { DATABASES, onEveryDatabase, openTestDatabase, openTestPlace } from './databases.ts'
import { customerRow, NOW, newMerchant } from './new-rows.ts'

const add = (queries: Queries, merchantId: number, ref: string) =>
  insertRow(queries, 'customers', customerRow(merchantId, { ref }))

async function refsOf(queries: Queries, merchantId: number): Promise<(string | null)[]> {
  const rows = await queries
    .selectFrom('customers')
    .select('ref')
    .where('merchant_id', '=', merchantId)
    .execute()
  return rows.map(({ ref }) => ref).sort()
}

onEveryDatabase((database) => {
  test('a write returns the result of its work, after all of it is stored', async () => {
    const merchantId = await newMerchant(database().db)
    const answer = await database().write(async (queries) => {
      await add(queries, merchantId, 'a')
      await add(queries, merchantId, 'b')
      return 'done'
    })
    expect(answer).toBe('done')
    expect(await refsOf(database().db, merchantId)).toEqual(['a', 'b'])
  })

  test('a write that fails, by its own error or in the database, stores nothing', async () => {
    const merchantId = await newMerchant(database().db)
    const own = database().write(async (queries) => {
      await add(queries, merchantId, 'a')
      throw new RangeError('no')
    })
    const twice = database().write(async (queries) => {
      await add(queries, merchantId, 'b')
      await add(queries, merchantId, 'b')
    })
    await expect(own).rejects.toThrow(RangeError)
    await expect(twice).rejects.toThrow(/unique/i)
    expect(await refsOf(database().db, merchantId)).toEqual([])
  })

  test('a write sees its own changes', async () => {
    const merchantId = await newMerchant(database().db)
    const seen = await database().write(async (queries) => {
      await add(queries, merchantId, 'mine')
      return refsOf(queries, merchantId)
    })
    expect(seen).toEqual(['mine'])
  })
})

describe.each(DATABASES)('%s', (_name, open) => {
  test('makes a write visible to every reader after it is acknowledged, and to no reader before', async () => {
    const target = await openTestPlace(open)
    const [ours, theirs] = [await openTestDatabase(target), await openTestDatabase(target)]
    const merchantId = await newMerchant(ours.db)
    const seenDuring: (string | null)[][] = []
    const writes = ['a', 'b', 'c'].map(async (ref) => {
      await ours.write(async (queries) => {
        await add(queries, merchantId, ref)
        if (ref === 'c') seenDuring.push(await refsOf(theirs.db, merchantId))
      })
      return (await refsOf(theirs.db, merchantId)).includes(ref)
    })
    expect(await Promise.all(writes)).toEqual([true, true, true])
    expect(seenDuring[0]).not.toContain('c')
  })
})

/** Inserts a row that fails only at the commit. */
async function orphan(queries: Queries) {
  await sql`pragma defer_foreign_keys = on`.execute(queries)
  await insertLogEvents(queries, [
    { transaction_id: 987_654_321, event_type: 'rules', data: {}, created_at: NOW },
  ])
}

describe('SQLite', () => {
  test('answers waiting writes together, after the last of them is stored', async () => {
    const database = await openTestDatabase()
    const merchantId = await newMerchant(database.db)
    const steps: string[] = []
    const writes = ['first', 'second', 'third'].map(async (name) => {
      await database.write(async (queries) => {
        await add(queries, merchantId, name)
        steps.push(`${name} written`)
      })
      steps.push(`${name} answered`)
    })
    await Promise.all(writes)
    const [written, answered] = [steps.slice(0, 3), steps.slice(3)]
    expect(written).toEqual(['first written', 'second written', 'third written'])
    expect(answered).toEqual(['first answered', 'second answered', 'third answered'])
  })

  test('runs waiting writes together, and again separately if one of them fails', async () => {
    const database = await openTestDatabase()
    const tries: Record<string, number> = {}
    const write = (name: string) =>
      database.write(async () => {
        tries[name] = (tries[name] ?? 0) + 1
        if (name === 'wrong') throw new RangeError('no')
      })
    await Promise.all([write('a'), write('b')])
    await Promise.allSettled([write('c'), write('wrong')])
    await expect(write('wrong')).rejects.toThrow(RangeError)
    expect(tries).toEqual({ a: 1, b: 1, c: 2, wrong: 3 })
  })

  test('hides uncommitted writes of a batch from a read, and shows both after the commit', async () => {
    const database = await openTestDatabase()
    const merchantId = await newMerchant(database.db)
    const reads: Promise<(string | null)[]>[] = []
    const read = () => void reads.push(refsOf(database.db, merchantId))
    const seenInside: number[] = []
    await Promise.all(
      ['a', 'b', 'c'].map((ref) =>
        database.write(async (queries) => {
          read()
          await add(queries, merchantId, ref)
          read()
          await setImmediate()
          read()
          seenInside.push((await refsOf(queries, merchantId)).length)
        }),
      ),
    )
    read()
    expect(seenInside).toEqual([1, 2, 3])
    expect(await Promise.all(reads)).toEqual(Array(10).fill(['a', 'b', 'c']))
  })

  test('hides both writes of a batch from a read if the commit fails', async () => {
    const database = await openTestDatabase()
    const merchantId = await newMerchant(database.db)
    const reads: Promise<(string | null)[]>[] = []
    const writes = [
      database.write(async (queries) => {
        await add(queries, merchantId, 'a')
        reads.push(refsOf(database.db, merchantId))
        await add(queries, merchantId, 'b')
      }),
      database.write(orphan),
    ]
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ])
    reads.push(refsOf(database.db, merchantId))
    expect(await Promise.all(reads)).toEqual([[], []])
  })
})
