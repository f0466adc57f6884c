import { brandTyped } from '../../mock-gateway/contract/typed-card.ts'
import { isCurrent, luhn } from '../card/card.ts'
import { encryptValue, maxBytes } from '../crypto/encrypt.ts'
import { type PublicKey, readPublicKey } from '../crypto/public-key.ts'
import { Fault } from '../errors/faults.ts'
import type { Library } from '../library.ts'
import type { MondidoStatic } from '../types.ts'
import { VERSION } from '../version.ts'

/** What of `$.mondido` needs no jQuery. */
export function createTools(library: Library): Omit<MondidoStatic, 'install' | 'noConflict'> {
  const keyOf = (pem: string | undefined): PublicKey => {
    const [served, another] = [...library.configs.values()]
    const text = pem ?? (another ? undefined : served?.publicKey)
    if (!text) throw new Fault('config.public_key_missing')
    return readPublicKey(text)
  }
  return {
    version: VERSION,
    defaults: library.defaults,
    encrypt: (value, publicKey) => encryptValue(value, keyOf(publicKey)),
    maxBytes: (publicKey) => maxBytes(keyOf(publicKey)),
    card: { brand: (number) => brandTyped(number)?.name ?? null, luhn, expiry: isCurrent },
    configure: library.configure,
  }
}
