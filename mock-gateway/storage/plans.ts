import { atMost } from './due.ts'
import { type NewPlanRow, type PlanChanges, type PlanRow, planCodec } from './tables/plans.ts'
import type { Queries } from './tables/schema.ts'

export async function insertPlan(queries: Queries, row: NewPlanRow): Promise<PlanRow> {
  const insert = queries.insertInto('plans').values(planCodec.encode(row))
  return planCodec.decode(await insert.returningAll().executeTakeFirstOrThrow())
}

/** Plans that can be subscribed to, oldest first. */
export async function activePlans(queries: Queries, merchantId: number, limit: number): Promise<PlanRow[]> {
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

export async function updatePlan(queries: Queries, id: number, changes: PlanChanges): Promise<PlanRow> {
  const update = queries.updateTable('plans').set(planCodec.encode(changes)).where('id', '=', id)
  return planCodec.decode(await update.returningAll().executeTakeFirstOrThrow())
}
