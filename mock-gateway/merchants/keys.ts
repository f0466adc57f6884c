import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '../storage/database.ts'
import { findMerchant, findPublicKey, setFirstKeys } from '../storage/merchants.ts'

const generate = promisify(generateKeyPair)

/** The RSA key pair of a merchant: the browser library encrypts with the public half. */
export interface MerchantKeys {
  readonly privateKey: KeyObject
  /** PEM, SubjectPublicKeyInfo (observed: 4). */
  readonly publicKey: string
}

/** Returns key pairs. A merchant without one gets RSA 2048 at the first request, and keeps it. */
export function createKeyRing(database: Database) {
  const ring = new Map<number, Promise<MerchantKeys>>()

  async function load(merchantId: number): Promise<MerchantKeys> {
    const merchant = await findMerchant(database.db, merchantId)
    if (!merchant) throw new RangeError(`There is no merchant ${merchantId}`)
    if (merchant.private_key && merchant.public_key)
      return { privateKey: createPrivateKey(merchant.private_key), publicKey: merchant.public_key }
    const pair = await createKeys()
    await database.write((queries) => setFirstKeys(queries, merchantId, pair))
    return load(merchantId)
  }

  return {
    /** Keys of an existing merchant. Another gateway may have changed them. */
    async of(merchantId: number): Promise<MerchantKeys> {
      const publicKey = await findPublicKey(database.db, merchantId)
      const known = ring.get(merchantId)
      if (known && (publicKey === null || (await known).publicKey === publicKey)) return known
      const loading = load(merchantId)
      ring.set(merchantId, loading)
      // A read that failed may succeed the next time.
      loading.catch(() => ring.delete(merchantId))
      return loading
    },
  }
}

/** A pair of keys as a merchant's row has it. */
export async function createKeys(): Promise<{ privateKey: string; publicKey: string }> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  return toPem(privateKey)
}

export type KeyRing = ReturnType<typeof createKeyRing>

/** Returns both keys as PEM, calculated from the private key. */
export function toPem(privateKey: KeyObject): { privateKey: string; publicKey: string } {
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  }
}
