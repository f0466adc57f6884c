import { formatAmount } from '../../domain/money/money.ts'
import { leftToRefund } from '../../domain/order/left-to-refund.ts'
import { STATES } from '../../domain/order/states.ts'
import type { TransactionRecord } from '../../storage/transaction-parts.ts'

/** What can be done with a payment as it stands, in sentences. */
export function nextSteps({ row, parts }: TransactionRecord): readonly string[] {
  const { payable, updatable, capturable, refundable } = STATES[row.status]
  const left = leftToRefund(
    row.amount,
    parts.refunds.map(({ amount }) => amount),
  )
  const isVoided = capturable && parts.refunds.length > 0
  const steps = [
    payable && `It can be paid: on its payment page, or by PUT /v1/transactions/${row.id} with a card.`,
    capturable && !isVoided && `It can be captured: PUT /v1/transactions/${row.id}/capture.`,
    refundable &&
      left > 0 &&
      !isVoided &&
      `${formatAmount(left)} ${row.currency.toUpperCase()} can ${capturable ? 'be released' : 'go back'}: POST /v1/refunds with transaction_id=${row.id}.`,
    !payable && updatable && `Fields beside the money can change: PUT /v1/transactions/${row.id}.`,
    row.status === '3ds pending' && 'The payer is at the bank; the payment goes on when the bank has answered.',
    row.status === 'capture pending' && 'The bank takes time for the capture.',
  ].filter((step) => step !== false)
  return steps.length > 0 ? steps : ['Nothing: all is done.']
}
