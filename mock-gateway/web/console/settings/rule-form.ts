import { QUESTION_KINDS } from '../../../domain/card/bank-questions.ts'
import { CARD_TYPES } from '../../../domain/card/card-types.ts'
import type { Rule, RuleAction } from '../../../domain/rules/rules.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { amountText } from '../parts/cells.ts'
import { choicesOf, type FormFields } from '../parts/forms.ts'
import { textsOf } from '../visit.ts'

const ACTION_WORDS: Readonly<Record<RuleAction, string>> = {
  decline: 'Decline with error 261',
  skip_webhook: 'Decline with error 2610, without webhooks',
  three_d_secure: 'Authenticate the payer with 3-D Secure',
}

export const actionText = (action: RuleAction): string => ACTION_WORDS[action]

/** Fields of the form of a rule that are in view. */
export const RULE_FIELDS = {
  name: {
    label: 'Name',
    help: 'A saved rule with this name is replaced.',
    placeholder: 'large orders',
    isRequired: true,
  },
  action: { label: 'Action', choices: ACTION_WORDS },
  on: {
    label: 'State',
    choices: { true: 'on', false: 'off: the rule only shows its matches' },
  },
  amount_from: { label: 'Amount from', placeholder: '5000.00' },
  currency: { label: 'Currencies', help: 'Separated by commas.', placeholder: 'sek, eur' },
} satisfies FormFields

export const RARE_RULE_FIELDS = {
  amount_to: { label: 'Amount to' },
  card_type: { label: 'Card types', help: `One or more of ${CARD_TYPES.join(', ')}.` },
  country: { label: 'Countries of the payer', help: 'Three letters each, such as SWE, NOR.' },
  customer_ref: { label: 'Customers', help: 'References, separated by commas.' },
  payments_of: {
    label: 'Count earlier payments by',
    choices: { '': 'any', customer_ref: 'customer', card_number: 'card' },
  },
  payments_more_than: { label: 'More than this number of payments', kind: 'number' },
  payments_hours: { label: 'In this number of hours', kind: 'number' },
  question: {
    label: 'Challenge of 3-D Secure',
    choices: { '': 'any', ...choicesOf(QUESTION_KINDS) },
  },
} satisfies FormFields

const NAMES = Object.keys({ ...RULE_FIELDS, ...RARE_RULE_FIELDS }) as readonly RuleField[]

type RuleField = keyof typeof RULE_FIELDS | keyof typeof RARE_RULE_FIELDS

/** Builds the rule that a form describes, unchecked. */
export function ruleIn(parameters: Parameters): object {
  const typed = textsOf(parameters, NAMES)
  const given = (text: string) => text || undefined
  const listed = (text: string) =>
    text === '' ? undefined : text.split(',').map((each) => each.trim())
  return {
    name: typed.name,
    on: typed.on !== 'false',
    action: typed.action,
    question: given(typed.question),
    when: {
      amount_from: given(typed.amount_from),
      amount_to: given(typed.amount_to),
      currency: listed(typed.currency.toLowerCase()),
      card_type: listed(typed.card_type.toLowerCase()),
      country: listed(typed.country.toUpperCase()),
      customer_ref: listed(typed.customer_ref),
      payments: given(typed.payments_of) && {
        of: typed.payments_of,
        more_than: parseNumber(typed.payments_more_than),
        hours: parseNumber(typed.payments_hours),
      },
    },
  }
}

/** Reads a number. An empty text is NaN, which the check rejects, and not 0. */
const parseNumber = (text: string): number => (text === '' ? Number.NaN : Number(text))

/** Returns the form's values of a rule. */
export const valuesOfRule = ({ when: { payments, ...when }, ...rule }: Rule) => ({
  ...rule,
  ...Object.fromEntries(Object.entries(when).map(([name, value]) => [name, String(value)])),
  payments_of: payments?.of,
  payments_more_than: payments?.more_than,
  payments_hours: payments?.hours,
})

/** Describes the conditions of a rule in words. */
export function conditionText({ when }: Rule): string {
  const { amount_from, amount_to, currency, card_type, country, customer_ref, payments } = when
  const among = (names: readonly string[] | undefined, label: string) =>
    names ? [`${label} ${names.join(' or ')}`] : []
  const parts = [
    ...(amount_from ? [`amount from ${amountText(amount_from)}`] : []),
    ...(amount_to ? [`amount to ${amountText(amount_to)}`] : []),
    ...among(currency, 'currency'),
    ...among(card_type, 'card'),
    ...among(country, 'country'),
    ...among(customer_ref, 'customer'),
    ...(payments
      ? [
          `more than ${payments.more_than} payments of a ${payments.of === 'card_number' ? 'card' : 'customer'} in ${payments.hours} h`,
        ]
      : []),
  ]
  return parts.join(', ') || 'every payment'
}
