import { hasCardData } from '../cards/payment-card.ts'
import { STATES } from '../domain/order/states.ts'
import type { PaymentEvent } from '../outbox/payment-events.ts'
import { findOrCreateCustomer } from '../storage/customers.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionChanges, TransactionRow } from '../storage/tables/transactions.ts'
import type { OpenWork, Work } from '../work/work.ts'
import { canReplaceAuthentication } from './authentication/end.ts'
import { charge } from './charge.ts'
import type { Charge } from './charge-by-answer.ts'
import { type CheckedCharge, type CheckedPayment, checkPayment } from './check-payment.ts'
import type { UpdateTransaction } from './commands.ts'
import { changeAndFinish } from './finish.ts'
import { checkOnPage, countTry } from './on-page.ts'
import { checkPaymentLink } from './payment-links.ts'
import { endReplaced, runPaymentSteps } from './payment-steps.ts'
import { createNotFoundError, createRefTakenError } from './refusals.ts'
import type { PaymentResult } from './result.ts'
import { needsPlan } from './subscribe.ts'
import { createNotPayableError, readUpdatedColumns } from './updated-columns.ts'

/** Parameters on which depends whether the ordered plan can be had. */
const PLAN_FIELDS = [
  'plan_id',
  'currency',
  'start_date',
  'subscription_quantity',
  'subscription_items',
]

/**
 * Changes a transaction and, unless process is false, pays it (specification: Update transaction).
 * A processed transaction is not paid again; with process=false it accepts the changes that
 * `readUpdatedColumns` allows.
 * @throws errors.transaction.not_found (128), errors.transaction.processed (153),
 * errors.transaction.locked (1531), at the payment page the errors of `checkOnPage`, and the errors
 * of `readUpdatedColumns`, `checkPayment` and `runPaymentSteps`
 */
export async function changeTransaction(
  work: OpenWork,
  command: UpdateTransaction,
): Promise<PaymentResult> {
  try {
    return await runPaymentSteps(work, {
      check: (reading) => checkUpdate(reading, command),
      commit: (writing, checked) => storeUpdate(writing, command, checked),
    })
  } catch (error) {
    throw isUniqueViolation(error) ? createRefTakenError(error) : error
  }
}

/** A checked change of a stored transaction. */
interface CheckedUpdate extends CheckedPayment {
  readonly stored: TransactionRow
  /** The transaction with its changes. */
  readonly row: TransactionRow
  readonly columns: TransactionChanges
}

async function checkUpdate(work: Work, command: UpdateTransaction): Promise<CheckedUpdate> {
  const stored = await findRow(work.queries, 'transactions', work.merchant.id, command.id)
  if (!stored) throw createNotFoundError()
  const isRestarted = await isRestartedOnPage(work, stored, command)
  // The attempt that the payer leaves fails when this payment is stored.
  const transaction: TransactionRow = isRestarted ? { ...stored, status: 'failed' } : stored
  const { process, card } = command.readIntent()
  const { payable } = STATES[transaction.status]
  if (!payable && (process || hasCardData(card))) throw createNotPayableError(transaction)
  if (command.onPage) checkOnPage(transaction, work.merchant, work.now, command.onPage)
  const columns = readUpdatedColumns(work, transaction, command, { process, card })
  const row = { ...transaction, ...columns } as TransactionRow
  const checked = await checkPayment(work, row, {
    process,
    card,
    form: command.form,
    takesRef: process || row.payment_ref !== transaction.payment_ref,
    checksPlan:
      process || (payable && PLAN_FIELDS.some((name) => command.sentParameters.includes(name))),
  })
  return {
    ...checked,
    stored: transaction,
    row,
    columns,
    ...(isRestarted && { replacedId: stored.id }),
  }
}

/** Returns true if the payer starts again on the page, while the payment waits at the bank. */
const isRestartedOnPage = async (
  work: Work,
  { id, status, version }: TransactionRow,
  { onPage }: UpdateTransaction,
): Promise<boolean> =>
  status === '3ds pending' &&
  version === onPage?.replacedVersion &&
  (await canReplaceAuthentication(work, id))

/** Reads the transaction after its attempt at the bank has ended. */
async function readAgain({ queries, merchant }: Work, { stored: transaction }: CheckedUpdate) {
  return (await findRow(queries, 'transactions', merchant.id, transaction.id)) ?? transaction
}

/** Charges the transaction, and stores its changes. */
async function storeUpdate(
  work: Work,
  command: UpdateTransaction,
  checked: CheckedUpdate,
): Promise<PaymentResult> {
  await endReplaced(work, checked)
  const transaction =
    checked.replacedId === checked.stored.id ? await readAgain(work, checked) : checked.stored
  if (checked.charge) await checkPaymentLink(work, transaction, true)
  const charged = checked.charge && (await chargeStored(work, checked.row, checked.charge, command))
  const columns = { ...checked.columns, ...(await createCustomerColumns(work, checked.columns)) }
  const before: readonly PaymentEvent[] = [
    { event: 'updated', parameters: listLoggedParameters(checked.row, command) },
  ]
  const { ordered } = checked
  return changeAndFinish(work, transaction, {
    columns,
    charged,
    ordered,
    before,
    form: command.form,
  })
}

/** Creates the customer if the update names a new one. */
async function createCustomerColumns(
  { queries, merchant, now }: Work,
  { customer_ref }: TransactionChanges,
): Promise<TransactionChanges> {
  if (!customer_ref) return {}
  return { customer_id: (await findOrCreateCustomer(queries, merchant.id, customer_ref, now)).id }
}

/**
 * Lists the parameters of the update, for the log. Parameters of an order are omitted without a
 * plan.
 */
const listLoggedParameters = (
  { plan_id }: TransactionRow,
  { sentParameters }: UpdateTransaction,
): readonly string[] => sentParameters.filter((name) => plan_id !== null || !needsPlan(name))

async function chargeStored(
  work: Work,
  row: TransactionRow,
  checked: CheckedCharge,
  command: UpdateTransaction,
): Promise<Charge> {
  const charged = await charge(work, checked)
  if (!command.onPage) return charged
  const tries = row.tries + 1
  const columns = countTry(charged.columns, tries, work.merchant.settings)
  return { ...charged, columns: { ...columns, tries } }
}
