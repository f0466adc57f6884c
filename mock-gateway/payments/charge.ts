import { authorize } from '../acquirer/authorize.ts'
import { hasStoringFailure } from '../acquirer/service-instructions.ts'
import { canAuthenticate, planAuthentication } from '../acquirer/three-d-secure/plan.ts'
import type { AuthenticationPlan } from '../domain/card/three-d-secure.ts'
import { convertAmount, readConversionInstruction } from '../domain/money/currency-conversion.ts'
import type { Hundredths } from '../domain/money/money.ts'
import { PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { takeNextAuthentication } from '../storage/authentications.ts'
import type { NextOutcome } from '../storage/next-outcomes.ts'
import type { NewTransactionRow } from '../storage/tables/transactions.ts'
import { findNextOutcome, type Work } from '../work/work.ts'
import { beginAuthentication } from './authentication/begin.ts'
import { type Charge, createCharge } from './charge-by-answer.ts'
import type { CheckedCharge } from './check-payment.ts'
import type { Instrument } from './instrument.ts'
import { type Screening, screenPayment } from './screen.ts'

/**
 * Charges a card, reserves the amount of an invoice after a credit check, or asks the payer for the
 * other methods. It uses up outcomes that tests have set, and writes nothing of the transaction.
 */
export async function charge(work: Work, checked: CheckedCharge): Promise<Charge> {
  const { order, instrument, amount, wallet, isPresent, authenticated } = checked
  const { card, source, event } = instrument
  const { settings } = work.merchant
  const screened = await screenPayment(work, order, instrument)
  const next = screened.refusal ? undefined : await findNextOutcome(work)
  // A wallet has asked its payer already.
  const isAuthenticated = authenticated !== undefined || wallet !== undefined
  const request = {
    test: order.test,
    source,
    metadata: order.metadata,
    storeCard: order.store_card,
    liveCards: settings.live_cards,
    screened: screened.refusal,
    forced: next?.outcome,
    randomBytes: work.randomBytes,
    authentication: isAuthenticated
      ? undefined
      : await planFor(work, order, instrument, { isPresent, screened }),
    unavailable: settings.three_d_secure_unavailable,
  }
  const answer = authorize(request)
  return createCharge(work, answer, {
    amount,
    authorize: isReservation(order, amount),
    event,
    columns: { ...instrument.columns, ...createWalletColumns(checked, next) },
    card,
    screened: screened.events,
    storingFails: hasStoringFailure(request),
    authentication: authenticated ?? beginAuthentication(work, answer, card, isPresent),
  })
}

/**
 * An amount of zero cannot be reserved or captured. The money of an invoice comes later: a capture
 * sends the invoice (specification: States, credit check done).
 */
const isReservation = (
  { authorize, payment_method }: NewTransactionRow,
  amount: Hundredths,
): boolean =>
  amount > 0 && (authorize || PAYMENT_METHODS[payment_method].answeredBy === 'credit check')

/** Returns the wallet and the currency conversion of a payment, which a test can have set. */
function createWalletColumns(
  { order: { currency, test, metadata }, instrument, amount, wallet }: CheckedCharge,
  next: Partial<NextOutcome> = {},
) {
  if (!instrument.card) return { wallet_type: null, currency_converter: null }
  const conversion =
    next.currency_converter ?? (test ? readConversionInstruction(metadata) : undefined)
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
  { test, metadata }: NewTransactionRow,
  { card }: Instrument,
  {
    isPresent: payerPresent,
    screened,
  }: { readonly isPresent: boolean; readonly screened: Screening },
): Promise<AuthenticationPlan | undefined> {
  const { three_d_secure: usual, three_d_secure_question } = merchant.settings
  const question = screened.question ?? three_d_secure_question
  const setting = screened.authenticates && usual === 'card' ? 'always' : usual
  // A result that a test has set is only used up by a payment that can use it.
  if (card?.kind !== 'card' || !canAuthenticate(setting, payerPresent)) return undefined
  const next = test && payerPresent ? await takeNextAuthentication(queries, merchant.id) : undefined
  const cardCase = 'threeDSecure' in card ? card.threeDSecure : undefined
  return planAuthentication({ setting, payerPresent, test, metadata, cardCase, next, question })
}
