import { hash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const COST: ScryptOptions = { N: 16_384, r: 8, p: 1 }
const LENGTH = 32

const derive = (password: string, salt: Uint8Array) =>
  promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)(password, salt, LENGTH, COST)

/**
 * Hashes a password with scrypt and its own salt.
 * @returns `scrypt$<salt>$<key>`, both base64
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt)
  return `scrypt$${salt.toString('base64')}$${key.toString('base64')}`
}

/** Creates a password of 128 random bits, which cannot be guessed. */
export const createRandomPassword = (): string => randomBytes(16).toString('base64url')

/**
 * Hashes a password that scrypt would not protect further: a password of `createRandomPassword`, which
 * cannot be guessed, or a password of a fixture file, which contains it in plain text. Test suites
 * create many such merchants (our decision).
 * @returns `sha256$<salt>$<digest>`, both base64
 */
export function hashPasswordQuickly(password: string): string {
  const salt = randomBytes(16).toString('base64')
  return ['sha256', salt, digestPassword(password, salt)].join('$')
}

const digestPassword = (password: string, salt: string) => hash('sha256', salt + password, 'base64')

/** Functions that repeat each kind of hash. */
const DERIVE: Readonly<
  Record<string, (password: string, salt: string) => Promise<Buffer> | Buffer>
> = {
  sha256: (password, salt) => Buffer.from(digestPassword(password, salt), 'base64'),
  scrypt: (password, salt) => derive(password, Buffer.from(salt, 'base64')),
}

/** Compares a password with a hash. Both results take the same time. */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const [kind = '', salt = '', key = ''] = passwordHash.split('$')
  const derived = await DERIVE[kind]?.(password, salt)
  if (derived === undefined) return false
  const expected = Buffer.from(key, 'base64')
  return expected.length === derived.length && timingSafeEqual(derived, expected)
}

/** Hash that no password matches. Verifying it takes as long as verifying a real hash. */
export const DUMMY_PASSWORD_HASH = `scrypt$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(LENGTH).toString('base64')}`

export type VerifiedPasswords = ReturnType<typeof createVerifiedPasswords>

/**
 * Remembers which hashes were verified, so that scrypt runs once for each; passwords are not
 * stored.
 * @param limit number of cached passwords, after which the cache is cleared
 */
export function createVerifiedPasswords(limit = 1_000) {
  const salt = randomBytes(32).toString('base64')
  const digests = new Set<string>()
  const digest = (passwordHash: string, password: string) =>
    hash('sha256', [salt, passwordHash, password].join('\0'), 'base64')
  return {
    has: (passwordHash: string, password: string): boolean =>
      digests.has(digest(passwordHash, password)),
    add(passwordHash: string, password: string): void {
      if (digests.size >= limit) digests.clear()
      digests.add(digest(passwordHash, password))
    },
  }
}
