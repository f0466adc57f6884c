/** Order with the requests and answers of its client. */
export interface Order {
  readonly payment_ref: string
  readonly authorize: boolean
  /** True if the payment is refunded after its capture. */
  readonly refunds: boolean
  /** Transaction in the gateway's answer. */
  created?: { readonly id: number; readonly status: string }
  capture?: 'sent' | 'answered'
  /** Refund, with its id after the answer. Its reason is the payment_ref. */
  refund?: { readonly id: number | undefined }
}

/** Record of every order that was sent, or is about to be sent. */
export class Ledger {
  readonly orders = new Map<string, Order>()

  newOrder(): Order {
    const number = this.orders.size
    const order: Order = {
      payment_ref: `crash-${number}`,
      authorize: number % 2 === 1,
      refunds: number % 3 === 0,
    }
    this.orders.set(order.payment_ref, order)
    return order
  }

  /** Counts acknowledged writes, by kind. */
  acknowledged(): {
    readonly creates: number
    readonly captures: number
    readonly refunds: number
  } {
    const orders = [...this.orders.values()]
    return {
      creates: orders.filter(({ created }) => created).length,
      captures: orders.filter(({ capture }) => capture === 'answered').length,
      refunds: orders.filter(({ refund }) => refund?.id).length,
    }
  }
}
