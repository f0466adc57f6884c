import { GatewayError } from '../domain/errors/errors.ts'
import type { Currency } from '../domain/money/currencies.ts'
import { type Hundredths, payableAmount } from '../domain/money/money.ts'

/**
 * Reads the amount of a capture. Every mistake is rejected immediately with the same error, also a
 * missing amount (specification: Capture; observed: 8.4).
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
 * Reads the amount of a refund. A missing or negative amount has its own error, as when creating
 * (decision 54).
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
