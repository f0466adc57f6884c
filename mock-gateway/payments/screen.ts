import type { BankRefusal } from '../acquirer/authorization.ts'
import type { QuestionKind } from '../domain/card/bank-questions.ts'
import { readAmountFilter } from '../domain/money/money.ts'
import {
  calculateFraudScore,
  hasRuleMatch,
  type Rule,
  type RuleAction,
} from '../domain/rules/rules.ts'
import type { PaymentEvent } from '../outbox/payment-events.ts'
import { countPayments } from '../storage/count-payments.ts'
import type { NewTransactionRow } from '../storage/tables/transactions.ts'
import type { Work } from '../work/work.ts'
import type { Instrument } from './instrument.ts'

/** Results of the merchant's rules and the fraud check, before the bank is asked. */
export interface Screening {
  readonly refusal?: BankRefusal
  /** True if a rule requires authentication. */
  readonly authenticates: boolean
  /** The challenge type that the rule chooses. */
  readonly question?: QuestionKind | undefined
  /** For the log. */
  readonly events: readonly PaymentEvent[]
}

const NOTHING_FOUND: Screening = { authenticates: false, events: [] }

/** Errors of rules (specification: codes 261 and 2610). */
const REFUSED_WITH = {
  decline: 'errors.rules_parser.declined',
  skip_webhook: 'errors.rules_parser.skip_webhook',
} as const satisfies Partial<Record<RuleAction, BankRefusal['error']>>

/**
 * Checks a payment before the bank is asked: the merchant's rules first, then the simulated fraud
 * check.
 */
export async function screenPayment(
  work: Work,
  order: NewTransactionRow,
  instrument: Instrument,
): Promise<Screening> {
  const { rules, fraud_limit: limit } = work.merchant.settings
  if (rules.length === 0 && limit === undefined) return NOTHING_FOUND
  const matched = await findMatchingRules(work, order, instrument)
  const refusing = matched.find(({ action }) => action in REFUSED_WITH)
  const asking = matched.filter(({ action }) => action === 'three_d_secure')
  const { question } = asking.find((rule) => rule.question) ?? {}
  const found = { authenticates: asking.length > 0, question }
  const told: PaymentEvent[] =
    matched.length === 0
      ? []
      : [{ event: 'rules_matched', rules: matched.map(({ name, action }) => ({ name, action })) }]
  if (refusing) return { refusal: createRuleRefusal(refusing), ...found, events: told }
  if (limit === undefined) return { ...found, events: told }
  const { test, metadata } = order
  const cardNumber = instrument.card?.maskedNumber
  const score = calculateFraudScore({
    test,
    metadata,
    amount: readAmountFilter(order.amount_text) ?? null,
    cardNumber,
  })
  const refused = score >= limit
  const events = [...told, { event: 'fraud_checked', score, limit, refused } as const]
  return { ...(refused && { refusal: createFraudRefusal(score, limit) }), ...found, events }
}

async function findMatchingRules(
  work: Work,
  order: NewTransactionRow,
  { card }: Instrument,
): Promise<readonly Rule[]> {
  const { queries, merchant, now } = work
  const payment = {
    amount: readAmountFilter(order.amount_text) ?? null,
    currency: order.currency,
    cardType: card?.brand,
    country: order.payment_details?.country_code,
    customerRef: order.customer_ref ?? undefined,
  }
  const known = { customer_ref: order.customer_ref ?? undefined, card_number: card?.maskedNumber }
  const matched: Rule[] = []
  for (const rule of merchant.settings.rules) {
    if (!rule.on || !hasRuleMatch(rule, payment)) continue
    const { payments } = rule.when
    const value = payments && known[payments.of]
    if (payments && value === undefined) continue
    const since = now - (payments?.hours ?? 0) * 3_600_000
    if (
      payments &&
      (await countPayments(queries, merchant.id, payments.of, value ?? '', since)) <=
        payments.more_than
    )
      continue
    matched.push(rule)
  }
  return matched
}

const createRuleRefusal = ({ name, action }: Rule): BankRefusal => {
  const error = REFUSED_WITH[action === 'skip_webhook' ? action : 'decline']
  return {
    kind: 'declined',
    error,
    explain: `The merchant's rule ${JSON.stringify(name)} declines this payment. See the merchant's setting rules.`,
  }
}

const createFraudRefusal = (score: number, limit: number): BankRefusal => ({
  kind: 'declined',
  error: 'errors.payment.declined',
  explain: `The simulated fraud check gives this payment the score ${score}. The setting fraud_limit declines ${limit} and above.`,
})
