import { QUESTION_KINDS } from '../../../domain/card/bank-questions.ts'
import { CARD_TYPES, detectMaskedBrand } from '../../../domain/card/card-types.ts'
import { badFormat } from '../../../domain/errors/errors.ts'
import { rule } from '../../../domain/rules/rule-schema.ts'
import { findPastMatches, type Rule, type RuleAction } from '../../../domain/rules/rules.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { findLastPayments } from '../../../storage/count-payments.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { link, money, presentAmount, quantity, status, timeAt } from '../parts/cells.ts'
import { type FormFields, labelChoices } from '../parts/forms.ts'
import {
  changeSettings,
  formAct,
  type OperationForm,
  renderCreation,
} from '../parts/operation-form.ts'
import { renderEmptyState } from '../parts/problem.ts'
import { type Column, fill, renderTable } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleRoute,
  type ConsoleView,
  type MerchantVisit,
  readTexts,
} from '../visit.ts'

const ACTION_WORDS: Readonly<Record<RuleAction, string>> = {
  decline: 'Decline with error 261',
  skip_webhook: 'Decline with error 2610, without webhooks',
  three_d_secure: 'Authenticate the payer with 3-D Secure',
}

const RULE_FIELDS = {
  amount_from: { label: 'When the amount is at least', placeholder: '5000.00' },
  currency: { label: 'And the currency is one of', placeholder: 'sek, eur' },
  action: { label: 'Then', choices: ACTION_WORDS },
  name: { label: 'Name', placeholder: 'large orders', isRequired: true },
  on: { label: 'State', choices: { true: 'on', false: 'off: the rule only shows its matches' } },
} satisfies FormFields

const RARE_RULE_FIELDS = {
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
    choices: { '': 'any', ...labelChoices(QUESTION_KINDS) },
  },
} satisfies FormFields

const NAMES = Object.keys({ ...RULE_FIELDS, ...RARE_RULE_FIELDS }) as readonly (
  | keyof typeof RULE_FIELDS
  | keyof typeof RARE_RULE_FIELDS
)[]

const SHOWN = 50

const ABOUT = html`A rule declines or authenticates the payments that meet its conditions.`

const FORM = {
  ...{ name: 'rule', path: '/rules/try', button: 'Test on past payments' },
  ...{ fields: RULE_FIELDS, more: RARE_RULE_FIELDS, moreTitle: 'More conditions' },
  ...{ to: '/rules', done: 'saved' },
} as const satisfies OperationForm

const ACTS: readonly OperationForm[] = [
  { ...FORM, run: async () => ({}), shows: (_, visit) => show(visit, typedIn(visit)) },
  {
    ...{ ...FORM, path: '/rules/save' },
    run: async (visit) => change(visit, typedIn(visit).name, typedIn(visit)),
  },
  {
    ...{ ...FORM, path: '/rules/delete', done: 'removed' },
    run: (visit) => change(visit, text<string>(visit.parameters, 'name') ?? ''),
  },
]

/**
 * Page of a merchant's rules, with the past payments that each matches, including rules that are
 * off. The form shows the rule that the address names.
 */
const PAGE: ConsolePage<MerchantVisit> = {
  ...{ path: '/rules' },
  show(visit) {
    const sought = text(visit.parameters, 'rule')
    const chosen = visit.merchant.settings.rules.find(({ name }) => name === sought)
    return show(visit, chosen)
  },
}

export const RULES_PAGES: readonly ConsoleRoute<MerchantVisit>[] = [
  PAGE,
  ...ACTS.map((form) => formAct(form, PAGE)),
]

/** Reads the rule of the form. @throws errors.request.bad_format (253) with its first problem */
function typedIn({ parameters }: MerchantVisit): Rule {
  const result = rule.safeParse(ruleIn(parameters))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw badFormat(`${issue?.path.join('.') || 'The rule'}: ${issue?.message ?? 'is invalid'}.`)
}

/** Replaces the rule of a name, adds it, or deletes it. */
function change(visit: MerchantVisit, name: string, replacement?: Rule) {
  const { rules } = visit.merchant.settings
  const isKnown = rules.some((each) => each.name === name)
  const kept = rules.flatMap((each) => (each.name === name ? (replacement ?? []) : each))
  return changeSettings(visit, {
    rules: replacement && !isKnown ? [...kept, replacement] : kept,
  })
}

/** @param chosen rule in the form, with its matches below */
async function show(visit: MerchantVisit, chosen?: Rule): Promise<ConsoleView> {
  const { merchant, home } = visit
  const { rules } = merchant.settings
  const past = rules.length > 0 || chosen ? await findPastPayments(visit) : []
  const isSaved = rules.some(({ name }) => name === chosen?.name)
  const counted = rules.map((each) => ({ ...each, matches: findPastMatches(each, past).length }))
  const creation = renderCreation(visit, isSaved ? 'Change a rule' : 'New rule', FORM, {
    before: html`<p class="quiet">A payment must meet all conditions. An empty condition matches every payment.
A saved rule with the same name is replaced.</p>`,
    ...(chosen && { isOpen: true }),
    values: chosen ? valuesOfRule(chosen) : { action: 'three_d_secure' },
    after: html`<button class="small" formaction="${home}/rules/save">Save</button>
${
  isSaved
    ? html`<button class="small danger" formaction="${home}/rules/delete" formnovalidate>Delete</button>
<a class="button small" href="${home}/rules?new=true">New rule</a>`
    : null
}`,
  })
  return {
    title: 'Rules',
    actions: creation.button,
    body: html`${creation.form}${renderTable({
      ...fill(COLUMNS, counted, home),
      empty: creation.form ? null : renderEmptyState('No rules yet.', ABOUT),
    })}
${rules.length > 0 ? html`<p class="quiet">Compared with ${past.length} past payments.</p>` : null}
${chosen && matchesView(home, chosen, past)}`,
  }
}

const COLUMNS: readonly Column<Rule & { readonly matches: number }>[] = [
  [
    'Rule',
    ({ name }, home) => link(name, `${home}/rules?${new URLSearchParams({ rule: name })}`),
    'first',
  ],
  ['State', ({ on }) => ({ text: on ? 'on' : 'off', tone: on ? 'good' : 'off' }), 'first-end'],
  ['Condition', (each) => conditionText(each), 'second'],
  ['Action', ({ action }) => ACTION_WORDS[action]],
  ['Matching payments', ({ matches }) => quantity(matches), 'second-end'],
]

function matchesView(home: string, chosen: Rule, past: readonly PastPayment[]): SafeHtml {
  const matched = findPastMatches(chosen, past)
  return html`<h2 id="matching">Matching payments</h2>
<p role="status">The rule matches ${matched.length} of ${past.length} payments.
Nothing was changed.</p>
${renderTable({ ...fill(MATCHES, matched.slice(0, SHOWN), home), empty: null })}`
}

const MATCHES: readonly Column<PastPayment>[] = [
  ['Transaction', ({ row: { id } }, home) => link(id, `${home}/transactions/${id}`), 'first'],
  ['Reference', ({ row }) => row.payment_ref],
  ['Amount', ({ row }) => money(row.amount_text, row.currency), 'first-end'],
  ['Status', ({ row }) => status(row.status), 'second-end'],
  ['Created', ({ row }) => timeAt(row.created_at), 'second'],
]

type PastPayment = Awaited<ReturnType<typeof findPastPayments>>[number]

const findPastPayments = async ({ db, merchant }: MerchantVisit) =>
  (await findLastPayments(db, merchant.id)).map((row) => ({
    row,
    amount: row.amount,
    currency: row.currency,
    // The bank checks the card's brand, however the card was sent.
    cardType: row.card_number ? detectMaskedBrand(row.card_number) : undefined,
    country: row.payment_details?.country_code,
    customerRef: row.customer_ref ?? undefined,
    cardNumber: row.card_number ?? undefined,
    createdAt: row.created_at,
  }))

const lower = (text: string) => text.toLowerCase()

/** Conditions of a rule in words. A list also has how the rule spells its values. */
const CONDITIONS: Readonly<Record<string, readonly [string, spell?: (text: string) => string]>> = {
  amount_from: ['amount from'],
  amount_to: ['amount to'],
  currency: ['currency', lower],
  card_type: ['card', lower],
  country: ['country', (text) => text.toUpperCase()],
  customer_ref: ['customer', (text) => text],
}

function ruleIn(parameters: Parameters): object {
  const { name, on, action, question, payments_of, payments_more_than, payments_hours, ...others } =
    readTexts(parameters, NAMES)
  const when = Object.entries(others).flatMap(([condition, text]) => {
    const [, spell] = CONDITIONS[condition] ?? []
    const value = spell ? text.split(',').map((each) => spell(each.trim())) : text
    return text === '' ? [] : [[condition, value] as const]
  })
  const payments = payments_of && {
    of: payments_of,
    more_than: parseNumber(payments_more_than),
    hours: parseNumber(payments_hours),
  }
  return {
    ...{ name, action, on: on !== 'false', question: question || undefined },
    when: { ...Object.fromEntries(when), ...(payments && { payments }) },
  }
}

/** Reads a number. An empty text is NaN, which the check rejects, and not 0. */
const parseNumber = (text: string): number => (text === '' ? Number.NaN : Number(text))

const valuesOfRule = ({ when: { payments, ...when }, ...rule }: Rule) => ({
  ...rule,
  ...Object.fromEntries(Object.entries(when).map(([name, value]) => [name, String(value)])),
  payments_of: payments?.of,
  payments_more_than: payments?.more_than,
  payments_hours: payments?.hours,
})

function conditionText({ when: { payments, ...when } }: Rule): string {
  const parts = Object.entries(CONDITIONS).flatMap(([name, [words]]) => {
    const value = when[name as keyof typeof when]
    if (value === undefined) return []
    return [`${words} ${typeof value === 'string' ? presentAmount(value) : value.join(' or ')}`]
  })
  const { of, more_than, hours } = payments ?? {}
  const payer = of === 'card_number' ? 'card' : 'customer'
  const counted = payments ? [`more than ${more_than} payments of a ${payer} in ${hours} h`] : []
  return [...parts, ...counted].join(', ') || 'every payment'
}
