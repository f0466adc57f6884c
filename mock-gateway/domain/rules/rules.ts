import { z } from 'zod'
import { QUESTION_KINDS, type QuestionKind } from '../card/bank-questions.ts'
import { CARD_TYPES, type CardType } from '../card/card-types.ts'
import { type Currency, DECIMALS } from '../money/currencies.ts'
import { amountIn, type Hundredths } from '../money/money.ts'

const list = <Name extends string>(names: readonly Name[]) =>
  z
    .array(z.enum(names as readonly [Name, ...Name[]]))
    .min(1)
    .optional()

const amount = z
  .string()
  .refine((text) => amountIn(text) !== undefined, 'must be an amount such as "10.00"')
  .optional()

/** Conditions of a rule; a payment must meet all of them. */
interface RuleCondition {
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

const when = z.strictObject({
  amount_from: amount,
  amount_to: amount,
  currency: list(Object.keys(DECIMALS) as Currency[]),
  card_type: list(CARD_TYPES),
  country: z
    .array(z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'))
    .min(1)
    .optional(),
  customer_ref: z.array(z.string().min(1).max(255)).min(1).optional(),
  payments: z
    .strictObject({
      of: z.enum(['customer_ref', 'card_number']),
      more_than: z.int().min(0).max(1000),
      hours: z.int().min(1).max(8760),
    })
    .optional(),
}) satisfies z.ZodType<RuleCondition, RuleCondition>

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

export const rule = z.strictObject({
  name: z.string().min(1).max(100),
  on: z.boolean().default(true),
  when,
  action: z.enum(RULE_ACTIONS),
  question: z.enum(QUESTION_KINDS).optional(),
}) satisfies z.ZodType<Rule, RuleInput>

/** Maximum number of rules of one merchant. */
const MOST_RULES = 50

export const rules = z
  .array(rule)
  .max(MOST_RULES)
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'must have different names',
  )

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
    amount >= (amountIn(from ?? '') ?? 0) &&
    amount <= (amountIn(to ?? '') ?? Number.POSITIVE_INFINITY)
  )
}
