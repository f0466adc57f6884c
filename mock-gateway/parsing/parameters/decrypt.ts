import { isCardNumber } from '../../domain/card/card-types.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { JsonValue } from '../../domain/json.ts'
import { type Parameters, text } from './parameters.ts'

/**
 * Most names `encrypted` may list (our decision), since each costs an RSA operation: of a merchant,
 * and of anybody.
 */
export const MAX_ENCRYPTED = { loggedIn: 40, anybody: 8 } as const

/** Names of parameters that came encrypted: their clear values are used, and shown nowhere else. */
export type EncryptedNames = ReadonlySet<string>

export const NONE_ENCRYPTED: EncryptedNames = new Set()

/**
 * What `encrypted` lists, a comma-separated text whose blanks, repeated and empty names do not
 * count.
 * @param most names that may be listed
 * @throws GatewayError errors.encrypted_param.missing when a listed parameter is not sent or empty
 *   (specification: Errors); errors.request.bad_format when `encrypted` is not a text, lists itself
 *   or more than `most` names
 */
export function encryptedNames(parameters: Parameters, most: number): EncryptedNames {
  const sent = (text(parameters, 'encrypted') ?? '').split(',').map((name) => name.trim())
  const names = new Set(sent.filter((name) => name !== ''))
  if (names.size > most || names.has('encrypted'))
    throw new GatewayError('errors.request.bad_format', {
      explain: `encrypted may list at most ${most} parameters, and not itself`,
    })
  if ([...names].some((name) => (parameters[name] ?? '') === ''))
    throw new GatewayError('errors.encrypted_param.missing', {
      explain: 'Every name in encrypted must also be sent as a parameter',
    })
  return names
}

/** The values of these parameters, for the decryptor. */
export const encryptedValues = (
  parameters: Parameters,
  names: EncryptedNames,
): (string | undefined)[] =>
  [...names].map((name) => {
    const value = parameters[name]
    return typeof value === 'string' ? value : undefined
  })

/**
 * The parameters with the clear values of those that came encrypted. What comes out is text like
 * any form field; an encrypted empty text is an unset value like a clear one.
 *
 * Whoever sends changed ciphertexts learns nothing from the answer: every fault gives the same
 * error, after exactly one RSA operation per listed value. A card number that is sent under another
 * name is such a fault: it would be shown there.
 * @param values of `names`, in their order; undefined where one could not be decrypted
 * @throws GatewayError errors.decryption.failed when a value could not be decrypted, or is a card
 *   number in the wrong place
 */
export function withDecryptedValues(
  parameters: Parameters,
  names: EncryptedNames,
  values: readonly (string | undefined)[],
): Parameters {
  const clear: { [name: string]: JsonValue } = Object.assign(Object.create(null), parameters)
  for (const [index, name] of [...names].entries()) {
    const value = values[index]
    if (value === undefined || (name !== 'card_number' && isCardNumber(value)))
      throw new GatewayError('errors.decryption.failed', {
        explain:
          'A value could not be decrypted; it must be base64(RSA PKCS#1 v1.5(base64(UTF-8 text))), made with your own public key, and only card_number may contain a card number',
      })
    clear[name] = value
  }
  return clear
}
