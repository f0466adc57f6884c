import type { QuestionKind } from '../card/bank-questions.ts'
import type { CardType } from '../card/card-types.ts'
import type { JsonObject } from '../json.ts'
import type { Currency } from '../money/currencies.ts'
import { type Hundredths, readAmountFilter } from '../money/money.ts'
import { getServiceInstructions } from '../order/metadata.ts'

/** Conditions of a rule; a payment must meet all of them. */
export interface RuleCondition {
  /** Amounts as text, such as "10.00". */
  amount_from?: string | undefined
  amount_to?: string | undefined
  currency?: Currency[] | undefined
  card_type?: CardType[] | undefined
  /** Three capital letters each. */
  country?: string[] | undefined
  customer_ref?: string[] | undefined
  payments?: { of: 'customer_ref' | 'card_number'; more_than: number; hours: number } | undefined
}

/**
 * Effect of a matching rule: declined with 261, declined with 2610 without webhooks, or the payer
 * is authenticated.
 */
export const RULE_ACTIONS = ['decline', 'skip_webhook', 'three_d_secure'] as const

export type RuleAction = (typeof RULE_ACTIONS)[number]

/** A merchant's rule for its payments, checked before the bank is asked (decision 91). */
export interface Rule {
  name: string
  /** False: the rule has no effect; the console shows what it would match. */
  on: boolean
  when: RuleCondition
  action: RuleAction
  /**
   * Challenge type for a payer that the rule has authenticated; the card's own type takes
   * precedence.
   */
  question?: QuestionKind | undefined
}

/** A rule as input: on by default. */
export type RuleInput = Omit<Rule, 'on'> & { on?: boolean | undefined }

/** The payment's data that rules compare. */
export interface RulePayment {
  readonly amount: Hundredths | null
  readonly currency: Currency
  readonly cardType: CardType | undefined
  /** Three letters; the payer's country, if known. */
  readonly country: string | undefined
  readonly customerRef: string | undefined
}

/**
 * Returns true if a payment meets the conditions of a rule, except the number of earlier payments.
 */
export function hasRuleMatch({ when }: Rule, payment: RulePayment): boolean {
  const { amount, currency, cardType, country, customerRef } = payment
  return (
    isWithin(amount, when.amount_from, when.amount_to) &&
    isAmong(when.currency, currency) &&
    isAmong(when.card_type, cardType) &&
    isAmong(when.country, country) &&
    isAmong(when.customer_ref, customerRef)
  )
}

const isAmong = <Name extends string>(
  names: readonly Name[] | undefined,
  name: Name | undefined,
): boolean => names === undefined || (name !== undefined && names.includes(name))

function isWithin(
  amount: Hundredths | null,
  from: string | undefined,
  to: string | undefined,
): boolean {
  if (from === undefined && to === undefined) return true
  if (amount === null) return false
  return (
    amount >= (readAmountFilter(from ?? '') ?? 0) &&
    amount <= (readAmountFilter(to ?? '') ?? Number.POSITIVE_INFINITY)
  )
}

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

/** Test cards with a fraud score, by their last four digits. */
const CARDS: Readonly<Record<string, number>> = { '1881': 60, '4444': 80, '5100': 95 }

/** Whole part of amounts whose decimals are the score: 6000.85 scores 85. */
const SCORE_AMOUNT = 6000

/** Input of the simulated fraud check. */
export interface FraudCheckInput {
  readonly test: boolean
  readonly metadata: JsonObject | null
  readonly amount: Hundredths | null
  /** First six and last four digits; undefined if no card pays. */
  readonly cardNumber: string | undefined
}

/**
 * Calculates the fraud score from 0 to 100 (decision 92). In test mode the first match counts: the
 * metadata (`service_instructions: { fraud_score: 85 }`), an amount of 6000 with the score as its
 * decimals, a card of the table; otherwise 0.
 */
export function calculateFraudScore({
  test,
  metadata,
  amount,
  cardNumber = '',
}: FraudCheckInput): number {
  if (!test) return 0
  const requested = Number(getServiceInstructions(metadata).fraud_score ?? Number.NaN)
  if (Number.isInteger(requested) && requested >= 0 && requested <= 100) return requested
  if (amount !== null && Math.floor(amount / 100) === SCORE_AMOUNT) return amount % 100
  return CARDS[cardNumber.slice(-4)] ?? 0
}
