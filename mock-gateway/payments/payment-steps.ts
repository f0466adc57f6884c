import { BEFORE_PAYMENT } from '../domain/webhook/triggers.ts'
import { listSubscribers, writeTransactionBody } from '../outbox/outbox.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { loadRecord, NO_PARTS, type TransactionRecord } from '../storage/transaction-parts.ts'
import type { OpenWork, ShopAnswer, Work } from '../work/work.ts'
import { replaceOpenAuthentication } from './authentication/end.ts'
import { type CheckedPayment, isStored } from './check-payment.ts'
import { createRefTakenError } from './refusals.ts'

/** The steps of a payment that are its own: of a new transaction, or of a stored one. */
interface PaymentSteps<Checked extends CheckedPayment, Result> {
  /** Reads everything that can reject the payment, and writes nothing. */
  check(work: Work): Promise<Checked>
  /** Charges and stores the payment, in one database transaction. */
  commit(work: Work, checked: Checked): Promise<Result>
}

/**
 * Runs a payment in three steps: checks it, asks the shop if a webhook before the payment is set
 * (decision 118), and commits it. If something that the check has read may have changed, the check
 * runs again in the transaction of the commit. Stores the call to the shop and its answer, whatever
 * the result.
 * @throws errors.webhook.failed (193) and other errors with which a webhook rejects a payment;
 *   errors of the steps
 */
export async function runPaymentSteps<
  Checked extends CheckedPayment,
  Result extends TransactionRecord,
>(work: OpenWork, { check, commit }: PaymentSteps<Checked, Result>): Promise<Result> {
  const checked = await check(work)
  const shop = checked.charge && (await askShop(work, checked))
  if (!shop)
    return work.write(async (inside) =>
      commit(inside, (await isCurrent(inside, checked)) ? checked : await check(inside)),
    )
  try {
    if (shop.refusal) throw shop.refusal
    return await work.write(async (inside) => {
      const result = await commit(inside, await check(inside))
      await shop.keep(inside, result)
      // The webhooks now show the call.
      return { ...result, ...(await loadRecord(inside.queries, result.row)), sent: undefined }
    })
  } catch (refused) {
    await work.write((inside) => shop.keep(inside, shop.known))
    throw refused
  }
}

/**
 * Returns true if everything that the check has read is still the same: the version of a stored
 * transaction. Unique indexes and conditions guard the payment_ref and the payment link. Plans,
 * stored cards and attempts at the bank have no version.
 */
async function isCurrent(
  { queries, merchant }: Work,
  { row, ordered, charge, replacedId }: CheckedPayment,
): Promise<boolean> {
  if (ordered || replacedId !== undefined || charge?.instrument.card?.kind === 'stored_card')
    return false
  if (!isStored(row)) return true
  return (await findRow(queries, 'transactions', merchant.id, row.id))?.version === row.version
}

/**
 * Calls the webhooks before the payment, of the transaction and of the merchant.
 * @returns undefined if there are none
 */
async function askShop(
  work: OpenWork,
  { row, webhooks }: CheckedPayment,
): Promise<(ShopAnswer & { readonly known: TransactionRecord | undefined }) | undefined> {
  if (!work.askShop) return undefined
  const known = isStored(row) ? await loadRecord(work.queries, row) : undefined
  const called = listSubscribers(work, known?.parts.webhooks ?? webhooks).filter(
    ({ trigger }) => trigger === BEFORE_PAYMENT,
  )
  if (called.length === 0) return undefined
  return { ...(await work.askShop(work, called, writeBodyBeforePayment(work, row, known))), known }
}

/** Writes the transaction before its payment as JSON text. A new transaction has no id yet. */
function writeBodyBeforePayment(
  work: Work,
  row: CheckedPayment['row'],
  known: TransactionRecord | undefined,
): string {
  if (known) return writeTransactionBody(work, known)
  const unstored = { id: 0, version: 1, ...row } as TransactionRow
  const shown = JSON.parse(writeTransactionBody(work, { row: unstored, parts: NO_PARTS }))
  return JSON.stringify({ ...shown, id: null })
}

/**
 * Ends the attempt at the bank that a payment replaces.
 * @throws errors.payment_ref.processed (146) if the bank has answered meanwhile
 */
export async function endReplaced(work: Work, { replacedId }: CheckedPayment): Promise<void> {
  if (replacedId !== undefined && !(await replaceOpenAuthentication(work, replacedId)))
    throw createRefTakenError()
}
