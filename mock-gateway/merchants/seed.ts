import { createPrivateKey } from 'node:crypto'
import type { GivenSettings } from '../domain/merchant.ts'
import { getPresetSettings, type PresetName } from '../domain/presets.ts'
import { listValidSecrets } from '../domain/secrets.ts'
import type { Database } from '../storage/database.ts'
import { unlockLogins } from '../storage/login-failures.ts'
import {
  findAllMerchants,
  findMerchant,
  insertMerchant,
  updateMerchant,
} from '../storage/merchants.ts'
import type { MerchantRow } from '../storage/tables/merchants.ts'
import { toPem } from './keys.ts'
import {
  createVerifiedPasswords,
  hashPassword,
  type VerifiedPasswords,
  verifyPassword,
} from './password.ts'

/** A merchant as given by `createGateway` or the merchants file (our decision). */
export interface MerchantSeed {
  /** From 1. */
  id: number
  /** Default: `Merchant` and the id. */
  name?: string | undefined
  /** At least 6 characters. */
  password: string
  secret: string
  /**
   * PEM of an RSA private key of at least 2048 bits; if missing, one is generated when it is first
   * needed.
   */
  private_key?: string | undefined
  settings?: GivenSettings | undefined
  /** Settings for an old client; `settings` override them. */
  preset?: PresetName | undefined
}

/** A merchant with public secrets, which pages and examples may show. */
export type KnownMerchant = Readonly<Pick<MerchantSeed, 'id' | 'password' | 'secret'>>

/**
 * The merchant of a gateway without configured merchants (decision 65).
 * @example
 * import { createGateway, DEFAULT_MERCHANT } from 'mondido-gateway'
 *
 * const merchants = [DEFAULT_MERCHANT, { id: 2, password: 'custom02', secret: 'shop-secret' }]
 * const gateway = await createGateway({ merchants })
 * console.log(DEFAULT_MERCHANT.id) // 1
 * await gateway.close()
 */
export const DEFAULT_MERCHANT: MerchantSeed = {
  id: 1,
  name: 'Sandbox',
  password: 'custom00',
  secret: 'sandbox-secret',
  // Shops on this machine, with any port.
  settings: { frame_parents: ['http://localhost:*', 'http://127.0.0.1:*'] },
}

/**
 * Stored hash of the default password. The password is public, so a slow hash at every start would
 * protect nothing.
 */
const DEFAULT_PASSWORD_HASH =
  'scrypt$bW9uZGlkbyBzYW5kYm94Lg==$tsSEl6SG3HO3hFfBbWNIhEF7tnt9ENffAvNNKpmuyvM='

/** Returns true for a merchant with public default secrets. */
export const isDefaultMerchant = ({ id, password, secret }: MerchantSeed): boolean =>
  id === DEFAULT_MERCHANT.id &&
  password === DEFAULT_MERCHANT.password &&
  secret === DEFAULT_MERCHANT.secret

/** True while its password is still the public default. */
export const hasDefaultPassword = ({
  password_hash,
}: {
  readonly password_hash: string
}): boolean => password_hash === DEFAULT_PASSWORD_HASH

/**
 * A merchant has the password or the secret of `DEFAULT_MERCHANT`, and others can reach the
 * gateway.
 */
class DefaultSecretsError extends Error {
  override readonly name = 'DefaultSecretsError'
}

/**
 * Rejects public default secrets on addresses that others can reach; stored data can still contain
 * them.
 * @param getNow time of a merchant, epoch milliseconds: a rotation keeps the previous secrets valid
 * for a while
 * @throws DefaultSecretsError
 */
export async function refuseDefaultSecrets(
  { db }: Database,
  getNow: (merchantId: number) => number,
): Promise<void> {
  for (const merchant of await findAllMerchants(db)) {
    const { id, secret, password_hash, previous_secret, previous_secret_until } = merchant
    const now = getNow(id)
    const secrets = listValidSecrets(now, secret, {
      value: previous_secret,
      until: previous_secret_until,
    })
    const hashes = listValidSecrets(now, password_hash, {
      value: merchant.previous_password_hash,
      until: merchant.previous_password_until,
    })
    const opens = await Promise.all(
      hashes.map((each) => verifyPassword(DEFAULT_MERCHANT.password, each)),
    )
    const isOpen = secrets.includes(DEFAULT_MERCHANT.secret) || opens.includes(true)
    if (isOpen)
      throw new DefaultSecretsError(
        `merchant ${id} in the stored data has the default password or secret, and other machines can reach the gateway: ` +
          'set a password and a secret with --merchants, or start with other data',
      )
  }
}

/**
 * Returns the settings of a configured merchant, which take precedence; the default merchant has
 * none and can be changed.
 */
const parseSeedSettings = (seed: MerchantSeed): GivenSettings => ({
  ...getPresetSettings(seed.preset),
  ...seed.settings,
})

/** Settings that only the operator can change. */
export const fixedSettings = (seed: MerchantSeed): GivenSettings =>
  isDefaultMerchant(seed) ? {} : parseSeedSettings(seed)

/**
 * Returns the settings of merchant 1 without a configuration, and the initial ones of the default
 * merchant.
 */
const ownSettings = (seed: MerchantSeed): GivenSettings => ({
  ...(seed.id === DEFAULT_MERCHANT.id && DEFAULT_MERCHANT.settings),
  ...(isDefaultMerchant(seed) && parseSeedSettings(seed)),
})

/** Default settings of merchants: if others can reach the gateway, real cards are rejected. */
export const getDefaultSettings = (isReachedByOthers: boolean): GivenSettings =>
  isReachedByOthers ? { live_cards: 'refuse' } : {}

type HashPassword = (password: string) => Promise<string> | string

interface SeedOptions {
  readonly verified?: VerifiedPasswords
  readonly hash?: HashPassword
  readonly settings?: GivenSettings
}

/**
 * Adds new configured merchants, and updates existing ones.
 * @param options.verified receives their passwords, so that a first login is as fast as the next
 * @param options.hash hashes their passwords; default scrypt
 * @param options.settings defaults for settings that nobody set
 * @returns ids of merchants whose rotation this start undid: their configured secrets apply again
 */
export async function seedMerchants(
  database: Database,
  seeds: readonly MerchantSeed[],
  now: number,
  { verified = createVerifiedPasswords(), hash = hashPassword, settings = {} }: SeedOptions = {},
): Promise<readonly number[]> {
  const undone: number[] = []
  for (const seed of seeds) {
    const known = await findMerchant(database.db, seed.id)
    const account = {
      name: seed.name ?? `Merchant ${seed.id}`,
      password_hash: await keptHash(seed.password, known, hash),
      secret: seed.secret,
      settings: {
        ...settings,
        ...ownSettings(seed),
        ...known?.setting_changes,
        ...fixedSettings(seed),
      },
      updated_at: now,
    }
    verified.add(account.password_hash, seed.password)
    const given = keyColumns(seed)
    const previous = known && previousAfterStart(known, account)
    if (known && previous && isUndone(previous, known, account)) undone.push(seed.id)
    await database.write(async (queries) => {
      const unset = { private_key: null, public_key: null, ...given }
      if (await insertMerchant(queries, { id: seed.id, ...account, ...unset, created_at: now }))
        return
      await updateMerchant(queries, seed.id, { ...account, ...given, ...previous })
      // A password reset unlocks (specification: Authentication, 4). A start with a password counts
      // as a reset, even if it is the same (our decision): ten wrong attempts must not lock a
      // developer out of a sandbox.
      await unlockLogins(queries, String(seed.id))
    })
  }
  return undone
}

type MerchantCredentials = Pick<MerchantRow, 'secret' | 'password_hash'>

/**
 * Keeps the secret and password in use before a start with other values valid, as long as the
 * rotation chose.
 */
const previousAfterStart = (
  known: MerchantRow,
  { secret, password_hash }: MerchantCredentials,
) => ({
  ...(known.previous_secret !== null &&
    known.secret !== secret && { previous_secret: known.secret }),
  ...(known.previous_password_hash !== null &&
    known.password_hash !== password_hash && { previous_password_hash: known.password_hash }),
})

const isUndone = (
  previous: object,
  known: MerchantRow,
  { secret, password_hash }: MerchantCredentials,
): boolean =>
  ('previous_secret' in previous && known.previous_secret === secret) ||
  ('previous_password_hash' in previous && known.previous_password_hash === password_hash)

/** Returns the columns of a configured key; none if there is no key. */
export function keyColumns({ private_key }: Pick<MerchantSeed, 'private_key'>) {
  if (private_key === undefined) return {}
  const { privateKey, publicKey } = toPem(createPrivateKey(private_key))
  return { private_key: privateKey, public_key: publicKey }
}

/**
 * @param known hashes in use. A hash stays if it matches the password and is as strong as a new
 * one.
 */
async function keptHash(
  password: string,
  known: MerchantRow | undefined,
  hash: HashPassword,
): Promise<string> {
  if (password === DEFAULT_MERCHANT.password) return DEFAULT_PASSWORD_HASH
  for (const each of [known?.password_hash, known?.previous_password_hash])
    if (each?.startsWith('scrypt$') && (await verifyPassword(password, each))) return each
  return hash(password)
}
