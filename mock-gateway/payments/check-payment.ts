import { findRefusal } from '../acquirer/three-d-secure/verdict.ts'
import type { SentCard } from '../cards/payment-card.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { type Hundredths, NOTHING, requirePayableAmount } from '../domain/money/money.ts'
import { PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import type { NewSubscription } from '../domain/subscription/subscription.ts'
import type { WebhookTarget } from '../domain/webhook/request.ts'
import { findOne } from '../storage/rows.ts'
import type { AuthenticationRow } from '../storage/tables/authentications.ts'
import type { NewTransactionRow, TransactionRow } from '../storage/tables/transactions.ts'
import { findTemplate } from '../storage/templates.ts'
import { findClaim } from '../storage/transactions.ts'
import { templateNotFound } from '../templates/administer.ts'
import type { Work } from '../work/work.ts'
import {
  type Authentication,
  readEarlierAuthentication,
  readFacts,
} from './authentication/begin.ts'
import { canReplaceAuthentication } from './authentication/end.ts'
import type { SentAuthentication } from './commands.ts'
import { type Instrument, readInstrument } from './instrument.ts'
import { checkPaymentLink } from './payment-links.ts'
import { createRefTakenError } from './refusals.ts'
import { planSubscription } from './subscribe.ts'

/** A payment that may be stored. Nothing of it has been written. */
export interface CheckedPayment {
  /** The transaction before the payment: a new one, or a stored one with its changes. */
  readonly row: NewTransactionRow | TransactionRow
  /** Webhooks of a new transaction; those of a stored transaction are stored. */
  readonly webhooks: readonly WebhookTarget[]
  /** Id of a transaction that waits at the bank. Its payer starts again, so it ends. */
  readonly replacedId: number | undefined
  /** The subscription that the payment starts. */
  readonly ordered: NewSubscription | undefined
  /** Undefined if the transaction is stored without paying it. */
  readonly charge: CheckedCharge | undefined
}

/** A charge that the bank can be asked for. */
export interface CheckedCharge {
  readonly order: NewTransactionRow
  readonly instrument: Instrument
  readonly amount: Hundredths
  readonly wallet: SentCard['wallet']
  /** True if the payer sent it from the payment page or a form, and can be authenticated there. */
  readonly isPresent: boolean
  /** The payer's authentication by the browser library. */
  readonly authenticated: Authentication | undefined
}

/** Request to pay or to prepare a transaction. */
interface RequestedPayment {
  /** False: the transaction is only prepared. */
  readonly process: boolean
  readonly card: SentCard
  /** The payer sent it from the payment page or a form. */
  readonly form?: true | undefined
  readonly authentication?: SentAuthentication | undefined
  readonly webhooks?: readonly WebhookTarget[]
  /** False if the stored payment_ref does not change and is not paid. */
  readonly takesRef?: boolean
  /** False if nothing changes that the plan depends on. */
  readonly checksPlan?: boolean
}

export const isStored = (row: CheckedPayment['row']): row is TransactionRow => 'id' in row

/**
 * Checks what a payment needs, in the order of its errors: payment_ref, page template, payment link,
 * plan, authentication, card, amount. Reads only.
 * @throws errors.payment_ref.processed (146), errors.template.not_found (103), the errors of
 *   `checkPaymentLink`, `planSubscription` and `checkCharge`
 */
export async function checkPayment(
  work: Work,
  row: NewTransactionRow | TransactionRow,
  requested: RequestedPayment,
): Promise<CheckedPayment> {
  const { process, takesRef = true, checksPlan = true, webhooks = [] } = requested
  const replacedId = takesRef ? await checkPaymentRef(work, row, requested) : undefined
  if (!isStored(row)) await checkTemplate(work, row)
  if (process) await checkPaymentLink(work, row)
  const ordered = checksPlan ? await planSubscription(work, row) : undefined
  const charge = process ? await checkCharge(work, row, requested) : undefined
  return { row, webhooks, replacedId, ordered, charge }
}

/**
 * Checks that a transaction may use its payment_ref. A prepared one can be paid later, after another
 * attempt has ended at the bank. If a payer comes back from the bank and starts again, the earlier
 * attempt ends, unless the bank has answered (decision 13).
 * @returns the id of the earlier attempt
 */
async function checkPaymentRef(
  work: Work,
  row: NewTransactionRow | TransactionRow,
  { process, form }: RequestedPayment,
): Promise<number | undefined> {
  const { queries, merchant } = work
  const claim = await findClaim(
    queries,
    merchant.id,
    row.payment_ref,
    isStored(row) ? row.id : undefined,
  )
  if (!claim || (claim.status === '3ds pending' && !process)) return undefined
  const isReplaced =
    claim.status === '3ds pending' && form && (await canReplaceAuthentication(work, claim.id))
  if (!isReplaced) throw createRefTakenError()
  return claim.id
}

async function checkTemplate(
  { queries, merchant }: Work,
  { template_id }: NewTransactionRow,
): Promise<void> {
  if (template_id == null) return
  if ((await findTemplate(queries, merchant.id, template_id))?.kind !== 'page')
    throw templateNotFound()
}

/**
 * Checks authentication, card and amount.
 * @throws errors.amount.* (specification: amount rules), errors.mpi.invalid (1690) for another card
 *   than the authenticated one, and the errors of `findProvenAuthentication` and `readInstrument`
 */
async function checkCharge(
  work: Work,
  order: NewTransactionRow,
  { card: sent, form, authentication }: RequestedPayment,
): Promise<CheckedCharge> {
  const proven = authentication && (await findProvenAuthentication(work, authentication, order))
  const instrument = await readInstrument(work, order, sent)
  return {
    order,
    instrument,
    amount: checkAmount(order),
    wallet: sent.wallet,
    isPresent: form === true,
    authenticated: proven && readEarlierAuthentication(proven, instrument.card),
  }
}

/**
 * Returns the amount to charge. If the payer completes the payment in an app or at a bank, a badly
 * formatted amount fails it there (specification: amount rules); an amount of zero is invalid. With
 * a card, zero stores the card for a plan, for example before a free trial (decision 48).
 * @throws errors.amount.*
 */
export function checkAmount({
  amount_text,
  currency,
  payment_method,
  plan_id,
}: NewTransactionRow): Hundredths {
  const { answeredBy } = PAYMENT_METHODS[payment_method]
  if (answeredBy === 'payer' && amount_text !== '0.00') return NOTHING
  return requirePayableAmount(
    amount_text,
    currency,
    plan_id !== null && answeredBy === 'bank' ? 0 : 1,
  )
}

/**
 * Milliseconds for which an authentication can pay its order, counted from the bank's approval
 * (decision 85).
 */
const GOOD_FOR = 90 * 60_000

/**
 * Compares the page's fields of an authentication with the stored record, because a client can send
 * anything (observed: 5).
 * @returns the authentication of this order, which allows its payment
 * @throws errors.mpi.disabled (1691), errors.mpi.invalid (1690), errors.provider_ref.processed (4),
 * errors.mpi.not_approved (169)
 */
async function findProvenAuthentication(
  { queries, merchant, now }: Work,
  sent: SentAuthentication,
  order: NewTransactionRow,
): Promise<AuthenticationRow> {
  const { three_d_secure: setting, three_d_secure_unavailable: unavailable } = merchant.settings
  if (setting === 'off')
    throw new GatewayError('errors.mpi.disabled', {
      explain: "The merchant's setting three_d_secure is off.",
    })
  const row =
    sent.ref === undefined
      ? undefined
      : await findOne(queries, 'authentications', { ref: sent.ref })
  if (!row || row.request_hash === null || !isAuthenticationForOrder(row, order))
    throw invalid(
      'ref does not belong to an authentication of this order. Send the mpi_ref from the answer of {pay_url}/v1/mpi_js.',
    )
  if (row.transaction_id !== null && sent.providerRef === row.provider_ref)
    throw new GatewayError('errors.provider_ref.processed', {
      explain: 'This provider_ref was used for another payment. Authenticate the payer again.',
    })
  if (row.transaction_id !== null)
    throw invalid('This ref was used for another payment. Authenticate the payer again.')
  const { result } = row
  if (result === null || findRefusal(result, unavailable))
    throw new GatewayError('errors.mpi.not_approved', {
      explain:
        result === null ? 'The payer has not answered yet.' : 'The payer was not authenticated.',
    })
  if (now - row.updated_at > GOOD_FOR)
    throw invalid(
      'The payer was authenticated more than 90 minutes ago. Authenticate the payer again.',
    )
  const { eci } = readFacts(row, result)
  if (isDifferent(sent.eci, eci) || isDifferent(sent.providerRef, row.provider_ref))
    throw invalid('eci and provider_ref must be the values that were returned with the ref.')
  return row
}

const invalid = (explain: string) => new GatewayError('errors.mpi.invalid', { explain })

const isDifferent = (sent: string | undefined, own: string) => sent !== undefined && sent !== own

const OF_AN_ORDER = ['merchant_id', 'payment_ref', 'amount_text', 'currency', 'test'] as const

const isAuthenticationForOrder = (row: AuthenticationRow, order: NewTransactionRow): boolean =>
  OF_AN_ORDER.every((name) => row[name] === order[name])
