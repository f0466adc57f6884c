import type { Authorization, Refusal, Source } from '../acquirer/authorization.ts'
import { authorize } from '../acquirer/authorize.ts'
import { storingFails } from '../acquirer/service-instructions.ts'
import type { Ambient } from '../domain/ambient.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Hundredths } from '../domain/money.ts'
import type { TransactionChanges } from '../storage/transactions.ts'
import type { PaymentCard } from './payment-card.ts'

/** What the money comes from. */
export interface Means {
  /** What the simulated bank looks at. */
  readonly source: Source
  /** What the transaction shows of it, whatever the answer. */
  readonly columns: TransactionChanges
  /** What charging it is called in the log. */
  readonly event: 'charged' | 'credit_checked' | 'started'
  /** Set when it is a card. */
  readonly card?: PaymentCard
}

/** A payment about to be made. */
export interface ChargeRequest {
  readonly merchant: Merchant
  readonly means: Means
  readonly amount: Hundredths
  /** True reserves the amount, false takes it. */
  readonly authorize: boolean
  readonly test: boolean
  readonly metadata: JsonObject | null
  /** True when the card is to be stored. */
  readonly storeCard: boolean
}

/** What the answer does to a transaction. */
export interface Charge {
  /** Set when a card was charged. */
  readonly card: PaymentCard | undefined
  readonly event: Means['event']
  readonly changes: TransactionChanges
  /** Set when the answer was no: the payment is refused with it, and the transaction kept. */
  readonly refusal: Refusal | undefined
  /** True when the card pays and yet cannot be stored. */
  readonly storingFails: boolean
}

/** Asks the simulated bank and says what becomes of the transaction. Nothing is written here. */
export function charge(request: ChargeRequest, ambient: Ambient): Charge {
  const { means, merchant, test, metadata, storeCard } = request
  const liveCards = merchant.settings.live_cards
  const asked = { test, source: means.source, metadata, storeCard, liveCards, randomBytes: ambient.randomBytes }
  const answer = authorize(asked)
  return {
    card: means.card,
    event: means.event,
    changes: { ...means.columns, ...changesBy(answer, request, ambient.now()) },
    refusal: answer.kind === 'declined' || answer.kind === 'failed' ? answer : undefined,
    storingFails: storingFails(asked),
  }
}

const NO_ERROR = { status_details: null, error_name: null, error_message: null } as const

function changesBy(answer: Authorization, request: ChargeRequest, now: number): TransactionChanges {
  switch (answer.kind) {
    case 'approved':
      return {
        ...NO_ERROR,
        status: request.authorize ? 'authorized' : 'approved',
        amount: request.amount,
        org_auth_amount: request.amount,
        provider_ref: answer.providerRef,
        processed_at: now,
        updated_at: now,
        payment_response: response(request.means, {
          result: 'approved',
          auth_code: answer.authCode,
          provider_ref: answer.providerRef,
        }),
      }
    case 'pending':
      return { ...NO_ERROR, status: 'pending', payment_response: null, updated_at: now }
    case 'challenge':
      return { ...NO_ERROR, status: '3ds pending', payment_response: null, updated_at: now }
    case 'declined':
    case 'failed':
      return {
        status: answer.kind,
        status_details: answer.error,
        error_name: answer.error,
        error_message: answer.message ?? null,
        payment_response: response(request.means, { result: answer.kind, error: answer.error }),
        updated_at: now,
      }
  }
}

/** What was answered, as the transaction shows it. */
const response = ({ event }: Means, answer: { readonly result: string; readonly [fact: string]: string }) =>
  event === 'credit_checked' ? { ...answer, credit_check: answer.result } : answer
