import { buyAndPay, type CheckCase, deliver, ifAny, ONCE, payAndReturn, REMEMBER } from './case.ts'

/**
 * Milliseconds between two connections with the same webhook, less than a handler takes to read the
 * payment.
 */
const APART_MS = 100

/** Genuine webhooks arrive again, together, broken, or at a handler that fails. */
export const WEBHOOK_CASES: readonly CheckCase[] = [
  {
    name: 'webhook-twice',
    done: 'The same webhook arrives twice.',
    must: ONCE,
    why: 'A gateway that retries after a lost answer sends the webhook twice.',
    fix: REMEMBER,
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.release(purchase)
      await stage.resend(purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-later',
    done: 'The same webhook arrives again after the webhook of another order.',
    must: ONCE,
    why: 'After status 500, the gateway retries for days.',
    fix: 'Keep the webhook-id of every webhook with its order, not only the last one.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.release(purchase)
      await payAndReturn(stage, await stage.buy())
      await stage.resend(purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-two-connections',
    done: 'The same webhook arrives on two connections in the same millisecond.',
    must: ONCE,
    why: 'Two servers of a gateway can send the same delivery, and load balancers repeat requests.',
    fix: REMEMBER,
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase, 'approved', 2)
      await stage.releaseTogether(purchase, 0)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'handler-slow',
    done: 'The webhook arrives again while the handler still works on it.',
    must: ONCE,
    why: 'Some services send a webhook again if the handler is too slow.',
    fix: `Answer first and work afterwards. ${REMEMBER}`,
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase, 'approved', 2)
      const end = await stage.fault({
        kind: 'latency',
        method: 'GET',
        milliseconds: 3 * APART_MS,
        times: 0,
      })
      try {
        await stage.releaseTogether(purchase, APART_MS)
      } finally {
        await end()
      }
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'handler-fails-first',
    done: 'The gateway answers the requests of the handler with status 503. The third attempt of the webhook succeeds.',
    must: ONCE,
    why: 'A handler depends on the gateway and on a database, and both can be down.',
    fix: 'Answer with status 500 if the handler could not finish. The gateway sends a webhook again after status 500 only.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      const end = await stage.fault({ kind: 'unavailable', method: 'GET', times: 0 })
      try {
        await stage.release(purchase)
        await ifAny(stage.release(purchase))
      } finally {
        await end()
      }
      await ifAny(stage.release(purchase))
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'decline-arrives-last',
    done: 'The bank declines the card, and the payer pays with another card. The webhook about the decline arrives last.',
    must: ONCE,
    why: 'Webhooks can overtake each other: each has its own connection and its own retries.',
    fix: 'Read the transaction from the gateway: a webhook contains the state at its event, not the current state.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await stage.visit(await stage.pay(purchase))
      await stage.release(purchase, 'newest first')
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-cut',
    done: 'Half of a webhook arrives, then the whole webhook.',
    must: ONCE,
    why: 'Proxies and connections break.',
    fix: 'Answer with status 400 to an unreadable body, and mark nothing as done.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.alter(purchase, 'cut_body')
      await stage.release(purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'clocks-apart',
    done: "The gateway's clock is two minutes ahead of the shop's.",
    must: ONCE,
    why: 'Clocks of servers differ by minutes when they are not synchronised.',
    fix: 'Allow five minutes between webhook-timestamp and your clock, in both directions.',
    async run(stage) {
      const { purchase, back } = await buyAndPay(stage)
      await stage.alter(purchase, 'clock_ahead')
      await stage.mustBeFulfilledOnce(purchase)
      await stage.visit(back)
      await deliver(stage, purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
]
