import { expect, test } from 'vitest'
import {
  countLoginFailure,
  describeLogin,
  forgetLoginFailures,
} from '../../../mock-gateway/storage/login-failures.ts'
import { findOne, updateRows } from '../../../mock-gateway/storage/rows.ts'
import { onEveryDatabase } from './databases.ts'
import { NOW } from './new-rows.ts'

onEveryDatabase((database) => {
  test('parallel failures are all counted', async () => {
    const tries = Array.from({ length: 30 }, () =>
      database().write((queries) => countLoginFailure(queries, 'parallel', NOW)),
    )
    const counts = (await Promise.all(tries)).map(({ failures }) => failures)
    expect(counts.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
  })

  test.each([
    ['was not tried since', NOW - 1, undefined, false],
    ['was tried since', NOW, undefined, true],
    ['is not tried any more but still locked', NOW - 1, NOW, true],
    ['was locked until earlier', NOW - 1, NOW - 1, false],
  ] as const)(
    'failures of a name that %s (last attempt at %i, locked until %s) stay stored: %s',
    async (title, triedAt, lockedUntil, remembered) => {
      const who = describeLogin('7', title)
      await countLoginFailure(database().db, who, triedAt)
      if (lockedUntil !== undefined)
        await updateRows(
          database().db,
          'login_failures',
          { username: who },
          { locked_until: lockedUntil },
        )
      await forgetLoginFailures(database().db, '77', NOW)
      expect(await findOne(database().db, 'login_failures', { username: who })).toBeDefined()
      await forgetLoginFailures(database().db, '7', NOW)
      expect(
        (await findOne(database().db, 'login_failures', { username: who })) !== undefined,
      ).toBe(remembered)
    },
  )
})
