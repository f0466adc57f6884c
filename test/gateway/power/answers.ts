import { Ledger, type Order } from '../process/ledger.ts'
import { placeOrder } from '../process/load.ts'
import type { Receiver } from '../process/receiver.ts'

/** What a client was answered: the order as it knew it from then on. */
interface Answer {
  readonly requestId: string
  readonly known: Order
}

/** What clients were answered, so that what they knew at any moment can be told. */
export class Answers {
  readonly ledger = new Ledger()
  readonly all: Answer[] = []

  /**
   * Places an order with a webhook for each of its events. @param told of each answer, by the id of
   * the request
   */
  async place(
    url: string,
    { url: hook }: Receiver,
    told: (requestId: string) => void = () => {},
  ): Promise<void> {
    const order = this.ledger.newOrder()
    await placeOrder(url, order, JSON.stringify({ trigger: 'payment', url: hook }), (requestId) => {
      this.all.push({ requestId, known: structuredClone(order) })
      told(requestId)
    })
  }

  /** What was known when these answers had gone out; whatever else was sent, may have been done. */
  knownWith(requestIds: ReadonlySet<string>): Ledger {
    const ledger = new Ledger()
    for (const { payment_ref, authorize, refunds } of this.ledger.orders.values())
      ledger.orders.set(payment_ref, {
        payment_ref,
        authorize,
        refunds,
        ...(authorize && { capture: 'sent' }),
      })
    for (const { requestId, known } of this.all)
      if (requestIds.has(requestId)) ledger.orders.set(known.payment_ref, asked(known))
    return ledger
  }
}

/** The next call may have been sent already. */
const asked = (order: Order): Order => ({
  ...order,
  ...(order.authorize && { capture: order.capture ?? 'sent' }),
  ...(order.refunds && { refund: order.refund ?? { id: undefined } }),
})
