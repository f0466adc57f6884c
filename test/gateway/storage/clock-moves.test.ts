import { expect, test } from 'vitest'
import { COMMON, insertClockMove, movesSince } from '../../../mock-gateway/storage/clocks.ts'
import { onEveryDatabase } from './databases.ts'

onEveryDatabase((database) => {
  test('moves of a clock and of the common clock are listed, newest first, at most the last thousand of each', async () => {
    const move = (merchant_id: number, to_at: number) =>
      ({ merchant_id, kind: 'set', from_at: 0, to_at }) as const
    await database().write(async (queries) => {
      for (const row of [move(2, 9_001), move(COMMON, 9_002), move(1, 9_003)])
        await insertClockMove(queries, row)
      for (let at = 1; at <= 1_001; at += 1) await insertClockMove(queries, move(3, at))
    })
    const told = async (merchantId: number, from: number) =>
      (await movesSince(database().db, merchantId, from, 2_000)).map(({ to_at }) => to_at)
    expect(await told(1, 9_000)).toEqual([9_003, 9_002])
    expect(await told(2, 9_002)).toEqual([9_002])
    const third = await told(3, 0)
    expect([third.length, third[0], third.at(-1)]).toEqual([1_001, 1_001, 9_002])
  })
})
