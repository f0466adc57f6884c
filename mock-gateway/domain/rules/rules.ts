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

/** What a payment must be for a rule to match it: all that is named. */
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
 * What follows when a rule matches: refused with 261, or with 2610 and told to no webhook; or the
 * payer is authenticated.
 */
const RULE_ACTIONS = ['decline', 'skip_webhook', 'three_d_secure'] as const

export type RuleAction = (typeof RULE_ACTIONS)[number]

/** A rule of a merchant for its payments, looked at before the bank is asked (decision 91). */
export interface Rule {
  name: string
  /** False: it changes nothing yet; the console shows what it would match. */
  on: boolean
  when: RuleCondition
  action: RuleAction
  /**
   * How the simulated bank asks a payer whom the rule has authenticated; a card that says so comes
   * first.
   */
  question?: QuestionKind | undefined
}

/** One as it is written: it is on unless it says otherwise. */
export type RuleInput = Omit<Rule, 'on'> & { on?: boolean | undefined }

export const rule = z.strictObject({
  name: z.string().min(1).max(100),
  on: z.boolean().default(true),
  when,
  action: z.enum(RULE_ACTIONS),
  question: z.enum(QUESTION_KINDS).optional(),
}) satisfies z.ZodType<Rule, RuleInput>

/** Most rules of one merchant. */
const MOST_RULES = 50

export const rules = z
  .array(rule)
  .max(MOST_RULES)
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'must have different names',
  )

/** What rules look at. */
export interface RulePayment {
  readonly amount: Hundredths | null
  readonly currency: Currency
  readonly cardType: CardType | undefined
  /** Three letters; of the payer, where that is known. */
  readonly country: string | undefined
  readonly customerRef: string | undefined
}

/** Whether a payment is as a rule says, but for how many there were before. */
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
