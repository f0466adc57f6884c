import { amountIn, formatAmount, type Hundredths } from '../../domain/money/money.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'

/**
 * An amount as people type it: `10`, `10.5`, `10,50`, `1 000`; undefined for what is none, or below
 * zero.
 */
export function typedAmount(typed: string): Hundredths | undefined {
  const amount = amountIn(typed.replace(/\s/g, '').replace(',', '.'))
  return amount === undefined || amount < 0 ? undefined : amount
}

/**
 * With `amount` in the one spelling that the API takes; what cannot be read stays, and is refused
 * as by the API.
 */
export function withTypedAmount(parameters: Parameters): Parameters {
  const amount = typedAmount(text<string>(parameters, 'amount') ?? '')
  return amount === undefined ? parameters : { ...parameters, amount: formatAmount(amount) }
}
