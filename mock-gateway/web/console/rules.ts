import { brandOfMasked } from '../../domain/card/card-types.ts'
import { findPastMatches } from '../../domain/rules/past-payments.ts'
import { type Rule, rule } from '../../domain/rules/rules.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { lastPayments } from '../../storage/count-payments.ts'
import { html } from '../pages/html.ts'
import { json, link, money, plain, status, time } from './cells.ts'
import { emptyState } from './design/empty.ts'
import { table } from './design/table.ts'
import type { ConsolePage, MerchantVisit } from './visit.ts'

/** Maximum matching payments on the page. */
const SHOWN = 50

/**
 * Page of the payments that a merchant's rules match, including rules that are off. Nothing is
 * changed.
 */
export const RULES_PAGE: ConsolePage<MerchantVisit> = {
  path: '/rules',
  section: 'rules',
  async show({ merchant, parameters, dependencies, home }) {
    const past = await pastOf(merchant.id)
    const written = text(parameters, 'rule') ?? ''
    const tried = written === '' ? undefined : readRule(written)
    const matched = tried && 'name' in tried ? findPastMatches(tried, past) : []
    const problem = tried && 'problem' in tried ? tried.problem : null
    return {
      title: 'Rules',
      body: html`<p>Rules check a payment before the bank is asked. You write them in the <a href="${home}/settings/change#3-d-secure-and-risk">settings</a>. This page shows which of the last ${past.length} payments each rule matches, so that you can test a rule before you turn it on.</p>
${
  merchant.settings.rules.length > 0
    ? table({
        heads: ['Rule', 'On', 'Condition', 'Action', 'Matching payments'],
        rows: merchant.settings.rules.map((each) => [
          plain(each.name),
          plain(each.on ? 'yes' : 'no'),
          json(each.when),
          plain(each.action),
          link(
            findPastMatches(each, past).length,
            `${home}/rules?${new URLSearchParams({ rule: JSON.stringify(each) })}`,
          ),
        ]),
      })
    : emptyState('No rules yet.', html`Test a rule below, then add it in the settings.`)
}
<h2>Test a rule</h2>
<form method="get">
<label for="rule">Rule, as JSON</label>
<textarea id="rule" name="rule" rows="6" spellcheck="false"${problem === null ? null : html` aria-invalid="true" aria-describedby="rule-problem"`}>
${written || EXAMPLE}</textarea>
${problem && html`<p class="problem" id="rule-problem" role="status">${problem}</p>`}
<button>Test</button>
</form>
${
  tried && 'name' in tried
    ? html`<h2>Matching payments</h2>
<p role="status">The rule matches ${matched.length} of ${past.length} payments. Nothing was changed.</p>
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
    : null
}`,
    }

    async function pastOf(merchantId: number) {
      return (await lastPayments(dependencies.database.db, merchantId)).map((row) => ({
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
    }
  },
}

const EXAMPLE = JSON.stringify(
  { name: 'large orders', when: { amount_from: '5000.00' }, action: 'three_d_secure' },
  null,
  2,
)

/** Parses a typed rule, or returns its problem in one sentence. */
function readRule(written: string): Rule | { readonly problem: string } {
  let value: unknown
  try {
    value = JSON.parse(written)
  } catch {
    return { problem: 'This is not JSON.' }
  }
  const read = rule.safeParse(value)
  const [issue] = read.error?.issues ?? []
  return (
    read.data ?? {
      problem: `${issue?.path.join('.') || 'The rule'}: ${issue?.message ?? 'is invalid'}.`,
    }
  )
}
