import { RefusedError } from '../client.ts'
import { buyInShop } from './buying.ts'
import { buyByCard } from './card-shop.ts'
import { type Judged, NotCheckedError, ShopFault } from './errors.ts'
import { ORDER_EVENTS, type OrderView } from './order-view.ts'
import { createOrderRules } from './orders.ts'
import type { StageParts } from './parts.ts'
import { isPaid, type Purchase, type StageFault } from './purchase.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createWebhooks } from './webhooks.ts'

/** Events whose orders are tried if the plan names none: 12 orders. */
const EVENTS_TRIED = 4

/** Milliseconds without a change before an order is judged, unless the plan says otherwise. */
export const QUIET_MS = 1_000

/** Actions and requirements of a case, by actor. The webhooks of the merchant must be held. */
export type Stage = ReturnType<typeof createStage>

export function createStage(parts: StageParts) {
  const { gateway, shop, state, story, time, rest } = parts
  const { api, control, own } = gateway
  /** Reads an order of the shop, or the order of a charge. */
  async function see(purchase: Judged & Partial<Purchase>) {
    const { paymentRef, id, subscriptionId } = purchase
    if (id === undefined || subscriptionId === undefined || !shop.renewal)
      return shop.order(paymentRef)
    return (await shop.renewal({ paymentRef, id, subscriptionId })) ?? NO_ORDER
  }
  const forceFailedCapture = () =>
    control.captures.force({ ...own, outcome: 'errors.payment.declined', seconds: 3600 })
  const findStatus = async ({ id }: Purchase) => (await api.getTransaction(id)).status
  async function passHour() {
    await control.clock.advance({ ...own, seconds: 3601 })
    await state.restoreClock()
  }
  const quiet = shop.quiet ?? QUIET_MS
  return {
    /** Waits until the queue of a shop is empty. */
    waitForQueue: () => rest(quiet),
    /** Events whose orders are all tried. */
    events: shop.events ?? ORDER_EVENTS.slice(0, EVENTS_TRIED),
    payer: buyInShop(parts),
    /** Buys with a form of the shop that takes the card. */
    cardPayer: buyByCard(parts),
    webhooks: createWebhooks(parts),
    subscription: createSubscriptions(parts),
    orders: createOrderRules(
      { settle: shop.settle, quiet },
      { elapsed: time.elapsed, wait: rest },
      (purchase) => story.hidden(() => see(purchase)),
    ),
    /** The merchant's staff, at the gateway. */
    staff: {
      findStatus,
      /** Changes a payment without the shop. */
      change: (
        { id, paymentRef }: Purchase,
        fields: { readonly amount: string } | { readonly currency: string },
      ) =>
        story.step(
          'amount' in fields ? 'changed amount' : 'changed currency',
          `The payment of ${paymentRef} is changed: ${Object.entries(fields).flat().join(' ')}.`,
          async () => void (await api.updateTransaction(id, { ...fields, process: false })),
        ),
      refund: ({ id, paymentRef }: Purchase, amount: string) =>
        story.step(
          'refund',
          `${amount} of ${paymentRef} is refunded in the dashboard.`,
          async () => {
            await api
              .createRefund({ transaction_id: id, amount, reason: 'Checked' })
              .catch((error) => {
                if (!(error instanceof RefusedError)) throw error
                throw new NotCheckedError(`The gateway rejected the refund: ${error.message}.`)
              })
          },
        ),
      /** Captures a reservation; the bank declines it after an hour. */
      captureInVain: ({ id, amount, paymentRef }: Purchase) =>
        story.step(
          'declined capture',
          `The capture of ${paymentRef} takes an hour, and the bank declines it.`,
          async () => {
            await forceFailedCapture()
            await api.captureTransaction(id, { amount })
            await passHour()
          },
        ),
      async isRefunded({ id, amount }: Purchase): Promise<boolean> {
        const { refunds } = await api.getTransaction(id)
        return refunds.reduce((sum, refund) => sum + Number(refund.amount), 0) >= Number(amount)
      },
      /** Asserts that a payment took the amount of its order. */
      async mustBeCaptured({ id, amount }: Purchase) {
        const taken = await api.getTransaction(id)
        if (Number(taken.amount) !== Number(amount))
          throw new ShopFault(
            'captured another amount',
            `The order costs ${amount}, and the shop captured ${taken.amount}.`,
          )
      },
      /** Asserts that only one of several payments of an order took money. */
      async mustBePaidOnce(purchases: readonly Purchase[]) {
        const ids = [...new Set(purchases.map(({ id }) => id))]
        const all = await Promise.all(ids.map((id) => api.getTransaction(id)))
        const taken = all.filter(({ status }) => isPaid(status))
        if (taken.length > 1)
          throw new ShopFault(
            'paid twice',
            `The payer paid one order ${taken.length} times, as ${taken.map(({ payment_ref }) => payment_ref).join(' and ')}.`,
          )
      },
    },
    bank: {
      /** Declines the next capture, an hour after it. */
      declineNextCapture: () =>
        story.step(
          'declined capture',
          'The bank will decline the next capture.',
          forceFailedCapture,
        ),
      passHour: () => story.step('other', 'An hour passes.', passHour),
      /** Deletes outcomes that were not used. */
      reset: () => control.captures.unforce(own),
    },
    /** Moves the merchant's clock while `act` runs. */
    async afterMinutes(minutes: number, act: () => Promise<unknown>) {
      await story.step('late', `${minutes} minutes pass.`, () =>
        control.clock.advance({ ...own, minutes }),
      )
      try {
        await act()
      } finally {
        await state.restoreClock()
      }
    },
    /** Injects a fault into the gateway's answers while `act` runs. */
    async duringFault(fault: StageFault, act: () => Promise<unknown>) {
      const { method = 'POST', times = 1 } = fault
      const moment = method === 'POST' ? 'at the next payment' : 'when the shop reads a payment'
      const { id } = await story.step(
        { kind: 'fault', change: fault.kind },
        `The gateway ${FAULTS[fault.kind]} ${moment}.`,
        () => control.faults.inject({ ...own, path: '/v1/transactions', ...fault, method, times }),
      )
      try {
        await act()
      } finally {
        const { faults } = await control.faults.list()
        if (faults.some((pending) => pending.id === id)) await control.faults.remove({ id })
      }
    },
  }
}

/** Effect of a fault on the gateway's answers, for the steps. */
const FAULTS: Readonly<Record<StageFault['kind'], string>> = {
  latency: 'is slow',
  late_answer: 'answers late',
  drop: 'closes the connection without an answer',
  cut_answer: 'sends half of its answer',
  bad_gateway: 'answers 502 with an HTML page',
  unavailable: 'answers 503',
  rate_limit: 'answers 429',
}

/** A charge for which the shop has made no order. */
const NO_ORDER: OrderView = {
  paid: false,
  amount: undefined,
  currency: undefined,
  fulfilled: 0,
  refunded: undefined,
}
