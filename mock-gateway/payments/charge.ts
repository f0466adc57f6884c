import type { Source } from '../acquirer/authorization.ts'
import { authorize } from '../acquirer/authorize.ts'
import type { Ambient } from '../domain/ambient.ts'
import type { ErrorName } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Hundredths } from '../domain/money.ts'
import type { ParameterObject } from '../domain/parameters.ts'
import type { TransactionChanges } from '../storage/transactions.ts'
import type { PaymentCard } from './payment-card.ts'

/** A payment about to be made. */
export interface ChargeRequest {
  readonly merchant: Merchant
  readonly card: PaymentCard
  readonly amount: Hundredths
  /** True reserves the amount, false takes it. */
  readonly authorize: boolean
  readonly test: boolean
  readonly metadata: ParameterObject | null
}

/** What the bank's answer does to a transaction. */
export interface Charge {
  readonly card: PaymentCard
  readonly changes: TransactionChanges
  /** Set when the bank said no: the payment is refused with it, and the transaction kept. */
  readonly refusal: { readonly name: ErrorName; readonly message: string | undefined } | undefined
}

/** Asks the simulated bank and says what becomes of the transaction. Nothing is written here. */
export function charge(request: ChargeRequest, ambient: Ambient): Charge {
  const { card, test, metadata } = request
  const liveCards = request.merchant.settings.live_cards
  const answer = authorize({ test, source: sourceOf(card), metadata, liveCards, randomBytes: ambient.randomBytes })
  const now = ambient.now()
  const byCard = { ...cardColumns(card), updated_at: now }
  if (answer.kind === 'approved') {
    const { authCode, providerRef } = answer
    return {
      card,
      refusal: undefined,
      changes: {
        ...byCard,
        status: request.authorize ? 'authorized' : 'approved',
        status_details: null,
        error_name: null,
        error_message: null,
        amount: request.amount,
        org_auth_amount: request.amount,
        provider_ref: providerRef,
        processed_at: now,
        payment_response: JSON.stringify({ result: 'approved', auth_code: authCode, provider_ref: providerRef }),
      },
    }
  }
  return {
    card,
    refusal: { name: answer.error, message: answer.message },
    changes: {
      ...byCard,
      status: answer.kind,
      status_details: answer.error,
      error_name: answer.error,
      error_message: answer.message ?? null,
      payment_response: JSON.stringify({ result: answer.kind, error: answer.error }),
    },
  }
}

function sourceOf(card: PaymentCard): Source {
  return card.kind === 'card' ? { kind: 'card', cvv: card.cvv } : { kind: 'stored_card' }
}

/** A stored card shows as STORED_CARD with the number of the card underneath (specification: card_type, card_number). */
function cardColumns(card: PaymentCard): TransactionChanges {
  const stored = card.kind === 'stored_card'
  return {
    payment_method: stored ? 'stored' : 'credit_card',
    transaction_type: stored ? 'stored_card' : 'credit_card',
    card_holder: card.holder,
    card_number: card.maskedNumber,
    card_expiry: card.expiry,
    card_type: stored ? 'stored_card' : card.brand,
    stored_card_id: stored ? card.stored.id : null,
  }
}
