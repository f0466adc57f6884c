import { amountIn, formatAmount, type Hundredths } from '../../../domain/money/money.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'

/**
 * Parses an amount as people type it, or as the console shows it: `10`, `10.5`, `10,50`, `1 000`,
 * `1,000.00`; otherwise undefined, also below zero and for `1,000`, which could mean 1 or 1000.
 */
export function typedAmount(typed: string): Hundredths | undefined {
  const amount = amountIn(typed.replace(/\s|,(?=\d{3}.*\.\d\d$)/g, '').replace(',', '.'))
  return amount === undefined || amount < 0 ? undefined : amount
}

/** Converts `amount` to the API's format; an unreadable one stays, and the API rejects it. */
export function withTypedAmount(parameters: Parameters): Parameters {
  const amount = typedAmount(text<string>(parameters, 'amount') ?? '')
  return amount === undefined ? parameters : { ...parameters, amount: formatAmount(amount) }
}
