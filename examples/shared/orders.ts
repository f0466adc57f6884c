/** Orders that are paid on the payment page, and how a shop learns that they are paid. */
import { createPayment } from './cart.ts'
import {
  isReturnForOrder,
  type Merchant,
  type Payment,
  pays,
  type Returned,
  type Transaction,
} from './payment.ts'
import { type Call, findPayment } from './service.ts'
import type { Language } from './texts.ts'

export interface Order {
  readonly payment: Payment
  /** The language of the payer's pages. */
  readonly language: Language
  state: 'open' | 'paid'
  /** How often the goods were sent. */
  fulfilled: number
  /** Two decimals, e.g. "0.00". */
  refunded: string
}

interface RefundableTransaction extends Transaction {
  readonly refunds: readonly { readonly amount: string }[]
}

export type Orders = ReturnType<typeof createOrders>

export function createOrders(call: Call, merchant: Merchant) {
  const orders = new Map<string, Order>() // a real shop keeps them in its database
  return {
    begin(language: Language): Order {
      const payment = createPayment()
      const order: Order = { payment, language, state: 'open', fulfilled: 0, refunded: '0.00' }
      orders.set(payment.payment_ref, order)
      return order
    },
    find: (paymentRef: string): Order | undefined => orders.get(paymentRef),
    /**
     * Marks the order as paid after the payer's return. The hash must be valid for this order, and
     * the service's transaction must have the same reference, amount, currency and test flag.
     */
    async settleReturned(order: Order, returned: Returned): Promise<void> {
      if (order.state === 'paid' || !isReturnForOrder(returned, order.payment, merchant)) return
      const id = encodeURIComponent(String(returned.transaction_id))
      const transaction = await call<Transaction>('GET', `/v1/transactions/${id}`)
      if (pays(transaction, order.payment, merchant)) fulfil(order)
    },
    /**
     * Reads the payment from the service, for a payer who did not return or who opens the order
     * again.
     */
    async settle(order: Order): Promise<void> {
      if (order.state === 'open' && (await findPayment(call, order.payment, merchant)))
        fulfil(order)
    },
    /** Reads the payment from the service after a webhook reported a payment or a refund. */
    async settleWebhook(order: Order): Promise<void> {
      const paid = await findPayment<RefundableTransaction>(call, order.payment, merchant)
      if (!paid) return
      fulfil(order)
      order.refunded = paid.refunds.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2)
    },
  }
}

/**
 * Sends the goods, once: webhook and payer often arrive at the same time. Nothing is awaited
 * between the question and the change; in a database that is `UPDATE orders SET state = 'paid'
 * WHERE ref = ? AND state = 'open'`.
 */
function fulfil(order: Order): void {
  if (order.state === 'paid') return
  order.state = 'paid'
  order.fulfilled += 1
}
