import { checkChargeable } from '../domain/card/stored-card.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { readId } from '../domain/identifiers.ts'
import type { Currency } from '../domain/money/currencies.ts'
import type { Prices } from '../domain/subscription/plan.ts'
import { findOne, findRow } from '../storage/rows.ts'

import type { CustomerRow } from '../storage/tables/customers.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { Work } from '../work/work.ts'
import type { SubscriptionPayer } from './commands.ts'

/**
 * Returns the stored card for a new subscription: the card of `stored_card_id`, otherwise a card of
 * the customer of `customer_id` or `customer_ref` (observed: 6.7). All sent values must agree.
 * @param prices the plan's prices; empty for an unknown plan
 * @throws errors.customer.missing (143) if none of the three is sent, errors.customer.not_found
 * (142), errors.stored_card.not_found (137), also for a card of another customer,
 * errors.currency.invalid (117) for a card in another currency, and the errors of
 * `checkChargeable`
 */
export async function requirePayerCard(
  work: Work,
  payer: SubscriptionPayer,
  prices: Prices,
): Promise<StoredCardRow> {
  const { storedCardId, currency, test } = payer
  const customer = await findPayer(work, payer)
  if (storedCardId === undefined) {
    const card = await requireNewestCard(work, customer ?? throwMissingCustomer(), payer, prices)
    checkChargeable(card, test, work.now)
    return card
  }
  const card = await requireChargeableCard(work, storedCardId, test)
  if (customer && card.customer_id !== customer.id)
    throw noCard('The stored card belongs to another customer.')
  if (currency !== undefined && card.currency !== currency)
    throw new GatewayError('errors.currency.invalid', {
      explain: `The stored card is charged in its own currency, ${card.currency}. Leave currency out.`,
    })
  return card
}

/**
 * Returns the stored card of `stored_card_id`, if it can be charged.
 * @param test flag of the subscription; undefined if the card decides
 * @throws errors.stored_card.not_found (137), and the errors of `checkChargeable`
 */
export async function requireChargeableCard(
  { queries, merchant, now }: Work,
  sent: string,
  test: boolean | undefined,
): Promise<StoredCardRow> {
  const card = await findRow(queries, 'stored_cards', merchant.id, readId(sent))
  if (!card)
    throw noCard(
      'The merchant has no stored card with this id. GET /v1/stored_cards lists its stored cards.',
    )
  checkChargeable(card, test, now)
  return card
}

/**
 * Returns the newest active card in a currency of the plan. If there is none, returns the newest
 * card, which is then rejected.
 */
async function requireNewestCard(
  { queries }: Work,
  customer: CustomerRow,
  { test, currency }: SubscriptionPayer,
  prices: Prices,
): Promise<StoredCardRow> {
  const active = {
    merchant_id: customer.merchant_id,
    customer_id: customer.id,
    status: 'active',
    test,
  } as const
  const find = (currencies: readonly Currency[] | undefined) =>
    findOne(queries, 'stored_cards', { ...active, currency: currencies }, { newestFirst: true })
  const requested = currency && [currency]
  const inPlan = (requested ?? (Object.keys(prices) as Currency[])).filter(
    (each) => prices[each] !== undefined,
  )
  const card = (await find(inPlan)) ?? (await find(requested))
  if (card) return card
  throw noCard('The customer has no active stored card with this test flag and currency.')
}

/**
 * Returns the customer of `customer_id`, `customer_ref` or both; undefined if neither is sent.
 * @throws errors.customer.not_found (142) for an unknown customer, or if the two belong to
 * different customers
 */
async function findPayer(
  { queries, merchant }: Work,
  { customerId, customerRef }: SubscriptionPayer,
): Promise<CustomerRow | undefined> {
  const found: (CustomerRow | undefined)[] = []
  if (customerId !== undefined)
    found.push(await findRow(queries, 'customers', merchant.id, readId(customerId)))
  if (customerRef !== undefined)
    found.push(await findOne(queries, 'customers', { merchant_id: merchant.id, ref: customerRef }))
  if (found.length === 0) return undefined
  const [customer] = found
  if (customer && found.every((each) => each?.id === customer.id)) return customer
  throw new GatewayError('errors.customer.not_found', {
    explain:
      'The merchant has no such customer. If you send both customer_id and customer_ref, they must belong to the same customer.',
  })
}

function throwMissingCustomer(): never {
  throw new GatewayError('errors.customer.missing', {
    explain:
      'The payer of the subscription is missing. Send stored_card_id, customer_id or customer_ref.',
  })
}

const noCard = (explain: string) => new GatewayError('errors.stored_card.not_found', { explain })
