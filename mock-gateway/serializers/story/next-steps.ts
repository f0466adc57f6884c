import { formatAmount } from '../../domain/money/money.ts'
import { calculateLeftToRefund, STATES } from '../../domain/order/states.ts'
import { isFailed, type WebhookDeliveryRow } from '../../storage/tables/webhook-deliveries.ts'
import type { TransactionRecord } from '../../storage/transaction-parts.ts'

/**
 * Lists the possible next steps of a payment, in sentences.
 * @param failedWebhooks ids of the webhooks that the gateway does not retry
 */
export function listNextSteps(
  { row, parts }: TransactionRecord,
  failedWebhooks: readonly number[],
): readonly string[] {
  const { payable, updatable, capturable, refundable } = STATES[row.status]
  const left = calculateLeftToRefund(
    row.amount,
    parts.refunds.map(({ amount }) => amount),
  )
  const isVoided = capturable && parts.refunds.length > 0
  const steps = [
    payable && `Pay it: on its payment page, or with PUT /v1/transactions/${row.id} and a card.`,
    capturable && !isVoided && `Capture it: PUT /v1/transactions/${row.id}/capture.`,
    refundable &&
      left > 0 &&
      !isVoided &&
      `${capturable ? 'Release' : 'Refund'} up to ${formatAmount(left)} ${row.currency.toUpperCase()}: POST /v1/refunds with transaction_id=${row.id}.`,
    !payable && updatable && `Change fields other than the amount: PUT /v1/transactions/${row.id}.`,
    row.status === '3ds pending' &&
      'Wait: the payer is at the bank, and the payment continues when the bank answers.',
    row.status === 'capture pending' && 'Wait: the bank has not confirmed the capture yet.',
    ...failedWebhooks.map(
      (id) => `Send webhook ${id} again: it failed permanently, and the gateway does not retry it.`,
    ),
  ].filter((step) => step !== false)
  const state = isVoided
    ? 'The reservation is released.'
    : parts.refunds.length > 0 && left === 0
      ? 'The payment is refunded in full.'
      : null
  const [first, ...others] = steps
  if (first === undefined)
    return [`${state ?? 'The payment is complete.'} No further action is needed.`]
  return state === null ? steps : [`${state} ${first}`, ...others]
}

/** Returns the ids of deliveries that the gateway does not retry, the oldest first. */
export const findFailed = (
  deliveries: readonly Pick<WebhookDeliveryRow, 'id' | 'status'>[],
): readonly number[] =>
  deliveries
    .filter(isFailed)
    .map(({ id }) => id)
    .sort((one, other) => one - other)
