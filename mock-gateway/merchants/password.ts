import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

const COST: ScryptOptions = { N: 16_384, r: 8, p: 1 }
const LENGTH = 32

/** Hashes a password with scrypt and a salt of its own. @returns `scrypt$<salt>$<key>`, both base64 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, LENGTH, COST)
  return `scrypt$${salt.toString('base64')}$${key.toString('base64')}`
}

/** True when `password` is the one that was hashed. Takes as long either way. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, salt = '', key = ''] = hash.split('$')
  const derived = await derive(password, Buffer.from(salt, 'base64'), LENGTH, COST)
  const expected = Buffer.from(key, 'base64')
  return expected.length === derived.length && timingSafeEqual(derived, expected)
}

/** The hash of no password: verifying against it takes the time of a real one and fails. */
export const NO_PASSWORD = `scrypt$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(LENGTH).toString('base64')}`
