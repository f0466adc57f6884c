import type { Database } from '../storage/database.ts'
import { unlockLogins } from '../storage/login-failures.ts'
import { updateMerchant } from '../storage/merchants.ts'
import { hashPassword } from './password.ts'

/**
 * Gives a merchant another password (specification: Authentication, 1), which unlocks its account
 * (4) and ends its sessions of the console, see sessions.ts. A password that an earlier rotation
 * kept valid ends as well.
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
