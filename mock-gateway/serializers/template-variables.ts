import type { PaymentDetails } from '../contract/wire.ts'
import { maskWords } from '../domain/characters.ts'
import type { JsonObject } from '../domain/json.ts'
import { findAll, findRow } from '../storage/rows.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { loadRecord } from '../storage/transaction-parts.ts'
import { loadReferences } from './present.ts'
import { presentPlan, presentStoredCard } from './resources.ts'
import type { References } from './serialize.ts'
import { formatWireTime } from './time.ts'
import { presentTransaction, type ViewContext } from './transaction.ts'

/** Variables of page templates, return addresses and mails, by their first name. */
export type TemplateVariables = Readonly<Record<string, unknown>>

/** Objects shown in full. Stored cards are not: their token could pay. */
const EXTENDED_OBJECTS: ReadonlySet<string> = new Set(['customer', 'subscription', 'plan'])

/** Maximum number of plans offered on a page (our decision). */
const PLANS = 100

/**
 * Loads the template variables of a transaction (specification: Template variables; observed:
 * 11.1): plain JSON values without the merchant's secret or the token of a card.
 */
export async function loadTemplateVariables(
  context: Omit<ViewContext, 'extend'>,
  row: TransactionRow,
): Promise<TemplateVariables> {
  const viewing: ViewContext = { ...context, extend: EXTENDED_OBJECTS }
  const { queries, merchant: owner } = viewing
  const merchant = { id: owner.id, name: owner.name }
  const record = await loadRecord(queries, row)
  const references = await loadReferences(viewing, [row])
  const card = await findRow(queries, 'stored_cards', owner.id, row.stored_card_id ?? undefined)
  const storedCard = card ? createCardVariables(card, references, merchant) : null
  const presented = presentTransaction(record, viewing, references)
  const details = createDetailVariables(row, presented.payment_details)
  const offered = { merchant_id: owner.id, status: 'active' } as const
  const plans = await findAll(queries, 'plans', offered, { limit: PLANS })
  const plan = await findPlan(viewing, row)
  const { subscription, customer, refunds, currency, amount } = presented
  const shared = {
    stored_card: storedCard,
    payment_details: details,
    // The merchant's page settings (observed: 11.2); filters add the missing ones.
    merchant: {
      ...merchant,
      plans: plans.map(presentPlan),
      settings_hosted: { v2: owner.settings.settings_hosted },
    },
  }
  const convert_currency = presented.currency_converter
  return {
    ...shared,
    transaction: { ...presented, ...shared, plan, convert_currency, campaigns: [] },
    subscription,
    customer,
    plan: plan && { ...plan, merchant },
    refund: refunds.at(-1) ?? null,
    currency,
    amount,
  }
}

/** Returns the fields named in the specification. */
function createCardVariables(row: StoredCardRow, references: References, merchant: JsonObject) {
  const {
    token: _token,
    transaction: _transaction,
    ...card
  } = presentStoredCard(row, references, undefined)
  return { ...card, updated_at: formatWireTime(row.updated_at), merchant }
}

/** Fields with a masked variant, such as `mask_city`. */
const MASKED_FIELDS = ['first_name', 'last_name', 'zip', 'address_1', 'address_2', 'city'] as const

function createDetailVariables(row: TransactionRow, details: PaymentDetails | null) {
  if (details === null) return null
  const masked = MASKED_FIELDS.map((name) => [`mask_${name}`, maskWords(details[name] ?? '')])
  return {
    ...details,
    type: row.payment_method,
    created_at: formatWireTime(row.created_at),
    updated_at: formatWireTime(row.updated_at),
    ...Object.fromEntries(masked),
  }
}

/** Loads the plan that the payment subscribes to. */
async function findPlan({ queries, merchant }: ViewContext, { plan_id }: TransactionRow) {
  const row = await findRow(queries, 'plans', merchant.id, plan_id ?? undefined)
  return row ? presentPlan(row) : null
}
