import { beforeAll, expect, test } from 'vitest'
import { changeMerchant } from '../../../mock-gateway/merchants/administer.ts'
import { createAuthenticator } from '../../../mock-gateway/merchants/authenticate.ts'
import { LOCK_MS } from '../../../mock-gateway/merchants/guesses.ts'
import { DEFAULT_MERCHANT, seedMerchants } from '../../../mock-gateway/merchants/seed.ts'
import { readNewPassword } from '../../../mock-gateway/parsing/change-password.ts'
import { countLoginFailure, describeLogin } from '../../../mock-gateway/storage/login-failures.ts'
import { updateRows } from '../../../mock-gateway/storage/rows.ts'
import { MERCHANT } from '../../helpers/gateway.ts'
import { refusal } from '../domain/refusal.ts'
import { useDatabase } from '../storage/databases.ts'

const RIVAL = { ...MERCHANT, id: 11 }

const database = useDatabase()
beforeAll(() => seedMerchants(database(), [MERCHANT, RIVAL], 0))

test('a new password unlocks the account for every address, and no other account', async () => {
  const { login } = createAuthenticator(database())
  const logIn = (address: string, id: number, password: string) =>
    login({ username: String(id), password, address }, 1)
  for (const [address, id] of [
    ['192.0.2.1', MERCHANT.id],
    ['192.0.2.2', MERCHANT.id],
    ['192.0.2.1', RIVAL.id],
  ] as const) {
    const who = describeLogin(String(id), address)
    await database().write(async (queries) => {
      await countLoginFailure(queries, who, 1)
      await updateRows(queries, 'login_failures', { username: who }, { locked_until: 1 + LOCK_MS })
    })
    await expect(logIn(address, id, MERCHANT.password)).rejects.toThrow('errors.account.locked')
  }
  await changeMerchant(
    { database: database(), given: [] },
    MERCHANT.id,
    { password: 'another one' },
    1,
  )
  for (const address of ['192.0.2.1', '192.0.2.2'])
    await expect(logIn(address, MERCHANT.id, 'another one')).resolves.toMatchObject({
      id: MERCHANT.id,
    })
  await expect(logIn('192.0.2.1', RIVAL.id, RIVAL.password)).rejects.toThrow(
    'errors.account.locked',
  )
})

const TOO_SHORT_OR_LONG = 'errors.password_length'

test.each([
  ['six characters', '123456', 'accepted'],
  ['five', '12345', TOO_SHORT_OR_LONG],
  ['256', 'a'.repeat(256), 'accepted'],
  ['257', 'a'.repeat(257), TOO_SHORT_OR_LONG],
  ['a tab', 'abc\tdef', 'errors.request.bad_format'],
  ['the public default password', DEFAULT_MERCHANT.password, 'errors.request.bad_format'],
])('a new password of %s', (_what, password, expected) =>
  expect(refusal(() => readNewPassword({ password, password_again: password }))).toBe(expected),
)

test('a new password is accepted only if both fields have the same text', () => {
  expect(readNewPassword({ password: 'secret', password_again: 'secret' })).toBe('secret')
  expect(refusal(() => readNewPassword({ password: 'secret', password_again: 'Secret' }))).toBe(
    'errors.request.bad_format',
  )
  expect(refusal(() => readNewPassword({ password_again: 'secret' }))).toBe(
    'errors.password.missing',
  )
})
