import { GatewayError } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import { type Parameters, text } from '../domain/parameters.ts'
import { readPlanTerms } from '../domain/plan.ts'
import { insertPlan, type PlanRow, updatePlan } from '../storage/plans.ts'
import { findRow, holdRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import type { Billing } from './billing.ts'

/** Creates a plan (observed: 6.7). @throws what `readPlanTerms` throws */
export function createPlan(
  { ambient, database }: Billing,
  merchant: Merchant,
  parameters: Parameters,
): Promise<PlanRow> {
  const terms = readPlanTerms(parameters)
  const now = ambient.now()
  const row = { merchant_id: merchant.id, status: 'active', created_at: now, updated_at: now } as const
  return database.write((queries) => insertPlan(queries, { ...terms, ...row }))
}

/**
 * Changes a plan, its status too. Subscriptions that it has keep the terms they began with (our decision).
 * @throws errors.plan.not_found (135), errors.status.invalid (148), what `readPlanTerms` throws
 */
export function updatePlanOf(
  { ambient, database }: Billing,
  merchant: Merchant,
  id: number | undefined,
  parameters: Parameters,
): Promise<PlanRow> {
  const status = readStatus(text(parameters, 'status')?.toLowerCase())
  return database.write(async (queries) => {
    const read = await holdRow(queries, 'plans', merchant.id, id, ambient.now())
    if (!read) throw planNotFound()
    const terms = readPlanTerms(parameters, read)
    return updatePlan(queries, read.id, { ...terms, status: status ?? read.status })
  })
}

/**
 * Cancels a plan: it takes no new subscriptions, those it has go on (our decision).
 * @throws errors.plan.not_found (135)
 */
export function cancelPlan(
  { ambient, database }: Billing,
  merchant: Merchant,
  id: number | undefined,
): Promise<PlanRow> {
  return database.write(async (queries) => {
    const { id: planId } = await needPlan(queries, merchant, id)
    return updatePlan(queries, planId, { status: 'cancelled', updated_at: ambient.now() })
  })
}

/** @throws errors.plan.not_found (135) */
export async function needPlan(queries: Queries, merchant: Merchant, id: number | undefined): Promise<PlanRow> {
  const row = await findRow(queries, 'plans', merchant.id, id)
  if (row) return row
  throw planNotFound()
}

const planNotFound = () =>
  new GatewayError('errors.plan.not_found', { explain: 'The merchant has no plan with this id' })

function readStatus(sent: string | undefined): PlanRow['status'] | undefined {
  if (sent === undefined || sent === 'active' || sent === 'cancelled') return sent
  throw new GatewayError('errors.status.invalid', { explain: 'status is active or cancelled' })
}
