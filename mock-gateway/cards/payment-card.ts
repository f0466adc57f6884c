import { checkTestFlag } from '../acquirer/test-mode.ts'
import {
  type CardType,
  detectBrand,
  maskNumber,
  readCardHolder,
  readCardNumber,
  readCardType,
  readCvv,
} from '../domain/card/card-types.ts'
import { readExpiry } from '../domain/card/expiry.ts'
import { checkChargeable } from '../domain/card/stored-card.ts'
import { testCard } from '../domain/card/test-cards.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { WalletType } from '../domain/order/wallets.ts'
import { findOne, findRow } from '../storage/rows.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { NewTransactionRow } from '../storage/tables/transactions.ts'
import type { Work } from '../work/work.ts'

/** Card parameters of a request, as sent; undefined: not sent. */
export interface SentCard {
  /** card_type: STORED_CARD makes `number` a token. */
  readonly type: string | undefined
  readonly number: string | undefined
  readonly holder: string | undefined
  readonly cvv: string | undefined
  readonly expiry: string | undefined
  /** The wallet that contains the card. */
  readonly wallet?: WalletType
}

/** A request that says nothing of a card. */
export const NO_CARD: SentCard = {
  type: undefined,
  number: undefined,
  holder: undefined,
  cvv: undefined,
  expiry: undefined,
}

/** Returns true if the request has card data, complete or not. */
export const hasCardData = ({ number, holder, cvv, expiry }: SentCard): boolean =>
  [number, holder, cvv, expiry].some((sent) => sent !== undefined)

interface CardFacts {
  readonly brand: CardType
  readonly holder: string
  /** First six and last four digits; the other digits are not stored. */
  readonly maskedNumber: string
  /** MMYY */
  readonly expiry: string
}

/**
 * The paying card: a typed one, whose CVV decides the simulated bank's answer, or a token, with a
 * CVV if the merchant asks for it again.
 */
export type PaymentCard = TypedCard | (UsedCard & { readonly cvv?: string })

/** The card after the bank was asked, without its CVV. */
export type ChargedCard = NewCard | UsedCard

type UsedCard = CardFacts & { readonly kind: 'stored_card'; readonly stored: StoredCardRow }

/** A card that may be stored. */
export type NewCard = CardFacts & { readonly kind: 'card' }

/** A card as the payer typed it, without its number. */
export type TypedCard = NewCard & {
  readonly cvv: string
  /** The test card's 3-D Secure case, 1 to 20; undefined for other cards. */
  readonly threeDSecure?: number | undefined
}

/**
 * Columns of an order that decide which cards may pay it: test cards pay only test transactions, a
 * customer's token only the customer's orders, a recurring card only orders of a plan.
 */
type CardOrder = Pick<NewTransactionRow, 'test' | 'customer_ref' | 'plan_id'>

/**
 * Reads the card of a payment.
 * @throws errors.card_number.*, errors.card_holder.*, errors.card_cvv.*, errors.card_expiry.*,
 *   errors.card.expired, errors.card_type.unsupported; for a token errors.stored_card.not_found,
 *   .not_active, .not_test, .is_test, .recurring, .token.invalid
 */
export async function readPaymentCard(
  work: Work,
  sent: SentCard,
  order: CardOrder,
): Promise<PaymentCard> {
  const declared = sent.type === undefined ? undefined : readCardType(sent.type)
  return declared === 'stored_card'
    ? readStoredCard(work, sent, order)
    : readCard(work.merchant, sent, order.test, work.now)
}

/**
 * Reads a card that was typed. The brand follows from the number; a card_type that says otherwise
 * is corrected (our decision).
 * @param now epoch milliseconds
 * @throws as `readPaymentCard`
 */
export function readCard(
  merchant: Merchant,
  sent: SentCard,
  test: boolean,
  now: number,
): TypedCard {
  const number = readCardNumber(sent.number)
  checkTestFlag(number, test)
  const holder = readCardHolder(sent.holder)
  const cvv = readCvv(sent.cvv)
  const expiry = readExpiry(sent.expiry, now)
  const brand = detectBrand(number)
  if (brand === undefined || !merchant.settings.card_types.includes(brand))
    throw new GatewayError('errors.card_type.unsupported', {
      explain: `This merchant accepts ${merchant.settings.card_types.join(', ')}. The number belongs to ${brand ?? 'none of them'}.`,
    })
  const maskedNumber = maskNumber(number.slice(0, 6), number.slice(-4))
  const threeDSecure = testCard(number)?.threeDSecure
  return {
    kind: 'card',
    brand,
    holder,
    maskedNumber,
    expiry,
    cvv,
    ...(threeDSecure && { threeDSecure }),
  }
}

/** Tokens as we make them; the real service made shorter ones (observed: 7.3). */
const TOKEN = /^[0-9a-f]{32}$/

async function readStoredCard(
  work: Work,
  sent: SentCard,
  { test, customer_ref, plan_id }: CardOrder,
): Promise<PaymentCard> {
  const { queries, merchant, now } = work
  const token = sent.number?.trim()
  if (token === undefined)
    throw new GatewayError('errors.card_number.missing', {
      explain: 'card_number is missing. Send the token of the stored card.',
    })
  if (!TOKEN.test(token))
    throw new GatewayError('errors.stored_card.token.invalid', {
      explain: 'card_number must be the token of the stored card, with 32 hexadecimal characters.',
    })
  const stored = await findOne(queries, 'stored_cards', { merchant_id: merchant.id, token })
  if (!stored)
    throw new GatewayError('errors.stored_card.not_found', {
      explain: 'The merchant has no stored card with this token.',
    })
  if (customer_ref !== null) await checkOwner(work, stored, customer_ref)
  checkChargeable(stored, test, now)
  if (stored.recurring && plan_id === null)
    throw new GatewayError('errors.stored_card.recurring', {
      explain:
        'The card was stored with recurring=true, so it can pay only for subscriptions. Send a plan_id.',
    })
  const asksCvv = merchant.settings.stored_card_cvv && sent.cvv !== undefined
  return {
    kind: 'stored_card',
    ...(asksCvv && { cvv: readCvv(sent.cvv) }),
    brand: stored.card_type,
    holder: stored.card_holder,
    maskedNumber: stored.card_number,
    expiry: stored.card_expiry,
    stored,
  }
}

/**
 * Rejects another customer's card as if it did not exist. A card without a customer, or of a
 * customer without a ref, pays for the customer of the order (our decision).
 */
async function checkOwner(
  { queries, merchant }: Work,
  stored: StoredCardRow,
  customerRef: string,
): Promise<void> {
  const owner = await findRow(queries, 'customers', merchant.id, stored.customer_id ?? undefined)
  if (!owner || owner.ref === null || owner.ref === customerRef) return
  throw new GatewayError('errors.stored_card.not_found', {
    explain: 'The stored card belongs to another customer. Send the customer_ref of its customer.',
  })
}
