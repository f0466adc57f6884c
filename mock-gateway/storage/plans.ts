import type { Insertable, Selectable, Updateable } from 'kysely'
import type { IntervalUnit, PlanStatus } from '../contract/plan.ts'
import type { Prices } from '../domain/plan.ts'
import { type Id, JSON_TEXT, tableCodec } from './codec.ts'
import { atMost } from './due.ts'
import type { Queries } from './schema.ts'

export interface PlanTable {
  id: Id
  merchant_id: number
  name: string
  description: string
  interval: number
  interval_unit: IntervalUnit
  prices: Prices
  setup_fees: Prices
  /** 0 is for ever. */
  periods: number
  /** Days. */
  trial_length: number
  status: PlanStatus
  created_at: number
  updated_at: number
}

export type PlanRow = Selectable<PlanTable>
export type NewPlanRow = Omit<Insertable<PlanTable>, 'id'>
export type PlanChanges = Omit<Updateable<PlanTable>, 'id' | 'merchant_id'>

export const planCodec = tableCodec<PlanTable>({ prices: JSON_TEXT, setup_fees: JSON_TEXT })

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
