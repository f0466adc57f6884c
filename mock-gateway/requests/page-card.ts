import { type CardForm, plainCard } from '../domain/card-rules.ts'
import { reading } from '../domain/reading.ts'
import type { SentChanges, UpdateTransaction } from '../payments/commands.ts'
import { NONE_ENCRYPTED } from './parameters/decrypt.ts'
import { type Parameters, pick, text } from './parameters/parameters.ts'
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

/** What the form of the page sends; the expiry in one field, or in two as old templates have it (observed: 11.4). */
export const PAGE_FIELDS = [...CARD_DATA_FIELDS, 'expMM', 'expYY', 'version', 'action'] as const

/** What a payer does who submits a form of the page; what is not named is paying. */
export function readPageAction({ action }: Parameters): 'pay' | 'cancel' | 'extend' {
  return action === 'cancel' || action === 'extend' ? action : 'pay'
}

/** The card that was typed on a payment page, in the gateway's own form. */
export function readPageCard(parameters: Parameters): CardForm {
  const sent = pick(parameters, PAGE_FIELDS)
  const [month, year] = [text(sent, 'expMM'), text(sent, 'expYY')]
  const parts = month !== undefined && year !== undefined ? `${month}/${year}` : undefined
  return plainCard({
    card_number: text(sent, 'card_number') ?? '',
    card_holder: text(sent, 'card_holder') ?? '',
    card_expiry: text(sent, 'card_expiry') ?? parts ?? '',
    card_cvv: text(sent, 'card_cvv') ?? '',
  })
}

/** Reads the form of the payment page: the card that pays the transaction of the page. */
export function readPagePayment(id: number, parameters: Parameters): UpdateTransaction {
  const card = readPageCard(parameters)
  return {
    id,
    form: true,
    intent: reading(() => ({ process: true, card: readCardData(card) })),
    hashed: { ok: true, value: undefined },
    changes: { ok: true, value: { ...NO_CHANGES, paymentMethod: BY_CARD } },
    brings: ['payment_method', ...CARD_DATA_FIELDS.filter((name) => card[name] !== '')],
    paymentRequest: reading(() =>
      maskedPaymentRequest({ card_number: card.card_number, payment_method: BY_CARD }, NONE_ENCRYPTED),
    ),
    onPage: { shown: text(parameters, 'version') },
  }
}
