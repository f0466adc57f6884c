import { GatewayError } from '../domain/errors/errors.ts'
import { linkToken } from '../domain/identifiers.ts'
import { formatAmount } from '../domain/money/money.ts'
import {
  endOfLink,
  type LinkEnd,
  numberedRef,
  type PaymentLinkTerms,
} from '../domain/order/payment-link.ts'
import { beginSubscription } from '../domain/subscription/subscription.ts'
import {
  closePaymentLink,
  countTaken,
  findPaymentLink,
  holdPaymentLink,
  insertPaymentLink,
  numberPayment,
} from '../storage/payment-links.ts'
import { findRow } from '../storage/rows.ts'
import type { PaymentLinkRow } from '../storage/tables/payment-links.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { ClientFacts, TransactionRow } from '../storage/tables/transactions.ts'
import { findTransactionByAttempt } from '../storage/transactions.ts'
import type { OpenWork, Work } from '../work/work.ts'
import { type CreateTransaction, NOTHING_SENT } from './commands.ts'
import { createTransaction } from './create.ts'

/** Payment link, with the number of its finished and running payments. */
export interface CountedLink {
  readonly row: PaymentLinkRow
  readonly taken: number
}

/** Terms of a new link; without a payment_ref it gets one. */
export type NewPaymentLink = Omit<PaymentLinkTerms, 'payment_ref'> & {
  readonly payment_ref: string | undefined
}

/**
 * Creates a payment link (decision 99). Transactions are created only when a payer presses its
 * button.
 * @throws the errors of `beginSubscription` for the plan
 */
export const createPaymentLink = (
  { write }: OpenWork,
  terms: NewPaymentLink,
): Promise<CountedLink> =>
  write(async ({ queries, merchant, now, randomBytes }) => {
    const { plan_id, currency, amount } = terms
    const plan = await findRow(queries, 'plans', merchant.id, plan_id ?? undefined)
    const order = { startDate: undefined, quantity: 1, items: [] }
    if (plan_id !== null) beginSubscription(plan, order, { currency, paid: amount !== 0, now })
    const token = linkToken(randomBytes)
    const row = await insertPaymentLink(queries, {
      ...terms,
      payment_ref: terms.payment_ref ?? `${token}-{n}`,
      merchant_id: merchant.id,
      token,
      begun: 0,
      closed_at: null,
      created_at: now,
      updated_at: now,
    })
    return { row, taken: 0 }
  })

/** Payment links, each with the number of its finished and running payments. */
export async function countedLinks(
  queries: Queries,
  rows: readonly PaymentLinkRow[],
): Promise<CountedLink[]> {
  const taken = await countTaken(
    queries,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ row, taken: taken.get(row.id) ?? 0 }))
}

/** @throws errors.not_found (196), for other merchants' too */
export async function needPaymentLink(
  { queries, merchant }: Work,
  id: number | undefined,
): Promise<CountedLink> {
  const row = await findPaymentLink(queries, merchant.id, id)
  const [link] = row ? await countedLinks(queries, [row]) : []
  if (link) return link
  throw new GatewayError('errors.not_found', {
    explain: `There is no payment link ${id ?? 'with this id'}.`,
  })
}

/** Ends a link by hand; payments that are made stay. @throws errors.not_found (196) */
export const endPaymentLink = ({ write }: OpenWork, id: number | undefined): Promise<CountedLink> =>
  write(async (work) => {
    const { row } = await needPaymentLink(work, id)
    await closePaymentLink(work.queries, row.id, work.now)
    return needPaymentLink(work, id)
  })

/** Returns how the payment link of a payment has ended; undefined if the payment can be made. */
export async function endForPayment(
  { queries, now }: Pick<Work, 'queries' | 'now'>,
  { id, merchant_id, payment_link_id }: TransactionRow,
  hold = false,
): Promise<LinkEnd | undefined> {
  if (payment_link_id === null) return undefined
  const link = hold
    ? await holdPaymentLink(queries, payment_link_id)
    : await findPaymentLink(queries, merchant_id, payment_link_id)
  if (!link) return undefined
  return endOfLink(link, (await countTaken(queries, [link.id], id)).get(link.id) ?? 0, now)
}

/**
 * Limits the payments of a link: of two simultaneous payers, the second waits here for the first.
 * @throws errors.payment_ref.processed (146) if it is used up, errors.transaction.timeout (1280) if
 * it has expired or was closed
 */
export async function takeLinkUse(work: Work, row: TransactionRow): Promise<void> {
  const end = await endForPayment(work, row, true)
  if (end) throw linkEnded(end)
}

/** Creates the error of an ended link. */
export const linkEnded = (end: LinkEnd): GatewayError =>
  new GatewayError(
    end === 'used_up' ? 'errors.payment_ref.processed' : 'errors.transaction.timeout',
    {
      explain: `The payment link ${SAID[end]}`,
    },
  )

const SAID: Readonly<Record<LinkEnd, string>> = {
  closed: 'was closed by the merchant.',
  expired: 'has expired. See its expires_at.',
  used_up: 'has no uses left.',
}

/** Press of the button of a payment link. */
export interface PaymentLinkClick {
  /** Identifies a press of the button; a repeated one leads to the same payment. */
  readonly attempt: string | undefined
  readonly client: ClientFacts
}

/**
 * Returns the pending payment that the payer continues with: a new one, or the one that the same
 * press created before.
 * @throws the errors of `takeLinkUse` and `createTransaction`
 */
export async function beginLinkPayment(
  work: OpenWork,
  link: PaymentLinkRow,
  pressed: PaymentLinkClick,
): Promise<TransactionRow> {
  const { attempt } = pressed
  const known = attempt && (await findTransactionByAttempt(work.queries, work.merchant.id, attempt))
  if (known && known.payment_link_id === link.id) return known
  const number = await work.write(({ queries }) => numberPayment(queries, link.id))
  // An attempt of another link's payment would lead to that payment.
  const press = known ? { ...pressed, attempt: undefined } : pressed
  return (await createTransaction(work, commandOf(link, number, press))).row
}

/**
 * Creates the transaction of a payment link. The link's description becomes its only item, which
 * page, receipt and webhooks show.
 */
function commandOf(
  link: PaymentLinkRow,
  number: number,
  { attempt, client }: PaymentLinkClick,
): CreateTransaction {
  const { id, description, plan_id, token } = link
  const amount = formatAmount(link.amount)
  return {
    ...NOTHING_SENT,
    amount,
    currency: link.currency,
    paymentRef: numberedRef(link.payment_ref, number),
    successUrl: link.success_url ?? undefined,
    errorUrl: link.error_url ?? undefined,
    test: link.test,
    storeCard: plan_id !== null,
    order:
      plan_id === null
        ? undefined
        : { planId: plan_id, startDate: undefined, quantity: 1, items: [] },
    process: false,
    paymentMethod: 'credit_card',
    items:
      description === '' ? undefined : [{ artno: token, description, amount, qty: '1', vat: '0' }],
    attempt,
    client,
    paymentLinkId: id,
  }
}
