import { isExpired } from '../domain/card-expiry.ts'
import { GatewayError } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import { type Parameters, text } from '../domain/parameters.ts'
import { readCustomerRef, readId } from '../domain/references.ts'
import { findCustomerByRef } from '../storage/customers.ts'
import { findRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import { findNewestActiveCard, type StoredCardRow } from '../storage/stored-cards.ts'

/**
 * The stored card that a subscription is charged to: `stored_card_id`, else the newest active card of the customer that
 * `customer_id` or `customer_ref` names (observed: 6.7).
 * @throws errors.customer.missing (143) when none of the three is sent, errors.stored_card.not_found (137),
 * errors.stored_card.not_active (150), errors.card.expired (130), errors.customer.not_found (142),
 * errors.customer_ref.invalid (165)
 */
export async function payerCard(
  queries: Queries,
  merchant: Merchant,
  parameters: Parameters,
  now: number,
): Promise<StoredCardRow> {
  const sent = text(parameters, 'stored_card_id')
  const card =
    sent === undefined
      ? await findNewestActiveCard(queries, merchant.id, await customerId(queries, merchant, parameters))
      : await findRow(queries, 'stored_cards', merchant.id, readId(sent))
  if (!card)
    throw new GatewayError('errors.stored_card.not_found', {
      explain:
        sent === undefined ? 'The customer has no active stored card' : 'The merchant has no stored card with this id',
    })
  if (card.status !== 'active')
    throw new GatewayError('errors.stored_card.not_active', { explain: 'The stored card was cancelled' })
  if (isExpired(card.card_expiry, now))
    throw new GatewayError('errors.card.expired', { explain: 'The stored card expired before the current month' })
  return card
}

async function customerId(queries: Queries, merchant: Merchant, parameters: Parameters): Promise<number> {
  const id = text(parameters, 'customer_id')
  const ref = readCustomerRef(text(parameters, 'customer_ref'))
  if (id === undefined && ref === undefined)
    throw new GatewayError('errors.customer.missing', {
      explain: 'A subscription needs a payer: send stored_card_id, customer_id or customer_ref',
    })
  const customer =
    id === undefined
      ? await findCustomerByRef(queries, merchant.id, ref ?? '')
      : await findRow(queries, 'customers', merchant.id, readId(id))
  if (customer) return customer.id
  throw new GatewayError('errors.customer.not_found', { explain: 'The merchant has no such customer' })
}
