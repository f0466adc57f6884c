import { Ledger, type Order } from '../process/ledger.ts'
import { placeOrder } from '../process/load.ts'
import type { Receiver } from '../process/receiver.ts'

/** Answer, with the state of the order that the client knows from then on. */
interface Answer {
  readonly requestId: string
  readonly known: Order
}

/** Record of answers, from which the known state at any time is calculated. */
export class Answers {
  readonly ledger = new Ledger()
  readonly all: Answer[] = []

  /**
   * Places an order with a webhook for each of its events.
   * @param told receives each answer, by the id of the request
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

  /**
   * Returns the acknowledged state after these answers. Later requests may have been carried out,
   * too.
   */
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

/** Returns the order with its next call, which may have been sent already. */
const asked = (order: Order): Order => ({
  ...order,
  ...(order.authorize && { capture: order.capture ?? 'sent' }),
  ...(order.refunds && { refund: order.refund ?? { id: undefined } }),
})
