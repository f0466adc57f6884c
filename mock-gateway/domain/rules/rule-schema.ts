import { z } from 'zod'
import { QUESTION_KINDS } from '../card/bank-questions.ts'
import { CARD_TYPES } from '../card/card-types.ts'
import { type Currency, DECIMALS } from '../money/currencies.ts'
import { readAmountFilter } from '../money/money.ts'
import { parseList } from '../schema-problems.ts'
import { RULE_ACTIONS, type Rule, type RuleCondition, type RuleInput } from './rules.ts'

const list = <Name extends string>(names: readonly Name[]) =>
  parseList(z.enum(names as readonly [Name, ...Name[]]))
    .min(1)
    .optional()

const amount = z
  .string()
  .refine((text) => readAmountFilter(text) !== undefined, 'must be an amount such as "10.00"')
  .optional()

const when = z.strictObject({
  amount_from: amount,
  amount_to: amount,
  currency: list(Object.keys(DECIMALS) as Currency[]),
  card_type: list(CARD_TYPES),
  country: parseList(z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'))
    .min(1)
    .optional(),
  customer_ref: parseList(z.string().min(1).max(255)).min(1).optional(),
  payments: z
    .strictObject({
      of: z.enum(['customer_ref', 'card_number']),
      more_than: z.int().min(0).max(1000),
      hours: z.int().min(1).max(8760),
    })
    .optional(),
}) satisfies z.ZodType<RuleCondition, RuleCondition>

export const rule = z.strictObject({
  name: z.string().min(1).max(100),
  on: z.boolean().default(true),
  when,
  action: z.enum(RULE_ACTIONS),
  question: z.enum(QUESTION_KINDS).optional(),
}) satisfies z.ZodType<Rule, RuleInput>

/** Maximum number of rules of one merchant. */
const MOST_RULES = 50

export const rules = parseList(rule)
  .max(MOST_RULES)
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'must have different names',
  )
