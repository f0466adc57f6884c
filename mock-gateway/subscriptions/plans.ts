import { GatewayError } from '../domain/errors/errors.ts'
import type { PlanTerms } from '../domain/subscription/plan.ts'
import { findRow, holdRow, insertRow, updateRow } from '../storage/rows.ts'
import type { PlanRow } from '../storage/tables/subscriptions.ts'
import type { OpenWork, Work } from '../work/work.ts'
import type { UpdatePlan } from './commands.ts'

/** Creates a plan (observed: 6.7). */
export const createPlan = (work: OpenWork, terms: PlanTerms): Promise<PlanRow> =>
  work.write(({ queries, merchant, now }) =>
    insertRow(queries, 'plans', {
      ...terms,
      merchant_id: merchant.id,
      status: 'active',
      created_at: now,
      updated_at: now,
    }),
  )

/**
 * Changes a plan, including its status. Existing subscriptions keep their terms (our decision).
 * @throws errors.plan.not_found (135), and the errors of reading the terms
 */
export const changePlan = (work: OpenWork, { id, status, terms }: UpdatePlan): Promise<PlanRow> =>
  work.write(async ({ queries, merchant, now }) => {
    const plan = await holdRow(queries, 'plans', merchant.id, id, now)
    if (!plan) throw planNotFound()
    return updateRow(queries, 'plans', plan.id, { ...terms(plan), status: status ?? plan.status })
  })

/**
 * Cancels a plan: it accepts no new subscriptions, and its subscriptions continue (our decision).
 * @throws errors.plan.not_found (135)
 */
export const cancelPlan = (work: OpenWork, id: number | undefined): Promise<PlanRow> =>
  work.write(async (steps) => {
    const { id: planId } = await requirePlan(steps, id)
    return updateRow(steps.queries, 'plans', planId, { status: 'cancelled', updated_at: steps.now })
  })

/** @throws errors.plan.not_found (135) */
export async function requirePlan(
  { queries, merchant }: Work,
  id: number | undefined,
): Promise<PlanRow> {
  const row = await findRow(queries, 'plans', merchant.id, id)
  if (row) return row
  throw planNotFound()
}

const planNotFound = () =>
  new GatewayError('errors.plan.not_found', {
    explain: 'The merchant has no plan with this id. GET /v1/plans lists its plans.',
  })
