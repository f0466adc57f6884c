import { GatewayError } from '../domain/errors/errors.ts'
import type { GivenSettings } from '../domain/merchant.ts'
import type { SettingChanges } from '../domain/setting-schema.ts'
import type { Database } from '../storage/database.ts'
import { unlockLogins } from '../storage/login-failures.ts'
import { findMerchant, findNextId, insertMerchant, updateMerchant } from '../storage/merchants.ts'
import type { MerchantRow } from '../storage/tables/merchants.ts'
import { createKeys } from './keys.ts'
import { createRandomPassword, hashPassword, hashPasswordQuickly } from './password.ts'
import { fixedSettings, keyColumns, type MerchantSeed } from './seed.ts'

/** Dependencies of creating and changing merchants. */
export interface MerchantsDependencies {
  readonly database: Database
  /** The merchants that the gateway was given at its start. */
  readonly given: readonly MerchantSeed[]
  /** Settings of a new merchant, unless the request sets them. */
  readonly newMerchantSettings: GivenSettings
}

/** Requested merchant; omitted fields are generated. */
export interface OrderMerchant {
  readonly id?: number | undefined
  readonly name?: string | undefined
  readonly password?: string | undefined
  readonly secret?: string | undefined
  /** PEM. */
  readonly private_key?: string | undefined
  readonly settings: SettingChanges
}

/** Requested changes of a merchant. */
type MerchantChanges = Partial<Omit<OrderMerchant, 'id'>>

/** A new merchant, with the secrets for its shop: they are returned only once. */
export interface NewMerchant {
  readonly merchant: MerchantRow
  readonly password: string
}

/**
 * Creates a merchant. Without a password and keys of its own this is fast, because keys are
 * generated when they are first needed.
 * @param now epoch milliseconds
 * @throws errors.request.bad_format (253) if the id is taken
 */
export async function createMerchant(
  { database, newMerchantSettings }: MerchantsDependencies,
  order: OrderMerchant,
  now: number,
): Promise<NewMerchant> {
  const password = order.password ?? createRandomPassword()
  const password_hash =
    order.password === undefined ? hashPasswordQuickly(password) : await hashPassword(password)
  const chosen = changed({}, order.settings)
  const account = {
    password_hash,
    secret: order.secret ?? createRandomPassword(),
    settings: { ...newMerchantSettings, ...chosen },
    setting_changes: chosen,
    ...{ private_key: null, public_key: null, ...keyColumns(order) },
    ...{ created_at: now, updated_at: now },
  }
  return database.write(async (queries) => {
    for (;;) {
      const id = order.id ?? (await findNextId(queries, 'merchants'))
      const name = order.name ?? `Merchant ${id}`
      if (await insertMerchant(queries, { id, name, ...account }))
        return { merchant: await needMerchant(queries, id), password }
      if (order.id !== undefined)
        throw new GatewayError('errors.request.bad_format', {
          explain: `Merchant ${id} already exists. Choose another id.`,
        })
    }
  })
}

/**
 * Changes a merchant; omitted values stay. A new password unlocks it (specification:
 * Authentication, 4) and ends its console sessions, see sessions.ts. A new secret or password ends the previous one that a rotation kept valid.
 * @throws errors.merchant.not_found (104), errors.request.bad_format (253) for settings of the
 * start-up configuration
 */
export async function changeMerchant(
  dependencies: Pick<MerchantsDependencies, 'database' | 'given'>,
  id: number,
  { name, password, secret, private_key, settings = {} }: MerchantChanges,
  now: number,
): Promise<MerchantRow> {
  const fixed = getFixedSettings(dependencies, id) ?? {}
  const stuck = Object.keys(settings).filter((each) => each in fixed)
  if (stuck.length > 0)
    throw new GatewayError('errors.request.bad_format', {
      explain: `The start-up configuration defines ${stuck.join(', ')} of this merchant. Change it there.`,
    })
  const password_hash = password === undefined ? undefined : await hashPassword(password)
  return dependencies.database.write(async (queries) => {
    const { setting_changes, settings: before } = await needMerchant(queries, id)
    const given = Object.fromEntries(
      Object.entries({ name, secret, password_hash }).filter(([, value]) => value),
    )
    await updateMerchant(queries, id, {
      ...given,
      ...(secret !== undefined && { previous_secret: null, previous_secret_until: null }),
      ...(password !== undefined && {
        previous_password_hash: null,
        previous_password_until: null,
      }),
      ...keyColumns({ private_key }),
      setting_changes: changed(setting_changes, settings),
      settings: changed(before, settings),
      updated_at: now,
    })
    if (password !== undefined) await unlockLogins(queries, String(id))
    return needMerchant(queries, id)
  })
}

/**
 * Creates another pair of keys for a merchant.
 * @throws errors.merchant.not_found (104)
 */
export async function renewKeys(
  { database }: MerchantsDependencies,
  id: number,
  now: number,
): Promise<void> {
  await needMerchant(database.db, id)
  const { privateKey, publicKey } = await createKeys()
  await updateMerchant(database.db, id, {
    private_key: privateKey,
    public_key: publicKey,
    updated_at: now,
  })
}

/** Returns a merchant's settings in the start-up configuration; undefined if it is not in there. */
export function getFixedSettings(
  { given }: Pick<MerchantsDependencies, 'given'>,
  id: number,
): GivenSettings | undefined {
  const seed = given.find((each) => each.id === id)
  return seed && fixedSettings(seed)
}

/** @throws errors.merchant.not_found (104) */
export async function needMerchant(queries: Database['db'], id: number): Promise<MerchantRow> {
  const merchant = await findMerchant(queries, id)
  if (merchant) return merchant
  throw new GatewayError('errors.merchant.not_found', { explain: `There is no merchant ${id}.` })
}

const changed = (settings: GivenSettings, changes: SettingChanges): GivenSettings =>
  Object.fromEntries(
    Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== null),
  )

/** Credentials that a rotation can replace. */
export const ROTATION_PARTS = ['both', 'secret', 'password'] as const

/** Rotation that a merchant or the operator requests. */
export interface RotationRequest {
  readonly part: (typeof ROTATION_PARTS)[number]
  /** Hours during which the old secret and password stay valid; 0: they end immediately. */
  readonly hours: number
}

/** The new secret and password, null for a part that stays. They are shown once. */
export interface Rotation {
  readonly secret: string | null
  readonly password: string | null
  /** Epoch milliseconds: end of the previous secret's and password's validity. */
  readonly until: number
  /**
   * Explains that the next start would undo the rotation; null for a merchant that is not in the
   * start-up configuration.
   */
  readonly warning: string | null
}

const HOUR_MS = 3_600_000

/**
 * Creates a new secret, a new password or both for a merchant, and keeps the previous ones valid
 * for a while.
 * @param now epoch milliseconds
 * @throws errors.merchant.not_found (104)
 */
export async function rotateSecrets(
  { database, given }: Pick<MerchantsDependencies, 'database' | 'given'>,
  id: number,
  { part, hours }: RotationRequest,
  now: number,
): Promise<Rotation> {
  const until = now + hours * HOUR_MS
  const secret = part === 'password' ? null : createRandomPassword()
  const password = part === 'secret' ? null : createRandomPassword()
  const password_hash = password === null ? undefined : await hashPassword(password)
  await database.write(async (queries) => {
    const before = await needMerchant(queries, id)
    await updateMerchant(queries, id, {
      ...(secret !== null && {
        secret,
        previous_secret: before.secret,
        previous_secret_until: until,
      }),
      ...(password_hash !== undefined && {
        password_hash,
        previous_password_hash: before.password_hash,
        previous_password_until: until,
      }),
      updated_at: now,
    })
  })
  return {
    secret,
    password,
    until,
    warning: given.some((each) => each.id === id) ? UNDONE_BY_START : null,
  }
}

const UNDONE_BY_START =
  'The start-up configuration defines this merchant. Write the new values there before the next start. ' +
  'Otherwise that start makes the old values valid again, and the new values remain valid only until the rotation ends.'
