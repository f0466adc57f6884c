import { brandOfMasked } from '../../domain/card/card-types.ts'
import { pastMatches } from '../../domain/rules/past-payments.ts'
import { type Rule, rule } from '../../domain/rules/rules.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { lastPayments } from '../../storage/count-payments.ts'
import { json, link, money, plain, status, time } from './cells.ts'
import type { MerchantVisit, Page } from './visit.ts'

/** Rows that are shown of those that match. */
const SHOWN = 50

/** What a merchant's rules match, and what one would have matched that is not on yet. Nothing changes by it. */
export const RULES_PAGE: Page<MerchantVisit> = {
  path: '/rules',
  section: 'rules',
  async show({ merchant, parameters, dependencies, home }) {
    const past = await pastOf(merchant.id)
    const written = text(parameters, 'rule') ?? ''
    const tried = written === '' ? undefined : readRule(written)
    const matched = tried && 'name' in tried ? pastMatches(tried, past) : []
    return {
      view: 'rules',
      title: 'Rules',
      data: {
        looked_at: past.length,
        settings: `${home}/settings`,
        heads: ['Rule', 'On', 'When', 'Action', 'Past payments'],
        rows: merchant.settings.rules.map((each) => [
          plain(each.name),
          plain(each.on ? 'yes' : 'no'),
          json(each.when),
          plain(each.action),
          link(pastMatches(each, past).length, `${home}/rules?${new URLSearchParams({ rule: JSON.stringify(each) })}`),
        ]),
        written: written || EXAMPLE,
        problem: tried && 'problem' in tried ? tried.problem : null,
        matched: tried && 'name' in tried ? matched.length : null,
        matched_heads: ['Transaction', 'Reference', 'Amount', 'Status', 'Created'],
        matched_rows: matched
          .slice(0, SHOWN)
          .map(({ row }) => [
            link(row.id, `${home}/transactions/${row.id}`),
            plain(row.payment_ref),
            money(row.amount_text, row.currency),
            status(row.status),
            time(new Date(row.created_at).toISOString()),
          ]),
      },
    }

    async function pastOf(merchantId: number) {
      return (await lastPayments(dependencies.database.db, merchantId)).map((row) => ({
        row,
        amount: row.amount,
        currency: row.currency,
        // The bank is asked about the card's brand, however it came.
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

/** A rule as somebody typed it, or what is wrong with it in one sentence. */
function readRule(written: string): Rule | { readonly problem: string } {
  let value: unknown
  try {
    value = JSON.parse(written)
  } catch {
    return { problem: 'This is not JSON.' }
  }
  const read = rule.safeParse(value)
  const [issue] = read.error?.issues ?? []
  return read.data ?? { problem: `${issue?.path.join('.') || 'The rule'}: ${issue?.message ?? 'is none'}.` }
}
