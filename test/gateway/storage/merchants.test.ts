import { expect, test } from 'vitest'
import {
  countLoginFailure,
  describeLogin,
  forgetLoginFailures,
} from '../../../mock-gateway/storage/login-failures.ts'
import {
  findMerchant,
  findMerchantLogin,
  insertMerchant,
  setFirstKeys,
} from '../../../mock-gateway/storage/merchants.ts'
import { findOne, updateRows } from '../../../mock-gateway/storage/rows.ts'
import { onEveryDatabase } from './databases.ts'
import { DEFAULTS, merchantRow, NOW, newMerchant } from './new-rows.ts'

onEveryDatabase((database) => {
  test('a merchant is read back unchanged', async () => {
    const row = merchantRow({ name: 'Åsas ☕', settings: { ...DEFAULTS, error_object: true } })
    expect(await insertMerchant(database().db, row)).toBe(true)
    expect(await findMerchant(database().db, row.id)).toEqual(row)
  })

  test('a merchant keeps its first key pair', async () => {
    const id = await newMerchant(database().db)
    await setFirstKeys(database().db, id, {
      privateKey: 'first private',
      publicKey: 'first public',
    })
    await setFirstKeys(database().db, id, { privateKey: 'late private', publicKey: 'late public' })
    expect(await findMerchant(database().db, id)).toMatchObject({
      private_key: 'first private',
      public_key: 'first public',
    })
  })

  test('a login is read with its failures and the end of its lock, if any', async () => {
    const row = merchantRow()
    await insertMerchant(database().db, row)
    const {
      private_key: _private,
      setting_changes: _changes,
      public_key: _public,
      created_at: _created,
      updated_at: _updated,
      ...facts
    } = row
    expect(await findMerchantLogin(database().db, row.id, '192.0.2.1')).toEqual({
      ...facts,
      failures: null,
      locked_until: null,
    })
    await countLoginFailure(database().db, describeLogin(String(row.id), '192.0.2.1'), NOW)
    await updateRows(
      database().db,
      'login_failures',
      { username: describeLogin(String(row.id), '192.0.2.1') },
      { locked_until: NOW + 1000 },
    )
    expect(await findMerchantLogin(database().db, row.id, '192.0.2.1')).toEqual({
      ...facts,
      failures: 1,
      locked_until: NOW + 1000,
    })
    const elsewhere = await findMerchantLogin(database().db, row.id, '192.0.2.2')
    expect(elsewhere).toMatchObject({ failures: null, locked_until: null })
  })
})

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
