import { decide } from '../acquirer/authorize.ts'
import { expiresAt, readExpiry } from '../domain/card-expiry.ts'
import { readCardHolder, readCardType } from '../domain/cards.ts'
import { readCurrency } from '../domain/currencies.ts'
import { GatewayError } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import { flag, type Parameters, text } from '../domain/parameters.ts'
import { insertCustomer } from '../storage/customers.ts'
import { findRow, holdRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import { insertStoredCard, type StoredCardRow, storedCardExists, updateStoredCard } from '../storage/stored-cards.ts'
import { anonymousCustomer, namedCustomer } from './customers.ts'
import { readCard, type TypedCard } from './payment-card.ts'
import type { Payments } from './payments.ts'
import { paymentRefusal } from './refusals.ts'
import { newStoredCardRow } from './store-card.ts'

/**
 * Stores a card without a payment (specification: Create stored card). The bank is asked as for a payment, so the test
 * CVVs decide: 201 declined (129), 202 CVV invalid (125), 203 expired (130).
 * @throws errors of the card and of a card_type that is sent, errors.currency.*, errors.customer.not_found (142), errors.stored_card.store.declined
 * (4001) where the merchant does not take cards that are no test cards
 */
export async function createStoredCard(
  payments: Payments,
  merchant: Merchant,
  parameters: Parameters,
): Promise<StoredCardRow> {
  const { ambient, database } = payments
  const test = flag(parameters, 'test') ?? false
  checkCardType(text(parameters, 'card_type'))
  const card = readCard(merchant, parameters, test, ambient.now())
  const recurring = flag(parameters, 'recurring') ?? false
  const currency = readCurrency(text(parameters, 'currency'))
  askBank(merchant, card, test, payments)
  return database.write(async (queries) => {
    const now = ambient.now()
    const customer =
      (await namedCustomer(queries, merchant, parameters, now)) ??
      (await insertCustomer(queries, anonymousCustomer(merchant.id, now)))
    return insertStoredCard(queries, {
      ...newStoredCardRow(card, ambient),
      merchant_id: merchant.id,
      customer_id: customer.id,
      currency,
      ref: customer.ref,
      test,
      recurring,
      transaction_id: null,
    })
  })
}

/**
 * The number tells the type, so it may be left out; what is sent must be the type of a card (our decision).
 * @throws errors.card_type.unsupported (121)
 */
function checkCardType(sent: string | undefined) {
  if (sent === undefined || readCardType(sent) !== 'stored_card') return
  throw new GatewayError('errors.card_type.unsupported', {
    explain: 'A stored card cannot be stored again; card_type is VISA or another type of card, or left out',
  })
}

function askBank(merchant: Merchant, card: TypedCard, test: boolean, { ambient }: Payments) {
  const liveCards = merchant.settings.live_cards
  if (!test && liveCards === 'refuse')
    throw new GatewayError('errors.stored_card.store.declined', {
      explain: 'This merchant takes test cards only, with test=true',
    })
  const source = { kind: 'card', cvv: card.cvv } as const
  const { randomBytes } = ambient
  const word = decide({ test, source, metadata: null, storeCard: true, liveCards, randomBytes })
  if (word.kind !== 'approved') throw paymentRefusal(word)
}

/**
 * Changes a stored card: status, holder, expiry, customer, what it may be used for (observed: 6.5).
 * @throws errors.stored_card.not_found (137), errors.status.invalid (148), errors of holder and expiry, 142
 */
export function updateStoredCardOf(
  payments: Payments,
  merchant: Merchant,
  id: number | undefined,
  parameters: Parameters,
): Promise<StoredCardRow> {
  const { ambient, database } = payments
  return database.write(async (queries) => {
    const now = ambient.now()
    const read = await holdRow(queries, 'stored_cards', merchant.id, id, now)
    if (!read) throw storedCardNotFound()
    const status = readStatus(text(parameters, 'status')?.toLowerCase()) ?? read.status
    const holder = text(parameters, 'card_holder')
    const expiry = text(parameters, 'card_expiry')
    const card_expiry = expiry === undefined ? read.card_expiry : readExpiry(expiry, now)
    const recurring = flag(parameters, 'recurring')
    const customer = await namedCustomer(queries, merchant, parameters, now)
    return updateStoredCard(queries, read.id, {
      status,
      card_holder: holder === undefined ? read.card_holder : readCardHolder(holder),
      card_expiry,
      expires: expiresAt(card_expiry),
      recurring: recurring ?? read.recurring,
      ...(customer ? { customer_id: customer.id, ref: customer.ref } : {}),
      updated_at: now,
    })
  })
}

/**
 * Cancels a stored card (design: a deleted stored card is cancelled).
 * @throws errors.stored_card.not_found (137) when there never was one, errors.unauthorized (138) for another merchant's
 * (observed: 15.37)
 */
export function cancelStoredCard(
  payments: Payments,
  merchant: Merchant,
  id: number | undefined,
): Promise<StoredCardRow> {
  return payments.database.write(async (queries) => {
    const read = await findRow(queries, 'stored_cards', merchant.id, id)
    if (read) return updateStoredCard(queries, read.id, { status: 'cancelled', updated_at: payments.ambient.now() })
    if (id === undefined || !(await storedCardExists(queries, id))) throw storedCardNotFound()
    throw new GatewayError('errors.unauthorized', { explain: "The stored card is not the merchant's" })
  })
}

/** @throws errors.stored_card.not_found (137) */
export async function needStoredCard(
  queries: Queries,
  merchant: Merchant,
  id: number | undefined,
): Promise<StoredCardRow> {
  const row = await findRow(queries, 'stored_cards', merchant.id, id)
  if (row) return row
  throw storedCardNotFound()
}

const storedCardNotFound = () =>
  new GatewayError('errors.stored_card.not_found', { explain: 'The merchant has no stored card with this id' })

function readStatus(sent: string | undefined): StoredCardRow['status'] | undefined {
  if (sent === undefined || sent === 'active' || sent === 'cancelled') return sent
  throw new GatewayError('errors.status.invalid', { explain: 'status is active or cancelled' })
}
