import { hasControlCharacters, isLongerThan } from '../domain/characters.ts'
import { badFormat, GatewayError } from '../domain/errors/errors.ts'
import { DEFAULT_MERCHANT } from '../merchants/seed.ts'
import { type Parameters, pick, text } from './parameters/parameters.ts'

/**
 * Length of a password in characters (specification: 250; our decision: every client can send it).
 */
const MIN_LENGTH = 6
const MAX_LENGTH = 256

/** Fields of a password form: the current password, and the new one twice. */
export const PASSWORD_FIELDS = ['old_password', 'password', 'password_again'] as const

/**
 * Reads a merchant's new password.
 * @throws errors.password.missing (190), errors.password_length (250), errors.request.bad_format
 *   (253)
 */
export function readNewPassword(parameters: Parameters): string {
  const sent = pick(parameters, PASSWORD_FIELDS)
  const password = text(sent, 'password')
  if (password === undefined)
    throw new GatewayError('errors.password.missing', { explain: 'The new password is missing.' })
  if (text(sent, 'password_again') !== password)
    throw badFormat('The two new passwords are different.')
  return checkPassword(password)
}

/** @throws errors.password_length (250), errors.request.bad_format (253) */
export function checkPassword(password: string): string {
  if (!isLongerThan(password, MIN_LENGTH - 1) || isLongerThan(password, MAX_LENGTH))
    throw new GatewayError('errors.password_length', {
      explain: `A password must have ${MIN_LENGTH} to ${MAX_LENGTH} characters.`,
    })
  if (hasControlCharacters(password))
    throw badFormat('A password must consist of visible characters.')
  if (password === DEFAULT_MERCHANT.password)
    throw badFormat('This password is a published default. Choose another.')
  return password
}
