import type { Insertable, Selectable } from 'kysely'
import type { IntervalUnit, PlanStatus } from '../../contract/wire.ts'
import type { Prices } from '../../domain/subscription/plan.ts'
import { integer, json, key, listed, moment, reference, type TableOf, text } from './columns.ts'

/** The columns of `plans`. */
export const planColumns = {
  id: listed(key()),
  merchant_id: reference('merchants'),
  name: listed(text()),
  description: text(),
  interval: listed(integer()),
  interval_unit: listed(text<IntervalUnit>(), 'word'),
  prices: json<Prices>(),
  setup_fees: json<Prices>(),
  /** 0: no end. */
  periods: listed(integer()),
  /** Days. */
  trial_length: listed(integer()),
  status: listed(text<PlanStatus>(), 'word'),
  created_at: listed(moment()),
  updated_at: listed(moment()),
}

type PlanTable = TableOf<typeof planColumns>
export type PlanRow = Selectable<PlanTable>
export type NewPlanRow = Omit<Insertable<PlanTable>, 'id'>
