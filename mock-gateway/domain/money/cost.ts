import type { Cost } from '../../contract/wire.ts'
import type { Currency } from './currencies.ts'
import type { Hundredths } from './money.ts'

/**
 * Fees in thousandths: fractions of the amount, except the fixed fee, which is in whole units of
 * the currency.
 */
export interface Fees {
  readonly percentual: number
  readonly fixed: number
  /** Charged if the transaction's currency differs from the account's. */
  readonly exchange: number
  readonly vatRate: number
}

/** Observed: 7.1. The total contains no tax there, so the rate is zero (our decision). */
export const DEFAULT_FEES: Fees = { percentual: 25, fixed: 25, exchange: 35, vatRate: 0 }

/** Fees of unpaid transactions (decision 52: the object is always present). */
export const NO_FEES: Fees = { percentual: 0, fixed: 0, exchange: 0, vatRate: 0 }

/**
 * Calculates a payment's cost for the merchant: amount x (percentual fee + exchange fee) + fixed
 * fee (observed: 7.1).
 * @returns fees as decimal text with up to three decimals; the total is rounded half up to
 *   thousandths
 */
export function calculateCost(
  id: number,
  amount: Hundredths,
  currency: Currency,
  accountCurrency: Currency,
  fees: Fees = DEFAULT_FEES,
): Cost {
  const exchange = currency === accountCurrency ? 0 : fees.exchange
  return {
    id,
    percentual_fee: formatThousandths(fees.percentual),
    fixed_fee: formatThousandths(fees.fixed),
    percentual_exchange_fee: formatThousandths(exchange),
    vat_rate: formatThousandths(fees.vatRate),
    total: formatThousandths(calculateTotal(amount, fees.percentual + exchange, fees.fixed)),
  }
}

/**
 * Hundredths times thousandths are hundred-thousandths: the largest amounts exceed a number's
 * precision.
 */
function calculateTotal(amount: Hundredths, rate: number, fixed: number): number | bigint {
  const rounded = amount * rate + fixed * 100 + 50
  if (Number.isSafeInteger(rounded)) return Math.floor(rounded / 100)
  return (BigInt(amount) * BigInt(rate) + BigInt(fixed) * 100n + 50n) / 100n
}

/** Up to 15 digits, divided by 1000, are printed exactly. */
const MOST_EXACT = 1e15

/** Formats "0.625", "1.5", "0": no trailing zeros. The input is not negative. */
function formatThousandths(thousandths: number | bigint): string {
  if (thousandths < MOST_EXACT) return String(Number(thousandths) / 1000)
  const digits = String(thousandths).padStart(4, '0')
  const decimals = digits.slice(-3).replace(/(?<!0)0+$/, '')
  return decimals === '' ? digits.slice(0, -3) : `${digits.slice(0, -3)}.${decimals}`
}
