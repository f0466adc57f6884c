import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { memoized } from '../domain/memoized.ts'
import type { Queries } from './tables/schema.ts'

/** The given key cannot decrypt the secrets in the data, or there is no key. */
class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError'
}

/** Stores secrets: encrypted if there is a key, otherwise as plain text. */
export interface Secrets {
  /** @param place owner of the secret, such as `7 secret`; it can be decrypted nowhere else */
  seal(secret: string, place: string): string
  /**
   * Decrypts a stored secret; plain text is returned as it is.
   * @throws SecretsKeyError if it was encrypted with another key, or if there is no key
   */
  open(kept: string, place: string): string
  isSealed(kept: string): boolean
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** Algorithm, id of the key, and initialization vector, tag and ciphertext in base64url. */
const SEALED = /^aes-256-gcm:([0-9a-f]{8}):([\w-]{38,})$/

/**
 * @param text 32 bytes as 64 hexadecimal digits or base64. @throws SecretsKeyError that does not
 * repeat it
 */
export function readSecretsKey(text: string): Buffer {
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')
  if (key.length === KEY_BYTES && /^(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(text)) return key
  throw new SecretsKeyError('it must be 32 bytes, as 64 hexadecimal digits or base64')
}

/** @param key 32 bytes */
function sealing(key: Buffer): Secrets {
  const keyId = hash('sha256', Buffer.concat([Buffer.from('id of '), key])).slice(0, 8)
  const isSealed = (kept: string) => SEALED.test(kept)

  function unseal(kept: string, place: string): string {
    const [, id, packed = ''] = SEALED.exec(kept) ?? []
    if (id === undefined) return kept
    if (id !== keyId)
      throw new SecretsKeyError(
        `its secrets were encrypted with the key "${id}", and the one given is "${keyId}"`,
      )
    const bytes = Buffer.from(packed, 'base64url')
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    try {
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)).toString() + decipher.final('utf8')
      )
    } catch (cause) {
      throw new SecretsKeyError('an encrypted secret in it was changed or moved', { cause })
    }
  }

  const opened = memoized(1_000, (both: string) => {
    const [place = '', kept = ''] = both.split('\n', 2)
    return unseal(kept, place)
  })
  return {
    isSealed,
    seal(secret, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(place))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `${ALGORITHM}:${keyId}:${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`
    },
    open: (kept, place) => (isSealed(kept) ? opened(`${place}\n${kept}`) : kept),
  }
}

const IN_CLEAR: Secrets = {
  isSealed: (kept) => SEALED.test(kept),
  seal: (secret) => secret,
  open(kept) {
    const [, id] = SEALED.exec(kept) ?? []
    if (id === undefined) return kept
    throw new SecretsKeyError(
      `its secrets are encrypted: give the key "${id}" with --secrets-key or MONDIDO_SECRETS_KEY`,
    )
  },
}

const known = new WeakMap<object, Secrets>()

/** Sets the key for the secrets of this database; undefined: plain text. */
export function keepSecretsWith(queries: Queries, key: string | undefined): void {
  if (key !== undefined) known.set(queries.getExecutor().adapter, sealing(readSecretsKey(key)))
}

/** Returns how this database stores secrets, inside a transaction too. */
export const createSecrets = (queries: Queries): Secrets =>
  known.get(queries.getExecutor().adapter) ?? IN_CLEAR
