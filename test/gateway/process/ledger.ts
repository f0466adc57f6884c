/** An order with the requests and answers of its client. */
export interface Order {
  readonly payment_ref: string
  readonly authorize: boolean
  /** True if the payment is refunded after its capture. */
  readonly refunds: boolean
  /** As the gateway answered. */
  created?: { readonly id: number; readonly status: string }
  capture?: 'sent' | 'answered'
  /** Id of the object after the answer; the reason is the payment_ref. */
  refund?: { readonly id: number | undefined }
}

/** Every order that was ever sent, or is about to be. */
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
