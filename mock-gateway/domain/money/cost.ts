import type { Cost } from '../../contract/wire.ts'
import type { Currency } from './currencies.ts'
import type { Hundredths } from './money.ts'

/**
 * Fees in thousandths: fractions of the amount, except the fixed one, which is in whole units of
 * the currency.
 */
export interface Fees {
  readonly percentual: number
  readonly fixed: number
  /** Taken when the transaction's currency is not the account's. */
  readonly exchange: number
  readonly vatRate: number
}

/** Observed: 7.1. No tax is part of the total there, so the rate is zero (our decision). */
export const DEFAULT_FEES: Fees = { percentual: 25, fixed: 25, exchange: 35, vatRate: 0 }

/** Of what is not paid (decision 52: the object is always there). */
export const NO_FEES: Fees = { percentual: 0, fixed: 0, exchange: 0, vatRate: 0 }

/**
 * What a payment costs the merchant: amount x (percentual fee + exchange fee) + fixed fee
 * (observed: 7.1).
 * @returns fees as decimal text with up to three decimals; the total is rounded half up to
 *   thousandths
 */
export function costOf(
  id: number,
  amount: Hundredths,
  currency: Currency,
  accountCurrency: Currency,
  fees: Fees = DEFAULT_FEES,
): Cost {
  const exchange = currency === accountCurrency ? 0 : fees.exchange
  return {
    id,
    percentual_fee: thousandthsText(fees.percentual),
    fixed_fee: thousandthsText(fees.fixed),
    percentual_exchange_fee: thousandthsText(exchange),
    vat_rate: thousandthsText(fees.vatRate),
    total: thousandthsText(totalOf(amount, fees.percentual + exchange, fees.fixed)),
  }
}

/**
 * Hundredths times thousandths are hundred-thousandths, beyond what a number holds for the largest
 * amounts.
 */
function totalOf(amount: Hundredths, rate: number, fixed: number): number | bigint {
  const rounded = amount * rate + fixed * 100 + 50
  if (Number.isSafeInteger(rounded)) return Math.floor(rounded / 100)
  return (BigInt(amount) * BigInt(rate) + BigInt(fixed) * 100n + 50n) / 100n
}

/** A number of at most 15 digits, divided by 1000, is written with just its own digits. */
const MOST_EXACT = 1e15

/** "0.625", "1.5", "0": no zeros at the end. Expects no negative number. */
function thousandthsText(thousandths: number | bigint): string {
  if (thousandths < MOST_EXACT) return String(Number(thousandths) / 1000)
  const digits = String(thousandths).padStart(4, '0')
  const decimals = digits.slice(-3).replace(/(?<!0)0+$/, '')
  return decimals === '' ? digits.slice(0, -3) : `${digits.slice(0, -3)}.${decimals}`
}
