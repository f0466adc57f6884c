import { buyAndPay, type CheckCase, deliver, ifAny, ONCE, payAndReturn, race } from './case.ts'

/** Milliseconds that the gateway takes to answer a handler that reads a payment. */
const SLOW_MS = 500

const slowly = (milliseconds: number) =>
  ({ kind: 'latency', method: 'GET', milliseconds, times: 0 }) as const

/** Genuine webhooks arrive again, together, broken, or at a handler that fails. */
export const WEBHOOK_CASES: readonly CheckCase[] = [
  {
    name: 'webhook-twice',
    done: 'The same webhook arrives twice.',
    must: ONCE,
    why: 'A gateway that retries after a lost answer sends the webhook twice.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.webhooks.release(purchase)
      await stage.webhooks.resend(purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
      stage.webhooks.mustBeAccepted((answer) => answer !== 0 && answer < 500)
    },
  },
  {
    name: 'webhook-later',
    done: 'The same webhook arrives again after the webhook of another order.',
    must: ONCE,
    why: 'After status 500, the gateway retries for days.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.webhooks.release(purchase)
      await payAndReturn(stage, await stage.payer.buy())
      await stage.webhooks.resend(purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-two-connections',
    done: 'The same webhook arrives on two connections at the same time, for ten orders.',
    must: ONCE,
    why: 'Two servers of a gateway can send the same delivery, and load balancers repeat requests.',
    run: (stage) =>
      race(stage, async () => {
        const { purchase } = await buyAndPay(stage)
        await stage.webhooks.arriveTogether(purchase)
        await stage.webhooks.lose(purchase)
        return purchase
      }),
  },
  {
    name: 'handler-slow',
    done: 'The webhook arrives again while the handler still works on it.',
    must: ONCE,
    why: 'Some services send a webhook again if the handler is too slow.',
    isAlone: true,
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.duringFault(slowly(SLOW_MS), () => stage.webhooks.arriveTogether(purchase))
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'handler-too-slow',
    done: 'The handler answers too late: the gateway closes the connection, and the webhook arrives again.',
    must: ONCE,
    why: 'Some handlers send mails or call other services before they answer. Some servers stop a handler whose connection is closed.',
    isAlone: true,
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.duringFault(slowly(2 * SLOW_MS), async () => {
        await stage.webhooks.interrupt(purchase, SLOW_MS)
        await stage.webhooks.release(purchase)
      })
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'handler-fails-first',
    done: 'The gateway answers the requests of the handler with status 503. The third attempt of the webhook succeeds.',
    must: ONCE,
    why: 'A handler depends on the gateway and on a database, and both can be down.',
    isAlone: true,
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.duringFault({ kind: 'unavailable', method: 'GET', times: 0 }, async () => {
        await stage.webhooks.release(purchase)
        await stage.waitForQueue()
        await ifAny(stage.webhooks.release(purchase))
        await stage.waitForQueue()
      })
      await ifAny(stage.webhooks.release(purchase))
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'decline-arrives-last',
    done: 'The bank declines the card, and the payer pays with another card. The webhook about the decline arrives last.',
    must: ONCE,
    why: 'Webhooks can overtake each other: each has its own connection and its own retries.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await stage.payer.visit(await stage.payer.pay(purchase))
      await stage.webhooks.release(purchase, 'newest first')
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-cut',
    done: 'Half of a webhook arrives, then the whole webhook.',
    must: ONCE,
    why: 'Proxies and connections break.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.webhooks.alter(purchase, ['cut_body'])
      await stage.webhooks.release(purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'clocks-apart',
    done: "The gateway's clock is two minutes ahead of the shop's.",
    must: ONCE,
    why: 'Clocks of servers differ by minutes when they are not synchronised.',
    async run(stage) {
      const { purchase, back } = await buyAndPay(stage)
      await stage.webhooks.alter(purchase, ['clock_ahead'])
      await stage.orders.mustBeFulfilledOnce(purchase)
      await stage.payer.visit(back)
      await deliver(stage, purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-unknown-order',
    done: 'A genuine webhook names an order that the shop does not know.',
    must: 'The shop answers, but not with status 500.',
    why: 'Test and live shops share an account, and databases are restored. After status 500, the webhook arrives 20 times.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.webhooks.alter(purchase, ['unknown_order'])
      stage.webhooks.mustBeAccepted((answer) => answer !== 0 && answer < 500)
    },
  },
]
