import { constants, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto'

/** Key pair of this test run, with the public key as PEM. */
export interface KeyPair {
  publicKey: string
  privateKey: KeyObject
}

export function createKeyPair(
  modulusLength = 2048,
  publicExponent = 0x10001,
  type: 'spki' | 'pkcs1' = 'spki',
): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent })
  return { publicKey: publicKey.export({ type, format: 'pem' }).toString(), privateKey }
}

/** Decrypts a value like the service: base64, RSA PKCS#1 v1.5, base64, UTF-8. */
export function decryptValue(value: string, key: KeyObject | string): string {
  const padding = constants.RSA_PKCS1_PADDING
  const inner = privateDecrypt({ key, padding }, Buffer.from(value, 'base64'))
  return Buffer.from(inner.toString('ascii'), 'base64').toString('utf8')
}
