import { GatewayError } from '../domain/errors/errors.ts'
import type { Currency } from '../domain/money/currencies.ts'
import { type Hundredths, payableAmount } from '../domain/money/money.ts'

/**
 * The amount of a capture: refused at once, and with one error, whatever is wrong with it, one that
 * is missing too (specification: Capture; observed: 8.4).
 * @throws errors.amount.invalid (109)
 */
export function readCapturedAmount(sent: string | undefined, currency: Currency): Hundredths {
  try {
    return payableAmount(sent, currency)
  } catch (error) {
    throw error instanceof GatewayError ? invalid(error) : error
  }
}

/**
 * The amount of a refund: one that is missing or negative is told apart, as when creating (decision
 * 54).
 * @throws errors.amount.missing (108), errors.amount.invalid (109)
 */
export function readRefundedAmount(sent: string | undefined, currency: Currency): Hundredths {
  try {
    return payableAmount(sent, currency)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.entry.name === 'errors.amount.missing')
      throw error
    throw invalid(error)
  }
}

const invalid = (cause: GatewayError) =>
  new GatewayError('errors.amount.invalid', { explain: cause.explain, cause })
