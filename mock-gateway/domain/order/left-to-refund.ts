import { type Hundredths, hundredths } from '../money/money.ts'

/** What a payment still has to give back. @param paid null of one that took nothing */
export const leftToRefund = (paid: Hundredths | null, given: readonly Hundredths[]): Hundredths =>
  hundredths(given.reduce((left, amount) => left - amount, paid ?? 0))
