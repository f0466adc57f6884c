import { findTypedBrand } from '../../mock-gateway/contract/typed-card.ts'
import { isCurrent, luhn } from '../card/card.ts'
import { encryptValue, maxBytes } from '../crypto/encrypt.ts'
import { type PublicKey, readPublicKey } from '../crypto/public-key.ts'
import { Fault } from '../errors/faults.ts'
import type { Library } from '../library.ts'
import type { MondidoStatic } from '../types.ts'
import { VERSION } from '../version.ts'

/** What can be told of a card without the service. */
export const CARD: MondidoStatic['card'] = {
  brand: (number) => findTypedBrand(number)?.name || null,
  luhn,
  expiry: (month, year, now) => isCurrent(`${month}/${year}`, now),
}

/** The key that is given, else that of the only merchant there is.
 * @throws Fault `config.public_key_*` */
export function keyFor(pem: string | undefined, configs: Library['configs']): PublicKey {
  const [served, another] = [...configs.values()]
  const text = pem ?? (another ? undefined : served?.publicKey)
  if (!text) throw new Fault('config.public_key_missing')
  return readPublicKey(text)
}

/** What of `$.mondido` needs no jQuery. */
export const createTools = ({
  configs,
  defaults,
  configure,
}: Library): Omit<MondidoStatic, 'install' | 'noConflict'> => ({
  version: VERSION,
  defaults,
  encrypt: (value, publicKey) => encryptValue(value, keyFor(publicKey, configs)),
  maxBytes: (publicKey) => maxBytes(keyFor(publicKey, configs)),
  card: CARD,
  configure,
})
