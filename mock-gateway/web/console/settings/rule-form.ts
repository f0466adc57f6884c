import { QUESTION_KINDS } from '../../../domain/card/bank-questions.ts'
import { CARD_TYPES } from '../../../domain/card/card-types.ts'
import { RULE_ACTIONS, type Rule, type RuleAction } from '../../../domain/rules/rules.ts'
import { amountText } from '../parts/cells.ts'
import type { FormFields } from '../parts/form-errors.ts'

/** Fields of the form of a rule. */
export const RULE_NAMES = [
  'name',
  'action',
  'on',
  'amount_from',
  'amount_to',
  'currency',
  'card_type',
  'country',
  'customer_ref',
  'payments_of',
  'payments_more_than',
  'payments_hours',
  'question',
] as const

export type RuleField = (typeof RULE_NAMES)[number]

/** Values of the form, as typed. */
export type RuleTexts = Readonly<Record<RuleField, string>>

const ACTION_WORDS: Readonly<Record<RuleAction, string>> = {
  decline: 'Decline with error 261',
  skip_webhook: 'Decline with error 2610, without webhooks',
  three_d_secure: 'Authenticate the payer with 3-D Secure',
}

export const actionText = (action: RuleAction): string => ACTION_WORDS[action]

const EMPTY_CHOICE = { choice: '', text: 'any' }

export const RULE_FIELDS: FormFields<RuleField> = {
  name: {
    label: 'Name',
    help: 'A saved rule with this name is replaced.',
    placeholder: 'large orders',
    isRequired: true,
  },
  action: {
    label: 'Action',
    kind: 'choice',
    words: RULE_ACTIONS.map((choice) => ({ choice, text: ACTION_WORDS[choice] })),
  },
  on: {
    label: 'State',
    kind: 'choice',
    words: [
      { choice: 'true', text: 'on' },
      { choice: 'false', text: 'off: the rule only shows its matches' },
    ],
  },
  amount_from: { label: 'Amount from', placeholder: '5000.00' },
  amount_to: { label: 'Amount to', usual: '' },
  currency: { label: 'Currencies', help: 'Separated by commas.', placeholder: 'sek, eur' },
  card_type: { label: 'Card types', help: `One or more of ${CARD_TYPES.join(', ')}.`, usual: '' },
  country: {
    label: 'Countries of the payer',
    help: 'Three letters each, such as SWE, NOR.',
    usual: '',
  },
  customer_ref: { label: 'Customers', help: 'References, separated by commas.', usual: '' },
  payments_of: {
    label: 'Count earlier payments by',
    usual: '',
    kind: 'choice',
    words: [
      EMPTY_CHOICE,
      { choice: 'customer_ref', text: 'customer' },
      { choice: 'card_number', text: 'card' },
    ],
  },
  payments_more_than: { label: 'More than this number of payments', kind: 'number', usual: '' },
  payments_hours: { label: 'In this number of hours', kind: 'number', usual: '' },
  question: {
    label: 'Challenge of 3-D Secure',
    usual: '',
    kind: 'choice',
    words: [EMPTY_CHOICE],
    choices: QUESTION_KINDS,
  },
}

/** Builds the rule that a form describes, unchecked; empty fields are left out. */
export function ruleOf(typed: RuleTexts): object {
  const listed = (text: string) => text.split(',').map((each) => each.trim())
  const given = (name: RuleField, value: (text: string) => unknown) =>
    typed[name] === '' ? {} : { [name]: value(typed[name]) }
  const same = (text: string) => text
  return {
    name: typed.name,
    on: typed.on !== 'false',
    action: typed.action,
    ...given('question', same),
    when: {
      ...given('amount_from', same),
      ...given('amount_to', same),
      ...given('currency', (text) => listed(text.toLowerCase())),
      ...given('card_type', (text) => listed(text.toLowerCase())),
      ...given('country', (text) => listed(text.toUpperCase())),
      ...given('customer_ref', listed),
      ...(typed.payments_of === ''
        ? {}
        : {
            payments: {
              of: typed.payments_of,
              more_than: parseNumber(typed.payments_more_than),
              hours: parseNumber(typed.payments_hours),
            },
          }),
    },
  }
}

/** Reads a number. An empty text is NaN, which the check rejects, and not 0. */
const parseNumber = (text: string): number => (text === '' ? Number.NaN : Number(text))

/** Returns the form's values of a rule. */
export const textsOfRule = ({ name, on, action, question, when }: Rule): RuleTexts => ({
  name,
  action,
  on: String(on),
  amount_from: when.amount_from ?? '',
  amount_to: when.amount_to ?? '',
  currency: when.currency?.join(', ') ?? '',
  card_type: when.card_type?.join(', ') ?? '',
  country: when.country?.join(', ') ?? '',
  customer_ref: when.customer_ref?.join(', ') ?? '',
  payments_of: when.payments?.of ?? '',
  payments_more_than: String(when.payments?.more_than ?? ''),
  payments_hours: String(when.payments?.hours ?? ''),
  question: question ?? '',
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
