import { isCurrent, luhn } from '../card/card.ts'
import { encryptValue, maxBytes, type PublicKey, readPublicKey } from '../crypto/rsa.ts'
import { Fault } from '../errors/faults.ts'
import type { Library } from '../library.ts'
import { findTypedBrand } from '../shared/typed-card.ts'
import type { MondidoStatic } from '../types.ts'
import { VERSION } from '../version.ts'

/** Card checks that need no request. */
export const CARD: MondidoStatic['card'] = {
  brand: (number) => findTypedBrand(number)?.name || null,
  luhn,
  expiry: (month, year, now) => isCurrent(`${month}/${year}`, now),
}

/**
 * Returns the given key, else the key of the only merchant.
 * @throws Fault `config.public_key_*`
 */
export function findKey(pem: string | undefined, configs: Library['configs']): PublicKey {
  const [served, another] = [...configs.values()]
  const text = pem ?? (another ? undefined : served?.publicKey)
  if (!text) throw new Fault('config.public_key_missing')
  return readPublicKey(text)
}

/** Creates the parts of `$.mondido` that need no jQuery. */
export const createTools = ({
  configs,
  defaults,
  configure,
}: Library): Omit<MondidoStatic, 'install' | 'noConflict'> => ({
  version: VERSION,
  defaults,
  encrypt: (value, publicKey) => encryptValue(value, findKey(publicKey, configs)),
  maxBytes: (publicKey) => maxBytes(findKey(publicKey, configs)),
  card: CARD,
  configure,
})
