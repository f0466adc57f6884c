import type { Insertable, Selectable } from 'kysely'
import type { IntervalUnit, PlanStatus } from '../../contract/wire.ts'
import type { Prices } from '../../domain/subscription/plan.ts'
import { codecOf, integer, json, key, moment, reference, type TableOf, text } from './columns.ts'

/** The columns of `plans`. */
export const planColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  name: text(),
  description: text(),
  interval: integer(),
  interval_unit: text<IntervalUnit>(),
  prices: json<Prices>(),
  setup_fees: json<Prices>(),
  /** 0: no end. */
  periods: integer(),
  /** Days. */
  trial_length: integer(),
  status: text<PlanStatus>(),
  created_at: moment(),
  updated_at: moment(),
}

type PlanTable = TableOf<typeof planColumns>
export type PlanRow = Selectable<PlanTable>
export type NewPlanRow = Omit<Insertable<PlanTable>, 'id'>

export const planCodec = codecOf(planColumns)
