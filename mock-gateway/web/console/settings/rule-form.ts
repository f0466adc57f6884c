import { QUESTION_KINDS } from '../../../domain/card/bank-questions.ts'
import { CARD_TYPES } from '../../../domain/card/card-types.ts'
import type { Rule, RuleAction } from '../../../domain/rules/rules.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { amountText } from '../parts/cells.ts'
import { choicesOf, type FormFields } from '../parts/forms.ts'
import { textsOf } from '../visit.ts'

export const ACTION_WORDS: Readonly<Record<RuleAction, string>> = {
  decline: 'Decline with error 261',
  skip_webhook: 'Decline with error 2610, without webhooks',
  three_d_secure: 'Authenticate the payer with 3-D Secure',
}

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

/** Conditions with several values, as the rule spells them. */
const LISTS: Readonly<Record<string, (text: string) => string>> = {
  currency: (text) => text.toLowerCase(),
  card_type: (text) => text.toLowerCase(),
  country: (text) => text.toUpperCase(),
  customer_ref: (text) => text,
}

/** Builds the rule that a form describes, unchecked. */
export function ruleIn(parameters: Parameters): object {
  const { name, on, action, question, payments_of, payments_more_than, payments_hours, ...others } =
    textsOf(parameters, NAMES)
  const when = Object.entries(others).flatMap(([condition, text]) => {
    const spell = LISTS[condition]
    const value = spell ? text.split(',').map((each) => spell(each.trim())) : text
    return text === '' ? [] : [[condition, value] as const]
  })
  return {
    ...{ name, action, on: on !== 'false', question: question || undefined },
    when: {
      ...Object.fromEntries(when),
      ...(payments_of && {
        payments: {
          of: payments_of,
          more_than: parseNumber(payments_more_than),
          hours: parseNumber(payments_hours),
        },
      }),
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
export function conditionText({ when: { payments, ...when } }: Rule): string {
  const parts = Object.entries(WORDS).flatMap(([name, words]) => {
    const value = when[name as keyof typeof when]
    if (value === undefined) return []
    return [`${words} ${typeof value === 'string' ? amountText(value) : value.join(' or ')}`]
  })
  const counted =
    payments &&
    `more than ${payments.more_than} payments of a ${payments.of === 'card_number' ? 'card' : 'customer'} in ${payments.hours} h`
  return [...parts, ...(counted ? [counted] : [])].join(', ') || 'every payment'
}

const WORDS = {
  amount_from: 'amount from',
  amount_to: 'amount to',
  currency: 'currency',
  card_type: 'card',
  country: 'country',
  customer_ref: 'customer',
} as const
