import { type Hundredths, hundredths } from '../money/money.ts'

/**
 * Returns the amount of a payment that can still be refunded. @param paid null if nothing was
 * charged
 */
export const leftToRefund = (paid: Hundredths | null, given: readonly Hundredths[]): Hundredths =>
  hundredths(given.reduce((left, amount) => left - amount, paid ?? 0))
