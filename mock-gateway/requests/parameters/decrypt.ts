import type { KeyObject } from 'node:crypto'
import { isCardNumber } from '../../domain/cards.ts'
import { GatewayError } from '../../domain/errors.ts'
import type { JsonValue } from '../../domain/json.ts'
import { readBase64, readText } from './encoding.ts'
import { type Parameters, text } from './parameters.ts'
import { decryptBlock } from './pkcs1.ts'

/** Most names `encrypted` may list (our decision), since each costs an RSA operation: of a merchant, and of anybody. */
export const MAX_ENCRYPTED = { loggedIn: 40, anybody: 8 } as const

/** Names of parameters that came encrypted: their clear values are used, and shown nowhere else. */
export type EncryptedNames = ReadonlySet<string>

export const NONE_ENCRYPTED: EncryptedNames = new Set()

/**
 * Decrypts the parameters that `encrypted` lists, a comma-separated text whose blanks, repeated and empty names do not
 * count. Each value is base64(RSA PKCS#1 v1.5(base64(UTF-8 text))), with white space tolerated in both base64 layers
 * (observed: RSA encryption of parameters); an encrypted empty text is an unset value like a clear one. What comes out
 * is text like any form field.
 *
 * Whoever sends changed ciphertexts learns nothing from the answer: every fault gives the same error, after exactly one
 * RSA operation per listed value. A card number that is sent under another name is such a fault: it would be shown there.
 * @param privateKey the merchant's RSA key
 * @param most names that may be listed
 * @throws GatewayError errors.encrypted_param.missing when a listed parameter is not sent or empty (specification:
 *   Errors); errors.decryption.failed when a value cannot be decrypted, or is a card number in the wrong place;
 *   errors.request.bad_format when `encrypted` is not a text, lists itself or more than `most` names
 */
export function decryptParameters(
  parameters: Parameters,
  privateKey: KeyObject,
  most: number = MAX_ENCRYPTED.loggedIn,
): Parameters {
  const names = [...encryptedNames(parameters, most)]
  if (names.length === 0) return parameters
  const decrypted = names.map((name) => [name, decryptValue(parameters[name], privateKey)] as const)
  const clear: { [name: string]: JsonValue } = Object.assign(Object.create(null), parameters)
  for (const [name, value] of decrypted) {
    if (value === undefined || (name !== 'card_number' && isCardNumber(value)))
      throw new GatewayError('errors.decryption.failed', {
        explain:
          'A value could not be decrypted; it must be base64(RSA PKCS#1 v1.5(base64(UTF-8 text))) made with your own public key, and a card number only as card_number',
      })
    clear[name] = value
  }
  return clear
}

/** What `encrypted` lists. @throws as `decryptParameters` */
export function encryptedNames(parameters: Parameters, most: number): EncryptedNames {
  const sent = (text(parameters, 'encrypted') ?? '').split(',').map((name) => name.trim())
  const names = new Set(sent.filter((name) => name !== ''))
  if (names.size > most || names.has('encrypted'))
    throw new GatewayError('errors.request.bad_format', {
      explain: `encrypted lists at most ${most} parameters, and not itself`,
    })
  if ([...names].some((name) => (parameters[name] ?? '') === ''))
    throw new GatewayError('errors.encrypted_param.missing', {
      explain: 'Every name that encrypted lists must be sent as a parameter of its own',
    })
  return names
}

/** The clear text, or undefined when any layer is broken. */
function decryptValue(value: JsonValue | undefined, privateKey: KeyObject): string | undefined {
  const ciphertext = typeof value === 'string' ? readBase64(value) : undefined
  const { message, intact } = decryptBlock(ciphertext, privateKey)
  // Decoded even when the block was broken, so that both ways take the same time.
  const clear = decodeMessage(message)
  return intact ? clear : undefined
}

function decodeMessage(message: Buffer): string | undefined {
  const bytes = readBase64(message.toString('latin1'))
  try {
    return bytes && readText(bytes)
  } catch {
    return undefined
  }
}
