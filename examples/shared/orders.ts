/** Orders that are paid on the payment page, and how a shop learns that they are paid. */
import { CURRENCY, total } from './cart.ts'
import {
  isReturnOf,
  type Merchant,
  newReference,
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

export interface Orders {
  begin(language: Language): Order
  find(paymentRef: string): Order | undefined
  /**
   * The payer is back from the payment page: the order is paid when the hash is the service's, for
   * this number and amount, and the transaction, read from the service itself, says the same, test
   * flag included.
   */
  settleReturned(order: Order, returned: Returned): Promise<void>
  /** The payer closed the window on the way back, or looks again: asks the service. */
  settle(order: Order): Promise<void>
  /** A webhook arrived about the order: the payment was paid or refunded. Asks the service. */
  settleWebhook(order: Order): Promise<void>
}

export function createOrders(call: Call, merchant: Merchant): Orders {
  const orders = new Map<string, Order>() // a real shop keeps them in its database
  return {
    begin(language) {
      const amount = (total() / 100).toFixed(2)
      const payment: Payment = {
        payment_ref: newReference(),
        amount,
        currency: CURRENCY,
        test: true,
      }
      const order: Order = { payment, language, state: 'open', fulfilled: 0, refunded: '0.00' }
      orders.set(payment.payment_ref, order)
      return order
    },
    find: (paymentRef) => orders.get(paymentRef),
    async settleReturned(order, returned) {
      if (order.state === 'paid' || !isReturnOf(returned, order.payment, merchant)) return
      const id = encodeURIComponent(String(returned.transaction_id))
      const transaction = await call<Transaction>('GET', `/v1/transactions/${id}`)
      if (pays(transaction, order.payment, merchant)) fulfil(order)
    },
    async settle(order) {
      if (order.state === 'open' && (await findPayment(call, order.payment, merchant)))
        fulfil(order)
    },
    async settleWebhook(order) {
      const paid = await findPayment(call, order.payment, merchant)
      if (!paid) return
      fulfil(order)
      const { refunds } = await call<{ refunds: readonly { amount: string }[] }>(
        'GET',
        `/v1/transactions/${paid.id}`,
      )
      order.refunded = refunds.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2)
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
