import { reading } from '../domain/reading.ts'
import type { SentChanges, UpdateTransaction } from '../payments/commands.ts'
import { NONE_ENCRYPTED } from './parameters/decrypt.ts'
import { isSent, type Parameters, pick } from './parameters/parameters.ts'
import { maskedPaymentRequest } from './payment-request.ts'
import { CARD_DATA_FIELDS, readCardData } from './sent-card.ts'

/** Only the card is the payer's to say; amount, currency and the rest are the merchant's. */
const NO_CHANGES: SentChanges = {
  paymentRef: undefined,
  amount: undefined,
  vatAmount: undefined,
  currency: undefined,
  test: undefined,
  authorize: undefined,
  storeCard: undefined,
  items: undefined,
  customerRef: undefined,
  metadata: undefined,
  planId: undefined,
  order: { ok: true, value: { startDate: undefined, quantity: undefined, items: undefined } },
  paymentMethod: undefined,
  paymentDetails: undefined,
}

const BY_CARD = 'credit_card'

/** Reads the form of the payment page: the card that pays the transaction of the page. */
export function readPageCard(id: number, parameters: Parameters): UpdateTransaction {
  const sent = pick(parameters, CARD_DATA_FIELDS)
  return {
    id,
    form: true,
    intent: reading(() => ({ process: true, card: readCardData(sent) })),
    hashed: { ok: true, value: undefined },
    changes: { ok: true, value: { ...NO_CHANGES, paymentMethod: BY_CARD } },
    brings: ['payment_method', ...CARD_DATA_FIELDS.filter((name) => isSent(sent, name))],
    paymentRequest: reading(() =>
      maskedPaymentRequest({ card_number: sent.card_number, payment_method: BY_CARD }, NONE_ENCRYPTED),
    ),
  }
}
