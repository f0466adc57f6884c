import { formatAmount } from '../domain/money/money.ts'
import { numberedRef } from '../domain/order/payment-link.ts'
import { numberPayment } from '../storage/payment-links.ts'
import type { PaymentLinkRow } from '../storage/tables/payment-links.ts'
import type { ClientFacts, TransactionRow } from '../storage/tables/transactions.ts'
import { findTransactionByAttempt } from '../storage/transactions.ts'
import type { OpenWork } from '../work/work.ts'
import { type CreateTransaction, NOTHING_SENT } from './commands.ts'
import { createTransaction } from './create.ts'

/** Press of the button of a payment link. */
export interface PaymentLinkClick {
  /** Identifies a press of the button; a repeated one leads to the same payment. */
  readonly attempt: string | undefined
  readonly client: ClientFacts
}

/**
 * Returns the pending payment that the payer continues with: a new one, or the one that the same
 * press created before.
 * @throws the errors of `createTransaction`
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
  return (await createTransaction(work, createCommand(link, number, press))).row
}

/**
 * Creates the transaction of a payment link. The link's description becomes its only item, which
 * page, receipt and webhooks show.
 */
function createCommand(
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
