import type { IntervalUnit, PlanStatus } from '../../contract/wire.ts'
import { GatewayError } from '../errors/errors.ts'
import type { Currency } from '../money/currencies.ts'
import { formatAmount, type Hundredths } from '../money/money.ts'

/** Hundredths by currency. */
export type Prices = { readonly [C in Currency]?: Hundredths }

/** Terms of a plan (specification: template variables, plan). */
export interface PlanTerms {
  readonly name: string
  /** May be empty. */
  readonly description: string
  /** Number of days or months in a period. */
  readonly interval: number
  readonly interval_unit: IntervalUnit
  /** Price of one period, in at least one currency. */
  readonly prices: Prices
  readonly setup_fees: Prices
  /** 0: no end. */
  readonly periods: number
  /** Days before the first charge. */
  readonly trial_length: number
}

/**
 * Returns a plan's offer to a new subscriber.
 * @param plan undefined if the merchant has none with this id
 * @returns the plan with its price for one period
 * @throws errors.plan.not_found (135), errors.plan.deactivated (1304), errors.price.missing (136)
 *   if the plan has no price in the currency
 */
export function requireOffer<Plan extends { readonly status: PlanStatus; readonly prices: Prices }>(
  plan: Plan | undefined,
  currency: Currency,
): Plan & { readonly price: Hundredths } {
  if (plan === undefined)
    throw new GatewayError('errors.plan.not_found', {
      explain: 'The merchant has no plan with this id. GET /v1/plans lists its plans.',
    })
  if (plan.status === 'cancelled')
    throw new GatewayError('errors.plan.deactivated', {
      explain: 'The plan was cancelled, so it cannot get new subscribers.',
    })
  const price = plan.prices[currency]
  if (price !== undefined) return { ...plan, price }
  const known = Object.entries(plan.prices).map(
    ([code, amount]) => `${code} ${formatAmount(amount)}`,
  )
  throw new GatewayError('errors.price.missing', {
    explain: `The plan has no price in ${currency}. It has prices in ${known.join(', ')}.`,
  })
}
