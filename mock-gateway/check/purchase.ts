import type { Operations } from '../client/operations.ts'
import type { Transaction } from '../contract/wire.ts'
import type { OrderView } from './order-view.ts'

/** A purchase in the shop, with its transaction when the gateway was read. */
export interface Purchase
  extends Pick<
    Transaction,
    'id' | 'payment_ref' | 'href' | 'amount' | 'currency' | 'status' | 'success_url' | 'error_url'
  > {
  /** The subscription whose charge this is. */
  readonly subscriptionId?: number
  /** Address that the last payment led to: of the shop, or of the bank. */
  back: string
  /** Amounts that the gateway refunded, the oldest first; undefined if the case refunds nothing. */
  refunded?: string[]
  /** The order of the shop before a forged message. */
  order?: OrderView
}

export const toPurchase = (transaction: Transaction): Purchase => ({ ...transaction, back: '' })

/** Kind of test card: the bank approves, declines, or asks the payer first (3-D Secure). */
export type PayerCard = 'approved' | 'declined' | 'challenged'

/**
 * A fault in the gateway's answers to the shop. Without `method` and `times`, it affects the next
 * request that prepares a payment. `times` 0: until it is removed.
 */
export type StageFault = Pick<
  Parameters<Operations['faults']['inject']>[0],
  'kind' | 'method' | 'milliseconds' | 'times'
>

export const isPaid = ({ status }: Pick<Purchase, 'status'>): boolean =>
  status === 'approved' || status === 'authorized' || status === 'capture pending'

/** Meaning of an answer of a shop that takes the card itself. */
export type CardAnswer = 'paid' | 'pending' | 'declined'

/** A card as the payer types it. */
export type TypedCard = Readonly<
  Record<'card_number' | 'card_holder' | 'card_expiry' | 'card_cvv', string>
>

/** Pays with a typed card, stores it too, or pays with the stored card. */
export type CardUse = 'pay' | 'store' | 'stored'

/** A form of the shop that takes the card, in one payer's browser. */
export interface CardForm {
  /**
   * Presses Pay. Every press of one form sends the same fields, as a browser does.
   * @returns the status of the answer, and its meaning in the plan
   * @throws CheckError if the shop does not answer
   */
  press(
    use: CardUse,
    card: TypedCard,
  ): Promise<{ readonly status: number; readonly means: CardAnswer | undefined }>
  /** Opens the form for another purchase of the same payer. */
  again(): Promise<CardForm>
}
