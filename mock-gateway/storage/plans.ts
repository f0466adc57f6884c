import { createUpdater, findAll, inserterInto } from './rows.ts'
import type { PlanRow } from './tables/plans.ts'
import type { Queries } from './tables/schema.ts'

export const insertPlan = inserterInto('plans')

/** Plans that can be subscribed to, oldest first. */
export const activePlans = (
  queries: Queries,
  merchant_id: number,
  limit: number,
): Promise<PlanRow[]> => findAll(queries, 'plans', { merchant_id, status: 'active' }, { limit })

export const updatePlan = createUpdater('plans')
