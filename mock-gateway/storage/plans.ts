import { atMost } from './due.ts'
import { inserterInto, updaterOf } from './rows.ts'
import { type PlanRow, planCodec } from './tables/plans.ts'
import type { Queries } from './tables/schema.ts'

export const insertPlan = inserterInto('plans')

/** Plans that can be subscribed to, oldest first. */
export async function activePlans(
  queries: Queries,
  merchantId: number,
  limit: number,
): Promise<PlanRow[]> {
  const rows = await queries
    .selectFrom('plans')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('status', '=', 'active')
    .orderBy('id')
    .limit(atMost(limit))
    .execute()
  return rows.map(planCodec.decode)
}

export const updatePlan = updaterOf('plans')
