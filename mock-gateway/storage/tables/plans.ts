import type { Insertable, Selectable } from 'kysely'
import type { IntervalUnit, PlanStatus } from '../../contract/wire.ts'
import type { Prices } from '../../domain/subscription/plan.ts'
import { type Id, JSON_TEXT, tableCodec } from './codec.ts'

export interface PlanTable {
  id: Id
  merchant_id: number
  name: string
  description: string
  interval: number
  interval_unit: IntervalUnit
  prices: Prices
  setup_fees: Prices
  /** 0: no end. */
  periods: number
  /** Days. */
  trial_length: number
  status: PlanStatus
  created_at: number
  updated_at: number
}

export type PlanRow = Selectable<PlanTable>
export type NewPlanRow = Omit<Insertable<PlanTable>, 'id'>

export const planCodec = tableCodec<PlanTable>({ prices: JSON_TEXT, setup_fees: JSON_TEXT })
