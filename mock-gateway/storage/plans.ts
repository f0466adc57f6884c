import type { Insertable, Selectable, Updateable } from 'kysely'
import type { IntervalUnit, PlanStatus } from '../contract/plan.ts'
import type { PlanTerms } from '../domain/plan.ts'
import type { Id } from './codec.ts'
import type { Queries } from './schema.ts'

export interface PlanTable {
  id: Id
  merchant_id: number
  name: string
  description: string
  interval: number
  interval_unit: IntervalUnit
  /** JSON of hundredths by currency in lower case. */
  prices: string
  setup_fees: string
  /** 0 is for ever. */
  periods: number
  /** Days. */
  trial_length: number
  status: PlanStatus
  created_at: number
  updated_at: number
}

export type PlanRow = Selectable<PlanTable>

export function insertPlan(queries: Queries, row: Insertable<PlanTable>): Promise<PlanRow> {
  return queries.insertInto('plans').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updatePlan(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<PlanTable>, 'id' | 'merchant_id'>,
): Promise<PlanRow> {
  return queries.updateTable('plans').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** The terms in the columns of a plan. */
export const planTermsOf = <Row extends PlanRow>(row: Row): Omit<Row, keyof PlanTerms> & PlanTerms => ({
  ...row,
  prices: JSON.parse(row.prices),
  setup_fees: JSON.parse(row.setup_fees),
})

/** The columns that hold these terms. */
export const planColumns = (terms: PlanTerms) => ({
  ...terms,
  prices: JSON.stringify(terms.prices),
  setup_fees: JSON.stringify(terms.setup_fees),
})
