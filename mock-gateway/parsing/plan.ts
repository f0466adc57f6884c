import type { PlanTerms } from '../domain/subscription/plan.ts'
import type { UpdatePlan } from '../subscriptions/commands.ts'
import { type Parameters, pick, text } from './parameters/parameters.ts'
import { PLAN_TERMS_FIELDS, readPlanTerms } from './plan-terms.ts'
import { readActiveOrCancelled } from './status.ts'

/** Parameters of a new plan (observed: 6.7). */
export const CREATE_PLAN_FIELDS = PLAN_TERMS_FIELDS

/** @throws the errors of `readPlanTerms` */
export const readCreatePlan = (parameters: Parameters): PlanTerms =>
  readPlanTerms(pick(parameters, CREATE_PLAN_FIELDS))

/** Parameters of a changed plan. */
export const UPDATE_PLAN_FIELDS = [...PLAN_TERMS_FIELDS, 'status'] as const

/** @throws errors.status.invalid (148) */
export function readUpdatePlan(id: number | undefined, parameters: Parameters): UpdatePlan {
  const sent = pick(parameters, UPDATE_PLAN_FIELDS)
  return {
    id,
    status: readActiveOrCancelled(text(sent, 'status'), 'status must be active or cancelled.'),
    terms: (known) => readPlanTerms(sent, known),
  }
}
