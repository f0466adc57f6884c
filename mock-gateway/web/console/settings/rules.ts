import { brandOfMasked } from '../../../domain/card/card-types.ts'
import { badFormat } from '../../../domain/errors/errors.ts'
import { rule } from '../../../domain/rules/rule-schema.ts'
import { findPastMatches, type Rule } from '../../../domain/rules/rules.ts'
import { changeMerchant } from '../../../merchants/administer.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { countLastPayments, lastPayments } from '../../../storage/count-payments.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { link, money, plain, quantity, status, time } from '../parts/cells.ts'
import { type ConsoleProblem, filledIn } from '../parts/form-errors.ts'
import { fieldViews, foldedForm, tokenField } from '../parts/forms.ts'
import { emptyState, problemBox } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  fieldsOf,
  type MerchantVisit,
  textsOf,
} from '../visit.ts'
import {
  actionText,
  conditionText,
  RULE_FIELDS,
  RULE_NAMES,
  type RuleTexts,
  ruleOf,
  textsOfRule,
} from './rule-form.ts'

const section = 'rules'

/** Maximum matching payments on the page. */
const SHOWN = 50

/**
 * Page of a merchant's rules, with the past payments that each matches, including rules that are
 * off. A rule in the address, as JSON, is shown in the form.
 */
export const RULES_PAGE: ConsolePage<MerchantVisit> = {
  path: '/rules',
  section,
  async show(visit) {
    const written = text(visit.parameters, 'rule') ?? ''
    if (written === '') return show(visit, { typed: EMPTY })
    const read = readWritten(written)
    return 'problem' in read
      ? show(visit, { typed: EMPTY, written, problem: read.problem })
      : show(visit, { typed: textsOfRule(read), tried: read })
  },
}

export const RULES_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/rules/try',
    section,
    async act(visit) {
      const typed = typedIn(visit)
      const read = checkRule(ruleOf(typed))
      return 'problem' in read
        ? show(visit, { typed, problem: read.problem })
        : show(visit, { typed, tried: read })
    },
  },
  {
    path: '/rules/save',
    section,
    async act(visit) {
      const read = checkRule(ruleOf(typedIn(visit)))
      if ('problem' in read) throw badFormat(read.problem)
      await change(visit, read.name, read)
      return { to: '/rules', done: 'saved' }
    },
    again: (visit, refused) => show(visit, { typed: typedIn(visit), refused }),
  },
  {
    path: '/rules/delete',
    section,
    async act(visit) {
      await change(visit, typedIn(visit).name)
      return { to: '/rules', done: 'removed' }
    },
    again: (visit, refused) => show(visit, { typed: typedIn(visit), refused }),
  },
]

const typedIn = (visit: MerchantVisit): RuleTexts => textsOf(fieldsOf(visit), RULE_NAMES)

/** Replaces the rule of a name, adds it, or deletes it. */
async function change(
  { dependencies, merchant, response }: MerchantVisit,
  name: string,
  replacement?: Rule,
): Promise<void> {
  const { rules } = merchant.settings
  const isKnown = rules.some((each) => each.name === name)
  const kept = rules.flatMap((each) =>
    each.name !== name ? [each] : replacement ? [replacement] : [],
  )
  const changed = replacement && !isKnown ? [...kept, replacement] : kept
  await changeMerchant(
    dependencies,
    merchant.id,
    { settings: { rules: changed } },
    exchangeOf(response).now,
  )
}

/** Content of the form on the page, and of the part below it. */
interface RuleFormState {
  readonly typed: RuleTexts
  /** JSON in the address that is not a rule. */
  readonly written?: string
  readonly problem?: string
  readonly refused?: ConsoleProblem
  readonly tried?: Rule
}

async function show(visit: MerchantVisit, shown: RuleFormState): Promise<ConsoleView> {
  const { merchant, home, dependencies } = visit
  const { rules } = merchant.settings
  const past = rules.length > 0 || shown.tried ? await pastOf(visit) : []
  const compared = past.length || (await countLastPayments(dependencies.database.db, merchant.id))
  const isSaved = rules.some(({ name }) => name === shown.typed.name)
  const { problem, fields } = filledIn(RULE_FIELDS, shown.typed, shown.refused ?? null)
  return {
    title: 'Rules',
    body: html`<p>Rules check a payment before the bank is asked.
Each rule shows how many past payments it matches,
so that you can test a rule before you turn it on.
Payments that are compared: ${compared}.</p>
${
  rules.length > 0
    ? table({
        heads: ['Rule', 'State', 'Condition', 'Action', 'Matching payments'],
        places: ['first', 'first-end', 'second', null, 'second-end'],
        rows: rules.map((each) => [
          link(each.name, addressOfRule(home, each)),
          { ...plain(each.on ? 'on' : 'off'), tone: each.on ? 'good' : 'off' },
          plain(conditionText(each)),
          plain(actionText(each.action)),
          quantity(findPastMatches(each, past).length),
        ]),
      })
    : emptyState('No rules yet.', html`Test a rule below, then save it.`)
}
${foldedForm(
  isSaved ? 'Change a rule' : 'New rule',
  html`${problemBox(problem)}
${shown.problem && html`<p class="problem" role="alert">${shown.problem}</p>`}
${shown.written && html`<pre tabindex="0">${shown.written}</pre>`}
<form class="fields" method="post" action="${home}/rules/try">${tokenField(visit)}
<p class="quiet">A payment must meet all conditions. An empty condition matches every payment.</p>
${fieldViews(fields)}<p class="presets"><button>Test on past payments</button>
<button class="small" formaction="${home}/rules/save">Save</button>
${
  isSaved
    ? html`<button class="small danger" formaction="${home}/rules/delete" formnovalidate>Delete</button>
<a class="button" href="${home}/rules">New rule</a>`
    : null
}</p>
</form>`,
  shown.typed !== EMPTY || problem !== null || shown.problem !== undefined,
)}
${shown.tried && matchesView(home, shown.tried, past)}`,
  }
}

const addressOfRule = (home: string, of: Rule): string =>
  `${home}/rules?${new URLSearchParams({ rule: JSON.stringify(of) })}`

function matchesView(
  home: string,
  tried: Rule,
  past: Awaited<ReturnType<typeof pastOf>>,
): SafeHtml {
  const matched = findPastMatches(tried, past)
  return html`<h2 id="matching">Matching payments</h2>
<p role="status">The rule matches ${matched.length} of ${past.length} payments.
Nothing was changed.</p>
${
  matched.length > 0
    ? table({
        heads: ['Transaction', 'Reference', 'Amount', 'Status', 'Created'],
        places: ['first', null, 'first-end', 'second-end', 'second'],
        rows: matched
          .slice(0, SHOWN)
          .map(({ row }) => [
            link(row.id, `${home}/transactions/${row.id}`),
            plain(row.payment_ref),
            money(row.amount_text, row.currency),
            status(row.status),
            time(new Date(row.created_at).toISOString()),
          ]),
      })
    : null
}`
}

const pastOf = async ({ dependencies, merchant }: MerchantVisit) =>
  (await lastPayments(dependencies.database.db, merchant.id)).map((row) => ({
    row,
    amount: row.amount,
    currency: row.currency,
    // The bank checks the card's brand, however the card was sent.
    cardType: row.card_number ? brandOfMasked(row.card_number) : undefined,
    country: row.payment_details?.country_code,
    customerRef: row.customer_ref ?? undefined,
    cardNumber: row.card_number ?? undefined,
    createdAt: row.created_at,
  }))

const EMPTY = textsOfRule({ name: '', on: true, when: {}, action: 'three_d_secure' })

/** Parses a rule in the address. */
function readWritten(written: string): Rule | { readonly problem: string } {
  try {
    return checkRule(JSON.parse(written))
  } catch {
    return { problem: 'This is not JSON.' }
  }
}

/** Checks a rule, or returns its problem in one sentence. */
function checkRule(value: unknown): Rule | { readonly problem: string } {
  const read = rule.safeParse(value)
  const [issue] = read.error?.issues ?? []
  return (
    read.data ?? {
      problem: `${issue?.path.join('.') || 'The rule'}: ${issue?.message ?? 'is invalid'}.`,
    }
  )
}
