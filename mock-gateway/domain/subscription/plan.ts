import type { IntervalUnit, PlanStatus } from '../../contract/wire.ts'
import { GatewayError } from '../errors/errors.ts'
import type { Currency } from '../money/currencies.ts'
import { formatAmount, type Hundredths } from '../money/money.ts'

/** Hundredths by currency. */
export type Prices = { readonly [C in Currency]?: Hundredths }

/** What a plan offers (specification: template variables, plan). */
export interface PlanTerms {
  readonly name: string
  /** May be empty. */
  readonly description: string
  /** A period lasts this many days or months. */
  readonly interval: number
  readonly interval_unit: IntervalUnit
  /** What one period costs; at least one currency. */
  readonly prices: Prices
  readonly setup_fees: Prices
  /** 0 is for ever. */
  readonly periods: number
  /** Days before the first charge. */
  readonly trial_length: number
}

/**
 * What a plan offers to a new subscriber.
 * @param plan undefined when the merchant has none with the id that was sent
 * @returns the plan with its price for one period
 * @throws errors.plan.not_found (135), errors.plan.deactivated (1304), errors.price.missing (136)
 *   when the plan has no price in the currency
 */
export function offerOf<Plan extends { readonly status: PlanStatus; readonly prices: Prices }>(
  plan: Plan | undefined,
  currency: Currency,
): Plan & { readonly price: Hundredths } {
  if (plan === undefined)
    throw new GatewayError('errors.plan.not_found', {
      explain: 'The merchant has no plan with this id',
    })
  if (plan.status === 'cancelled')
    throw new GatewayError('errors.plan.deactivated', {
      explain: 'The plan was cancelled, so it cannot get new subscribers',
    })
  const price = plan.prices[currency]
  if (price !== undefined) return { ...plan, price }
  const known = Object.entries(plan.prices).map(
    ([code, amount]) => `${code} ${formatAmount(amount)}`,
  )
  throw new GatewayError('errors.price.missing', {
    explain: `The plan has no price in ${currency}; it has prices in ${known.join(', ')}`,
  })
}
