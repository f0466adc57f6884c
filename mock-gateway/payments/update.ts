import { hasCardData, type SentCard } from '../cards/payment-card.ts'
import { STATES } from '../domain/order/states.ts'
import { unwrap } from '../domain/parsed.ts'
import type { PaymentEvent } from '../outbox/payment-events.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { loadRecord } from '../storage/transaction-parts.ts'
import { findClaim } from '../storage/transactions.ts'
import type { OpenWork, Work } from '../work/work.ts'
import { replaceOpenAuthentication } from './authentication/end.ts'
import { askingFirst, stopToAsk } from './before-payment.ts'
import { charge } from './charge.ts'
import type { Charge } from './charge-by-answer.ts'
import type { UpdateTransaction } from './commands.ts'
import { changeAndFinish } from './finish.ts'
import { afterTry, checkOnPage } from './on-page.ts'
import { orderOf } from './order.ts'
import { takeLinkUse } from './payment-links.ts'
import { takePaymentRef } from './payment-ref.ts'
import { paymentRefTaken, transactionNotFound } from './refusals.ts'
import type { PaymentResult } from './result.ts'
import { isOfOrder, orderedSubscription } from './subscribe.ts'
import { notPayable, updatedColumns } from './updated-columns.ts'

/** Parameters on which depends whether the ordered plan can be had. */
const OF_THE_PLAN = [
  'plan_id',
  'currency',
  'start_date',
  'subscription_quantity',
  'subscription_items',
]

/**
 * Changes a transaction and, unless process is false, pays it (specification: Update transaction).
 * A processed transaction is not paid again; with process=false it accepts the changes that
 * `updatedColumns` allows.
 * @throws errors.transaction.not_found (128), errors.transaction.processed (153),
 * errors.transaction.locked (1531), errors.payment_ref.processed (146), the errors of
 * `takeLinkUse`, at the payment page of `checkOnPage`, and of `updatedColumns`,
 * `orderedSubscription` and `charge`
 */
export async function updateTransactionOf(
  work: OpenWork,
  command: UpdateTransaction,
): Promise<PaymentResult> {
  try {
    return await askingFirst(work, (steps, asked) => write(steps, command, asked))
  } catch (error) {
    throw isUniqueViolation(error) ? paymentRefTaken(error) : error
  }
}

async function write(
  work: Work,
  command: UpdateTransaction,
  asked: boolean,
): Promise<PaymentResult> {
  const { queries, merchant } = work
  const read = await toBeUpdated(work, command)
  if (!read) throw transactionNotFound()
  const { process, card } = unwrap(command.intent)
  const { payable } = STATES[read.status]
  if (!payable && (process || hasCardData(card))) throw notPayable(read)
  if (command.onPage) checkOnPage(read, merchant, work.now, command.onPage)
  const columns = await updatedColumns(work, read, command)
  const changed = { ...read, ...columns } as TransactionRow
  const takesRef = process || changed.payment_ref !== read.payment_ref
  const claim = takesRef
    ? await findClaim(queries, merchant.id, changed.payment_ref, read.id)
    : undefined
  await takePaymentRef(work, claim, { process, form: command.form })
  if (process) await takeLinkUse(work, read)
  const checksPlan =
    process || (payable && OF_THE_PLAN.some((name) => command.brings.includes(name)))
  const ordered = checksPlan ? await orderedSubscription(work, changed) : undefined
  const { parts } = await loadRecord(queries, read)
  if (process && !asked) stopToAsk(work, changed, parts, parts.webhooks)
  const charged = process ? await chargeKnown(work, changed, card, command) : undefined
  const before: readonly PaymentEvent[] = [
    { event: 'updated', parameters: broughtTo(changed, command) },
  ]
  return changeAndFinish(work, read, {
    columns,
    charged,
    ordered,
    parts,
    before,
    form: command.form,
  })
}

/**
 * Ends the attempt that waits for the bank if the payer starts again on the page. That attempt has
 * failed.
 */
async function toBeUpdated(
  work: Work,
  { id, onPage }: UpdateTransaction,
): Promise<TransactionRow | undefined> {
  const find = () => findRow(work.queries, 'transactions', work.merchant.id, id)
  const read = await find()
  const isLeft = read?.status === '3ds pending' && read.version === onPage?.replaces
  return isLeft && (await replaceOpenAuthentication(work, read.id)) ? find() : read
}

/**
 * Lists the parameters of the update, for the log. Parameters of an order are omitted without a
 * plan.
 */
const broughtTo = ({ plan_id }: TransactionRow, { brings }: UpdateTransaction): readonly string[] =>
  brings.filter((name) => plan_id !== null || !isOfOrder(name))

async function chargeKnown(
  work: Work,
  row: TransactionRow,
  card: SentCard,
  command: UpdateTransaction,
): Promise<Charge> {
  const charged = await charge(work, orderOf(row), card, { isPresent: command.form === true })
  const payment_request = { ...row.payment_request, ...unwrap(command.paymentRequest) }
  const columns = { ...charged.columns, payment_request }
  if (!command.onPage) return { ...charged, columns }
  const tries = row.tries + 1
  return { ...charged, columns: { ...afterTry(columns, tries, work.merchant.settings), tries } }
}
