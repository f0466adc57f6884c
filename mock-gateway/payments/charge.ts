import { authorize } from '../acquirer/authorize.ts'
import { storingFails } from '../acquirer/service-instructions.ts'
import { planAuthentication } from '../acquirer/three-d-secure/plan.ts'
import type { SentCard } from '../cards/payment-card.ts'
import type { AuthenticationPlan } from '../domain/card/three-d-secure.ts'
import { conversionInstruction, convertAmount } from '../domain/money/currency-conversion.ts'
import { type Hundredths, NOTHING, payableAmount } from '../domain/money/money.ts'
import { PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { takeNextAuthentication } from '../storage/authentications.ts'
import type { NextAnswer } from '../storage/next-outcomes.ts'
import type { AuthenticationRow } from '../storage/tables/authentications.ts'
import { nextOutcome, type Work } from '../work/work.ts'
import { authenticatedBefore, beginAuthentication } from './authentication/begin.ts'
import { type Charge, chargeBy } from './charge-by-answer.ts'
import { type Instrument, readInstrument } from './instrument.ts'
import type { PayableOrder } from './order.ts'
import { type Screening, screenPayment } from './screen.ts'

/** Known data of the payer. */
export interface Payer {
  /**
   * True when the payer sent it from the payment page or a form, and can be authenticated there.
   */
  readonly isPresent: boolean
  /** How the browser library has authenticated the payer before. */
  readonly authenticated?: AuthenticationRow | undefined
}

/**
 * Processes a new or stored transaction: charges a card, reserves the amount of an invoice after a
 * credit check, or asks the payer for the other methods. It writes nothing of the transaction.
 * @throws errors.amount.* (specification: amount rules), errors.mpi.invalid (1690) for another card
 * than the authenticated one, and the errors of `readInstrument`
 */
export async function charge(
  work: Work,
  order: PayableOrder,
  sent: SentCard,
  payer: Payer,
): Promise<Charge> {
  const instrument = await readInstrument(work, order, sent)
  const { test, metadata, storeCard, paymentMethod } = order
  const { answeredBy } = PAYMENT_METHODS[paymentMethod]
  // With these methods the payer completes the payment in an app or at a bank. A badly formatted
  // amount fails it there (specification: amount rules); an amount of zero is invalid.
  const amount =
    answeredBy === 'payer' && order.amount !== '0.00'
      ? NOTHING
      : payableAmount(order.amount, order.currency, beginsByCard(order) ? 0 : 1)
  const { merchant, randomBytes } = work
  const liveCards = merchant.settings.live_cards
  const { card } = instrument
  const screened = await screenPayment(work, order, instrument)
  const next = screened.refusal ? undefined : await nextOutcome(work)
  const before = payer.authenticated && authenticatedBefore(payer.authenticated, card)
  const asked = {
    test,
    source: instrument.source,
    metadata,
    storeCard,
    liveCards,
    screened: screened.refusal,
    forced: next?.outcome,
    randomBytes,
    // A wallet has asked its payer already.
    authentication:
      before || sent.wallet
        ? undefined
        : await planFor(work, order, instrument, { isPresent: payer.isPresent, screened }),
    unavailable: merchant.settings.three_d_secure_unavailable,
  }
  const answer = authorize(asked)
  return chargeBy(work, answer, {
    amount,
    // An amount of zero cannot be reserved or captured. The money of an invoice comes later: a
    // capture sends the invoice (specification: States, credit check done).
    authorize: amount > 0 && (order.authorize || answeredBy === 'credit check'),
    event: instrument.event,
    columns: { ...instrument.columns, ...(card && waysToPay(order, amount, sent, next)) },
    card,
    screened: screened.events,
    storingFails: storingFails(asked),
    authentication: before ?? beginAuthentication(work, answer, card, payer.isPresent),
  })
}

/** Returns the wallet and the currency conversion of a payment, which a test can have set. */
function waysToPay(
  { currency, test, metadata }: PayableOrder,
  amount: Hundredths,
  { wallet }: SentCard,
  next: Partial<NextAnswer> = {},
) {
  const conversion = next.currency_converter ?? (test ? conversionInstruction(metadata) : undefined)
  return {
    wallet_type: wallet ?? next.wallet_type ?? null,
    currency_converter: conversion ? convertAmount(conversion, amount, currency) : null,
  }
}

/**
 * Plans the authentication of the payer of a card. Stored cards are charged without authentication
 * (reference: merchant-initiated).
 */
export async function planFor(
  { queries, merchant }: Work,
  { test, metadata }: PayableOrder,
  { card }: Instrument,
  {
    isPresent: payerPresent,
    screened,
  }: { readonly isPresent: boolean; readonly screened: Screening },
): Promise<AuthenticationPlan | undefined> {
  const { three_d_secure: usual, three_d_secure_question: asking } = merchant.settings
  const question = screened.question ?? asking
  const setting = screened.authenticates && usual === 'card' ? 'always' : usual
  if (card?.kind !== 'card' || setting === 'off' || !(payerPresent || setting === 'always'))
    return undefined
  const next = test && payerPresent ? await takeNextAuthentication(queries, merchant.id) : undefined
  const cardCase = 'threeDSecure' in card ? card.threeDSecure : undefined
  return planAuthentication({ setting, payerPresent, test, metadata, cardCase, next, question })
}

/**
 * Returns true for a payment of zero that stores the card for a plan, for example before a free
 * trial (decision 48).
 */
const beginsByCard = ({ planId, paymentMethod }: PayableOrder): boolean =>
  planId !== undefined && PAYMENT_METHODS[paymentMethod].answeredBy === 'bank'
