import { hasRuleMatch, type Rule, type RulePayment } from './rules.ts'

/** A payment that the bank was asked to charge. */
export interface PastPayment extends RulePayment {
  /** First six and last four digits; undefined if no card paid. */
  readonly cardNumber: string | undefined
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/**
 * Finds the past payments that a rule would have matched if it had been on.
 * @param payments the newest first; the earlier ones count as previous payments
 */
export function findPastMatches<Payment extends PastPayment>(
  rule: Rule,
  payments: readonly Payment[],
): readonly Payment[] {
  const limit = rule.when.payments
  return payments.filter((payment, index) => {
    if (!hasRuleMatch(rule, payment)) return false
    if (!limit) return true
    const nameIn = ({ customerRef, cardNumber }: PastPayment) =>
      limit.of === 'customer_ref' ? customerRef : cardNumber
    const since = payment.createdAt - limit.hours * 3_600_000
    const before = payments
      .slice(index + 1)
      .filter((other) => other.createdAt > since && nameIn(other) === nameIn(payment))
    return nameIn(payment) !== undefined && before.length > limit.more_than
  })
}
