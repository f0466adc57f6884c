import { expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { readNewPassword } from '../../../mock-gateway/parsing/change-password.ts'
import { refusal } from '../domain/refusal.ts'

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
