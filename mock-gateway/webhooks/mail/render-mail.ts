import type { Addresses } from '../../domain/addresses.ts'
import type { JsonObject } from '../../domain/json.ts'
import {
  loadTemplateVariables,
  type TemplateVariables,
} from '../../serializers/template-variables.ts'
import type { Database } from '../../storage/database.ts'
import { findRow } from '../../storage/rows.ts'
import { findTemplate } from '../../storage/templates.ts'
import { renderPrepared } from '../../templates/templates.ts'
import { chooseLocale } from './compose.ts'
import type { MailDependencies } from './mail-transport.ts'

export interface MailRenderDependencies {
  readonly database: Database
  readonly addresses: Addresses
}

/**
 * Renders mail templates of merchants (specification: receipts, template variables). Values in the
 * event's body have their state at the event; objects that it refers to, such as the customer,
 * their current state.
 */
export const createMailRenderer =
  ({ database, addresses }: MailRenderDependencies): MailDependencies['render'] =>
  async ({ delivery, merchant }, templateId, body) => {
    const { db: queries } = database
    const template = await findTemplate(queries, merchant.id, templateId)
    if (template?.kind !== 'receipt')
      throw new Error('the merchant has no mail template with this id')
    const row = await findRow(
      queries,
      'transactions',
      merchant.id,
      delivery.transaction_id ?? undefined,
    )
    const known =
      row &&
      (await loadTemplateVariables(
        { queries, merchant, addresses, locale: chooseLocale(body) },
        row,
      ))
    const variables = restoreValues(known ?? {}, body)
    const origin = { queries, merchantId: merchant.id, own: [] }
    return renderPrepared(origin, template.prepared, variables)
  }

/** Fields of the body with more than an id. */
const DETAILED_FIELDS = [
  'status',
  'amount',
  'vat_amount',
  'org_auth_amount',
  'currency',
  'error',
  'metadata',
  'items',
  'refunds',
  'captures',
  'payment_details',
  'processed_at',
  'updated_at',
]

function restoreValues(known: TemplateVariables, body: JsonObject): TemplateVariables {
  const variables = Object.fromEntries(
    DETAILED_FIELDS.filter((name) => name in body).map((name) => [name, body[name]]),
  )
  const details = {
    ...(known.payment_details as object | null),
    ...(variables.payment_details as object | null),
  }
  const transaction = {
    ...body,
    ...(known.transaction as object | undefined),
    ...variables,
    payment_details: details,
  }
  return {
    ...known,
    transaction,
    ...(variables.amount === undefined ? {} : { amount: variables.amount }),
  }
}
