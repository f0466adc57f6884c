import { updateMerchant } from '../storage/merchants.ts'
import { type MerchantsDependencies, needMerchant } from './administer.ts'
import { hashPassword, randomPassword } from './password.ts'

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
  const secret = part === 'password' ? null : randomPassword()
  const password = part === 'secret' ? null : randomPassword()
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
