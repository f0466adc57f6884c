import { GatewayError } from '../../domain/errors/errors.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { findOne, insertRow } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { findClaim } from '../../storage/transactions.ts'
import type { OpenWork, Work } from '../../work/work.ts'
import { planFor } from '../charge.ts'
import { checkAmount } from '../check-payment.ts'
import type { CreateTransaction } from '../commands.ts'
import { readInstrument } from '../instrument.ts'
import { createTransactionRow } from '../order.ts'
import { createRefTakenError } from '../refusals.ts'
import { screenPayment } from '../screen.ts'
import { createAuthentication } from './begin.ts'

/** Messages of the browser library that belong to the order. */
export interface OrderAuthentication {
  readonly order: CreateTransaction
  /** The library's id of it; undefined from old clients. */
  readonly nonce: string | undefined
  /** Origin of the page that asks; undefined if the browser does not send it. */
  readonly origin: string | undefined
  /** As sent. */
  readonly locale: string | undefined
}

/**
 * Authenticates the payer of an order that the page will pay afterwards (observed: 5). Charges
 * nothing. Rejects an order that the payment would reject, as far as that is known.
 * @throws errors.mpi.disabled (1691), errors.mpi.invalid (1690), errors.payment_ref.processed
 * (146), errors.amount.* and the errors of `readInstrument`
 */
export async function authenticateOrder(
  work: OpenWork,
  command: OrderAuthentication,
): Promise<AuthenticationRow> {
  if (work.merchant.settings.three_d_secure === 'off')
    throw new GatewayError('errors.mpi.disabled', {
      explain: "The merchant's setting three_d_secure is off.",
    })
  try {
    return await work.write((steps) => write(steps, command))
  } catch (error) {
    // A simultaneous request was first.
    const known = isUniqueViolation(error) ? await findNonce(work, command) : undefined
    if (known) return known
    throw error
  }
}

async function write(work: Work, command: OrderAuthentication): Promise<AuthenticationRow> {
  const { order, nonce, origin, locale } = command
  const known = await findNonce(work, command)
  if (known) return known
  if (await findClaim(work.queries, work.merchant.id, order.columns.payment_ref))
    throw createRefTakenError()
  const payable = createTransactionRow(work, order.columns)
  const instrument = await readInstrument(work, payable, order.card)
  if (!instrument.card)
    throw new GatewayError('errors.mpi.invalid', {
      explain: '3-D Secure works only with cards. Send payment_method=credit_card.',
    })
  checkAmount(payable)
  const plan = await planFor(work, payable, instrument, {
    isPresent: true,
    screened: await screenPayment(work, payable, instrument),
  })
  return insertRow(work.queries, 'authentications', {
    ...createAuthentication(work, plan ?? NEVER_CHALLENGED, instrument.card),
    transaction_id: null,
    nonce: nonce ?? null,
    origin: origin ?? null,
    request_hash: payable.request_hash,
    locale: locale ?? null,
    payment_ref: payable.payment_ref,
    amount_text: payable.amount_text,
    currency: payable.currency,
    test: payable.test,
    word: null,
    storing_fails: false,
    form: false,
  })
}

/** A card that is never challenged. */
const NEVER_CHALLENGED = {
  flow: 'frictionless',
  result: 'bypass',
  delaySeconds: 0,
  version: '2.2.0',
} as const

/**
 * Finds the authentication of a repeated request, for example of a reloaded window.
 * @throws errors.mpi.invalid (1690) for another order
 */
async function findNonce({ queries, merchant }: Work, { nonce, order }: OrderAuthentication) {
  if (nonce === undefined) return undefined
  const known = await findOne(queries, 'authentications', { merchant_id: merchant.id, nonce })
  if (known && known.request_hash !== order.columns.request_hash)
    throw new GatewayError('errors.mpi.invalid', {
      explain: 'This mpi_nonce was used for another order. Send a new one.',
    })
  return known
}
