import { NO_CARD } from '../cards/payment-card.ts'
import { formatAmount } from '../domain/money/money.ts'
import { createNumberedRef } from '../domain/order/payment-link.ts'
import { numberPayment } from '../storage/payment-links.ts'
import { findOne } from '../storage/rows.ts'
import type { PaymentLinkRow } from '../storage/tables/payment-links.ts'
import type { ClientFacts, TransactionRow } from '../storage/tables/transactions.ts'
import type { OpenWork } from '../work/work.ts'
import type { CreateTransaction } from './commands.ts'
import { createTransaction } from './create.ts'
import { createPlanOrder } from './subscribe.ts'

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
  const known =
    attempt &&
    (await findOne(work.queries, 'transactions', { merchant_id: work.merchant.id, attempt }))
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
  const { description, plan_id } = link
  const amount = formatAmount(link.amount)
  const item = { artno: link.token, description, amount, qty: '1', vat: '0' }
  return {
    columns: {
      amount_text: amount,
      currency: link.currency,
      payment_ref: createNumberedRef(link.payment_ref, number),
      success_url: link.success_url,
      error_url: link.error_url,
      test: link.test,
      authorize: false,
      store_card: false,
      payment_method: 'credit_card',
      payment_request: {},
      items: description === '' ? null : [item],
      ...(plan_id !== null && createPlanOrder(plan_id)),
      attempt: attempt ?? null,
      client,
      payment_link_id: link.id,
    },
    process: false,
    webhooks: [],
    card: NO_CARD,
    notices: [],
    uncovered: [],
  }
}
