import { decide } from '../acquirer/authorize.ts'
import {
  createAnonymousCustomer,
  findNamedCustomer,
  type NamedCustomer,
} from '../customers/customers.ts'
import { calculateCardExpiry } from '../domain/card/expiry.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { createStoredCardToken } from '../domain/identifiers.ts'
import type { Currency } from '../domain/money/currencies.ts'
import { enqueueCardWebhooks } from '../outbox/outbox.ts'
import { findOne, findRow, holdRow, insertRow, updateRow } from '../storage/rows.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { OpenWork, Work } from '../work/work.ts'
import type { NewCard, TypedCard } from './payment-card.ts'

/**
 * Stores a card without a payment (specification: Create stored card). The bank is asked as for a
 * payment, so the test CVVs decide: 201 declined (129), 202 CVV invalid (125), 203 expired (130).
 * @throws errors.customer.not_found (142), errors.stored_card.store.declined (4001) where the
 *   merchant does not take cards that are no test cards
 */
export async function createStoredCard(
  work: OpenWork,
  command: CreateStoredCard,
): Promise<StoredCardRow> {
  askBank(work, command)
  const { card, currency, test, recurring } = command
  return work.write(async (steps) => {
    const { queries, merchant, now } = steps
    const customer =
      (await findNamedCustomer(steps, command.readCustomer())) ??
      (await insertRow(queries, 'customers', createAnonymousCustomer(merchant.id, now)))
    const stored = await insertRow(queries, 'stored_cards', {
      ...createStoredCardRow(steps, card),
      merchant_id: merchant.id,
      customer_id: customer.id,
      currency,
      ref: customer.ref,
      test,
      recurring,
      transaction_id: null,
    })
    await enqueueCardWebhooks(steps, stored)
    return stored
  })
}

function askBank({ merchant, randomBytes }: Work, { card, test }: CreateStoredCard) {
  const liveCards = merchant.settings.live_cards
  if (!test && liveCards === 'refuse')
    throw new GatewayError('errors.stored_card.store.declined', {
      explain: 'This merchant accepts only test cards. Send test=true and a test card.',
    })
  const source = { kind: 'card', cvv: card.cvv } as const
  const word = decide({ test, source, metadata: null, storeCard: true, liveCards, randomBytes })
  if (word.kind !== 'approved')
    throw new GatewayError(word.error, { description: word.message, explain: word.explain })
}

/**
 * Changes a stored card: status, holder, expiry, customer, and permitted use (observed: 6.5).
 * @throws errors.stored_card.not_found (137), errors.status.invalid (148), errors of holder and
 *   expiry, 142
 */
export const changeStoredCard = (
  work: OpenWork,
  { id, readChanges }: UpdateStoredCard,
): Promise<StoredCardRow> =>
  work.write(async (steps) => {
    const { queries, merchant, now } = steps
    const card = await holdRow(queries, 'stored_cards', merchant.id, id, now)
    if (!card) throw createNotFoundError()
    const sent = readChanges()
    const customer = await findNamedCustomer(steps, sent.customer)
    const card_expiry = sent.expiry ?? card.card_expiry
    return updateRow(queries, 'stored_cards', card.id, {
      status: sent.status ?? card.status,
      card_holder: sent.holder ?? card.card_holder,
      card_expiry,
      expires: calculateCardExpiry(card_expiry),
      recurring: sent.recurring ?? card.recurring,
      ...(customer ? { customer_id: customer.id, ref: customer.ref } : {}),
      updated_at: now,
    })
  })

/**
 * Cancels a stored card (decision 50: its payments still show it).
 * @throws errors.stored_card.not_found (137) when there never was one, errors.unauthorized (138)
 *   for another merchant's (observed: 15.37)
 */
export const cancelStoredCard = (work: OpenWork, id: number | undefined): Promise<StoredCardRow> =>
  work.write((steps) => cancelWithin(steps, id))

/** Cancels a card as a part of a larger database transaction. */
export async function cancelWithin(
  { queries, merchant, now }: Work,
  id: number | undefined,
): Promise<StoredCardRow> {
  const read = await findRow(queries, 'stored_cards', merchant.id, id)
  if (read)
    return updateRow(queries, 'stored_cards', read.id, { status: 'cancelled', updated_at: now })
  if (id === undefined || !(await findOne(queries, 'stored_cards', { id })))
    throw createNotFoundError()
  throw new GatewayError('errors.unauthorized', {
    explain: 'The stored card belongs to another merchant.',
  })
}

/** @throws errors.stored_card.not_found (137) */
export async function requireStoredCard(
  { queries, merchant }: Work,
  id: number | undefined,
): Promise<StoredCardRow> {
  const row = await findRow(queries, 'stored_cards', merchant.id, id)
  if (row) return row
  throw createNotFoundError()
}

const createNotFoundError = () =>
  new GatewayError('errors.stored_card.not_found', {
    explain:
      'The merchant has no stored card with this id. GET /v1/stored_cards lists its stored cards.',
  })

/** Stores a card without a payment (specification: Create stored card). */
export interface CreateStoredCard {
  readonly card: TypedCard
  readonly currency: Currency
  readonly test: boolean
  /** True for a card that pays for plans and subscriptions only. */
  readonly recurring: boolean
  /**
   * Reads the customer who gets the card, after the bank was asked; undefined creates a customer
   * without a name.
   * @throws errors.customer_ref.invalid (165)
   */
  readonly readCustomer: () => NamedCustomer | undefined
}

/** Changes a stored card (observed: 6.5); undefined is not sent. */
export interface UpdateStoredCard {
  readonly id: number | undefined
  /** @throws errors.status.invalid (148), errors of holder and expiry, 165 */
  readonly readChanges: () => {
    readonly status: 'active' | 'cancelled' | undefined
    readonly holder: string | undefined
    /** MMYY */
    readonly expiry: string | undefined
    readonly recurring: boolean | undefined
    readonly customer: NamedCustomer | undefined
  }
}

/** Returns the columns of a new stored card that follow from the card. */
export const createStoredCardRow = ({ now, randomBytes }: Work, card: NewCard) => ({
  token: createStoredCardToken(randomBytes),
  card_holder: card.holder,
  card_number: card.maskedNumber,
  card_expiry: card.expiry,
  card_type: card.brand,
  status: 'active' as const,
  expires: calculateCardExpiry(card.expiry),
  created_at: now,
  updated_at: now,
})
