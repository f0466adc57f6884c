import type { Database } from '../storage/database.ts'
import { unlockLogins } from '../storage/login-failures.ts'
import { updateMerchant } from '../storage/merchants.ts'
import { hashPassword } from './password.ts'

/**
 * Sets a merchant's password (specification: Authentication, 1). This unlocks its account (4) and
 * ends its console sessions, see sessions.ts. A previous password that a rotation kept valid ends
 * too.
 * @param now epoch milliseconds
 */
export async function changePassword(
  database: Database,
  merchantId: number,
  password: string,
  now: number,
): Promise<void> {
  const password_hash = await hashPassword(password)
  await database.write(async (queries) => {
    await updateMerchant(queries, merchantId, {
      ...{ password_hash, updated_at: now },
      ...{ previous_password_hash: null, previous_password_until: null },
    })
    await unlockLogins(queries, String(merchantId))
  })
}
