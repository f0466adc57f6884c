import type { Currency } from '../domain/currencies.ts'
import { GatewayError } from '../domain/errors.ts'
import { type Hundredths, payableAmount } from '../domain/money.ts'

/**
 * The amount of a capture or refund: refused at once, and with one error, whatever is wrong with it
 * (specification: Capture; design: amounts).
 * @throws errors.amount.invalid (109)
 */
export function readTakenAmount(sent: string | undefined, currency: Currency): Hundredths {
  try {
    return payableAmount(sent, currency)
  } catch (error) {
    const explain = error instanceof GatewayError ? error.explain : undefined
    throw new GatewayError('errors.amount.invalid', { explain, cause: error })
  }
}
