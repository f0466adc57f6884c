import { readCard } from '../cards/payment-card.ts'
import type { CreateStoredCard, UpdateStoredCard } from '../cards/stored-cards.ts'
import { readCardHolder, readCardType } from '../domain/card/card-types.ts'
import { readExpiry } from '../domain/card/expiry.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { readCurrency } from '../domain/money/currencies.ts'
import { NAMED_CUSTOMER_FIELDS, readNamedCustomer } from './customer.ts'
import {
  flag,
  type Parameters,
  pick,
  readActiveOrCancelled,
  text,
} from './parameters/parameters.ts'
import type { Sender } from './request-hash.ts'
import { CARD_FIELDS, readSentCard } from './sent-card.ts'

/** Parameters of a new stored card (specification: Create stored card). */
export const CREATE_STORED_CARD_FIELDS = [
  ...CARD_FIELDS,
  ...NAMED_CUSTOMER_FIELDS,
  'currency',
  'test',
  'recurring',
] as const

/** @throws errors of the card and its card_type, errors.currency.* (115, 116, 117) */
export function readCreateStoredCard(
  parameters: Parameters,
  { merchant, now }: Sender,
): CreateStoredCard {
  const sent = pick(parameters, CREATE_STORED_CARD_FIELDS)
  const test = flag(sent, 'test') ?? false
  checkCardType(text(sent, 'card_type'))
  return {
    test,
    card: readCard(merchant, readSentCard(sent), test, now),
    recurring: flag(sent, 'recurring') ?? false,
    currency: readCurrency(text(sent, 'currency')),
    readCustomer: () => readNamedCustomer(sent),
  }
}

/**
 * Requires the type of a card; the number decides which one (decision 14).
 * @throws errors.card_type.missing (120), errors.card_type.unsupported (121)
 */
function checkCardType(sent: string | undefined) {
  if (sent === undefined)
    throw new GatewayError('errors.card_type.missing', {
      explain: 'card_type is missing. Send VISA or another card type.',
    })
  if (readCardType(sent) === 'stored_card')
    throw new GatewayError('errors.card_type.unsupported', {
      explain:
        'A stored card cannot be stored again. Send a new card, with card_type VISA or another card type.',
    })
}

/** Parameters of a changed stored card (observed: 6.5). */
export const UPDATE_STORED_CARD_FIELDS = [
  'status',
  'card_holder',
  'card_expiry',
  'recurring',
  ...NAMED_CUSTOMER_FIELDS,
] as const

/** Reads a changed stored card; its changes are read after the card is found. */
export function readUpdateStoredCard(
  id: number | undefined,
  parameters: Parameters,
  { now }: Pick<Sender, 'now'>,
): UpdateStoredCard {
  const sent = pick(parameters, UPDATE_STORED_CARD_FIELDS)
  return {
    id,
    readChanges() {
      const status = readActiveOrCancelled(
        text(sent, 'status'),
        'status must be active or cancelled.',
      )
      const holder = text(sent, 'card_holder')
      const expiry = text(sent, 'card_expiry')
      return {
        status,
        expiry: expiry === undefined ? undefined : readExpiry(expiry, now),
        recurring: flag(sent, 'recurring'),
        customer: readNamedCustomer(sent),
        holder: holder === undefined ? undefined : readCardHolder(holder),
      }
    },
  }
}
