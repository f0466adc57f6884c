import { GatewayError } from '../domain/errors/errors.ts'
import { createLinkToken } from '../domain/identifiers.ts'
import { endOfLink, type LinkEnd, type PaymentLinkTerms } from '../domain/order/payment-link.ts'
import { beginSubscription } from '../domain/subscription/subscription.ts'
import { countTaken, holdPaymentLink } from '../storage/payment-links.ts'
import { findRow, insertRow, updateRows } from '../storage/rows.ts'
import type { PaymentLinkRow } from '../storage/tables/payment-links.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { NewTransactionRow } from '../storage/tables/transactions.ts'
import type { OpenWork, Work } from '../work/work.ts'

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
    const token = createLinkToken(randomBytes)
    const row = await insertRow(queries, 'payment_links', {
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
export async function findCountedLinks(
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
export async function requirePaymentLink(
  { queries, merchant }: Work,
  id: number | undefined,
): Promise<CountedLink> {
  const row = await findRow(queries, 'payment_links', merchant.id, id)
  const [link] = row ? await findCountedLinks(queries, [row]) : []
  if (link) return link
  throw new GatewayError('errors.not_found', {
    explain: `There is no payment link ${id ?? 'with this id'}.`,
  })
}

/** Ends a link by hand; payments that are made stay. @throws errors.not_found (196) */
export const endPaymentLink = ({ write }: OpenWork, id: number | undefined): Promise<CountedLink> =>
  write(async (work) => {
    const { row } = await requirePaymentLink(work, id)
    await updateRows(
      work.queries,
      'payment_links',
      { id: row.id, closed_at: null },
      { closed_at: work.now, updated_at: work.now },
    )
    return requirePaymentLink(work, id)
  })

/** A payment that may have been started through a link; it has no id before it is stored. */
type LinkPayment = Pick<NewTransactionRow, 'merchant_id' | 'payment_link_id'> & {
  readonly id?: number
}

/** Returns how the payment link of a payment has ended; undefined if the payment can be made. */
export async function endForPayment(
  { queries, now }: Pick<Work, 'queries' | 'now'>,
  { id, merchant_id, payment_link_id }: LinkPayment,
  hold = false,
): Promise<LinkEnd | undefined> {
  if (payment_link_id == null) return undefined
  const link = hold
    ? await holdPaymentLink(queries, payment_link_id)
    : await findRow(queries, 'payment_links', merchant_id, payment_link_id)
  if (!link) return undefined
  return endOfLink(link, (await countTaken(queries, [link.id], id)).get(link.id) ?? 0, now)
}

/**
 * Checks that the link of a payment has uses left.
 * @param hold limits the payments of a link: of two simultaneous payers, the second waits here for
 *   the first
 * @throws errors.payment_ref.processed (146) if it is used up, errors.transaction.timeout (1280) if
 *   it has expired or was closed
 */
export async function checkPaymentLink(
  work: Work,
  payment: LinkPayment,
  hold = false,
): Promise<void> {
  const end = await endForPayment(work, payment, hold)
  if (end) throw createLinkEndedError(end)
}

/** Creates the error of an ended link. */
export const createLinkEndedError = (end: LinkEnd): GatewayError =>
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
