import { isCardNumber } from '../../domain/card/card-types.ts'
import { badFormat, GatewayError } from '../../domain/errors/errors.ts'
import type { JsonValue } from '../../domain/json.ts'
import { type Parameters, text } from './parameters.ts'

/** Maximum number of names in `encrypted` (our decision), because each costs an RSA operation. */
export const MAX_ENCRYPTED = { loggedIn: 40, anybody: 8 } as const

/** Names of encrypted parameters: their decrypted values are used, but never shown. */
export type EncryptedNames = ReadonlySet<string>

export const NONE_ENCRYPTED: EncryptedNames = new Set()

/**
 * Reads the names in `encrypted`, a comma-separated text; blanks, repeated and empty names are
 * ignored.
 * @param most maximum number of names
 * @throws GatewayError errors.encrypted_param.missing if a listed parameter is missing or empty
 *   (specification: Errors); errors.request.bad_format if `encrypted` is not a text, lists itself
 *   or more than `most` names
 */
export function listEncryptedNames(parameters: Parameters, most: number): EncryptedNames {
  const sent = (text(parameters, 'encrypted') ?? '').split(',').map((name) => name.trim())
  const names = new Set(sent.filter((name) => name !== ''))
  if (names.size > most || names.has('encrypted'))
    throw badFormat(`encrypted may list at most ${most} parameters, and not itself.`)
  if ([...names].some((name) => (parameters[name] ?? '') === ''))
    throw new GatewayError('errors.encrypted_param.missing', {
      explain: 'Every name in encrypted must also be sent as a parameter.',
    })
  return names
}

/** Returns the values of these parameters, for the decryptor. */
export const listEncryptedValues = (
  parameters: Parameters,
  names: EncryptedNames,
): (string | undefined)[] =>
  [...names].map((name) => {
    const value = parameters[name]
    return typeof value === 'string' ? value : undefined
  })

/**
 * Replaces encrypted values by their plain text. The results are texts like form fields; an
 * encrypted empty text counts as unset.
 *
 * An attacker who sends altered ciphertexts learns nothing from the response: every failure gives
 * the same error, after exactly one RSA operation for each listed value. A card number in another
 * parameter is such a failure, because it would be shown there.
 * @param values of `names`, in the same order; undefined for values that could not be decrypted
 * @throws GatewayError errors.decryption.failed if a value could not be decrypted, or is a card
 *   number in the wrong parameter
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
          'A value could not be decrypted. Send base64(RSA PKCS#1 v1.5(base64(UTF-8 text))), made with your own public key. Only card_number may contain a card number.',
      })
    clear[name] = value
  }
  return clear
}
