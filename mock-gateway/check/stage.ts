import { buyInShop } from './buying.ts'
import { buyByCard } from './card-shop.ts'
import { ShopFault } from './errors.ts'
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
  const { api, control, merchantId } = gateway
  const read = (id: number) => api.getTransaction(id)
  /** Reads an order of the shop, or the order of a charge. */
  async function see(purchase: Pick<Purchase, 'paymentRef'> & Partial<Purchase>) {
    const { paymentRef, id, subscriptionId } = purchase
    if (id === undefined || subscriptionId === undefined || !shop.renewal)
      return shop.order(paymentRef)
    const order = await shop.renewal({ paymentRef, id, subscriptionId })
    return order ?? NO_ORDER
  }
  return {
    /** Events whose orders are all tried. */
    events: shop.events ?? ORDER_EVENTS.slice(0, EVENTS_TRIED),
    payer: buyInShop(parts),
    /** Buys with a form of the shop that takes the card. */
    cardPayer: buyByCard(parts),
    webhooks: createWebhooks(parts),
    subscription: createSubscriptions(parts),
    orders: createOrderRules(
      { settle: shop.settle, quiet: shop.quiet ?? QUIET_MS },
      { elapsed: time.elapsed, wait: rest },
      (purchase) => story.hidden(() => see(purchase)),
    ),
    /** The merchant's staff, at the gateway. */
    staff: {
      /** Changes a payment without the shop. */
      change: (
        { id, paymentRef }: Purchase,
        fields: { readonly amount?: string; readonly currency?: string },
      ) =>
        story.step(
          fields.amount ? 'changed amount' : 'changed currency',
          `The payment of ${paymentRef} is changed: ${describeFields(fields)}.`,
          async () => void (await api.updateTransaction(id, { ...fields, process: false })),
        ),
      refund: ({ id, paymentRef }: Purchase, amount: string) =>
        story.step(
          'refund',
          `${amount} of ${paymentRef} is refunded in the dashboard.`,
          async () => {
            await api.createRefund({ transaction_id: id, amount, reason: 'Checked' })
          },
        ),
      /** Captures a reservation; the bank declines it after an hour. */
      captureInVain: ({ id, amount, paymentRef }: Purchase) =>
        story.step(
          'other',
          `The capture of ${paymentRef} takes an hour, and the bank declines it.`,
          async () => {
            await forceFailedCapture()
            await api.captureTransaction(id, { amount })
            await passHour()
          },
        ),
      status: async ({ id }: Purchase) => (await read(id)).status,
      async isRefunded({ id, amount }: Purchase): Promise<boolean> {
        const { refunds } = await read(id)
        return refunds.reduce((sum, refund) => sum + Number(refund.amount), 0) >= Number(amount)
      },
    },
    bank: {
      /** Declines the next capture, an hour after it. */
      declineNextCapture: () =>
        story.step('other', 'The bank will decline the next capture.', forceFailedCapture),
      passHour: () => story.step('other', 'An hour passes.', passHour),
      /** Deletes outcomes that were not used. */
      async reset() {
        await control.deleteOutcomes('payments')
        await control.deleteOutcomes('captures')
      },
    },
    clock: {
      /** Moves the merchant's clock. */
      pass: (minutes: number) =>
        story.step('other', `${minutes} minutes pass.`, async () => {
          await control.moveClock('advance', { seconds: minutes * 60 })
        }),
      reset: () => state.restoreClock(),
    },
    /** Injects a fault into the gateway's answers while `act` runs. */
    async duringFault(fault: StageFault, act: () => Promise<unknown>) {
      const { kind, method = 'POST', milliseconds, times = 1 } = fault
      const says =
        method === 'POST'
          ? `The gateway fails at the next payment (${kind}).`
          : `The gateway fails when the shop reads a payment (${kind}).`
      const { id } = await story.step('fault', says, () =>
        control.addFault({
          kind,
          method,
          path: '/v1/transactions',
          merchant_id: merchantId,
          times,
          ...(milliseconds !== undefined && { milliseconds }),
        }),
      )
      try {
        await act()
      } finally {
        if ((await control.faults()).some((pending) => pending.id === id))
          await control.deleteFault(id)
      }
    },
    /** Asserts that only one of several payments of an order took money. */
    async mustBePaidOnce(purchases: readonly Purchase[]) {
      const ids = [...new Set(purchases.map(({ id }) => id))]
      const all = await Promise.all(ids.map(read))
      const taken = all.filter(({ status }) => isPaid(status))
      if (taken.length > 1)
        throw new ShopFault(
          'paid twice',
          `The payer paid one order ${taken.length} times, as ${taken.map(({ payment_ref }) => payment_ref).join(' and ')}.`,
        )
    },
  }

  async function forceFailedCapture() {
    const outcome = { outcome: 'errors.payment.declined', seconds: 3600 }
    await control.forceOutcome('captures', { ...outcome, merchant_id: merchantId })
  }
  async function passHour() {
    await control.moveClock('advance', { seconds: 3601 })
    await state.restoreClock()
  }
}

/** A charge for which the shop has made no order. */
const NO_ORDER: OrderView = {
  paid: false,
  amount: undefined,
  currency: undefined,
  fulfilled: 0,
  refunded: undefined,
}

const describeFields = (fields: object) =>
  Object.entries(fields)
    .map((field) => field.join(' '))
    .join(', ')
