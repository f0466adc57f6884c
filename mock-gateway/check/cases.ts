import { NotChecked, type Stage } from './stage.ts'

/** One thing that happens in the field, and what a shop must make of it. */
export interface CheckCase {
  readonly name: string
  readonly done: string
  readonly must: string
  /** Why it happens in the field. */
  readonly why: string
  /** How shops fix it. */
  readonly fix: string
  run(stage: Stage): Promise<void>
}

const ONCE = 'The order is fulfilled once, with the paid amount and currency.'
const NEVER = 'The order is not fulfilled.'
const REMEMBER =
  'Fulfil in one conditional update, such as UPDATE orders SET paid = 1 WHERE ref = ? AND paid = 0, and only if it changed a row.'
const BOTH_WAYS = 'Settle the order in one function that both the webhook and the return address call.'
const ASK = 'Read the transaction from the gateway and fulfil only if status, payment_ref, amount and currency match.'

/** In the order in which they run. */
export const CASES: readonly CheckCase[] = [
  {
    name: 'plain',
    done: 'The payer pays and returns; then the webhook arrives.',
    must: ONCE,
    why: 'Most payments are like this.',
    fix: BOTH_WAYS,
    async run(stage) {
      const purchase = await stage.buy()
      await stage.visit(await stage.pay(purchase))
      await releaseIfAny(stage.release(purchase))
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-first',
    done: 'The webhook arrives before the payer returns.',
    must: ONCE,
    why: 'The gateway and the browser are different machines, and the gateway is often quicker.',
    fix: REMEMBER,
    async run(stage) {
      const purchase = await stage.buy()
      const back = await stage.pay(purchase)
      await stage.release(purchase)
      await stage.visit(back)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'payer-never-returns',
    done: 'The payer pays and closes the browser; only the webhook arrives.',
    must: ONCE,
    why: 'Phones lose their connection, and payers close the tab at the receipt.',
    fix: 'Fulfil from the webhook, not only from the return address.',
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase)
      await stage.release(purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-twice',
    done: 'The same webhook arrives twice.',
    must: ONCE,
    why: 'Delivery is at least once: an answer that is lost on the way is a repeated webhook.',
    fix: REMEMBER,
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase)
      await stage.release(purchase)
      await stage.resend(purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-and-return-at-once',
    done: 'The webhook arrives while the payer opens the return address in two tabs.',
    must: ONCE,
    why: 'Both start when the bank answers.',
    fix: REMEMBER,
    async run(stage) {
      const purchase = await stage.buy()
      const back = await stage.pay(purchase)
      await Promise.all([stage.release(purchase), stage.visit(back), stage.visit(back)])
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'return-twice',
    done: 'The payer opens the return address twice.',
    must: ONCE,
    why: 'Payers reload the receipt, and browsers restore tabs.',
    fix: REMEMBER,
    async run(stage) {
      const purchase = await stage.buy()
      const back = await stage.pay(purchase)
      await stage.visit(back)
      await stage.visit(back)
      await releaseIfAny(stage.release(purchase))
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'return-unpaid',
    done: 'A visitor opens the return address without paying, with a made-up status.',
    must: NEVER,
    why: 'The address is in the page, and every visitor can type it.',
    fix: ASK,
    async run(stage) {
      const purchase = await stage.buy()
      const back = new URL(purchase.successUrl)
      const { id, paymentRef } = purchase
      const made = { transaction_id: String(id), payment_ref: paymentRef, status: 'approved', hash: '0'.repeat(32) }
      for (const [name, value] of Object.entries(made)) back.searchParams.set(name, value)
      await stage.visit(purchase.successUrl)
      await stage.visit(back.href)
      await stage.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'return-of-another-order',
    done: 'A payer pays one order and opens the return address of another with the first hash.',
    must: 'The paid order is fulfilled once, and the other order is not fulfilled.',
    why: 'One cheap payment would buy everything.',
    fix: ASK,
    async run(stage) {
      const [paid, other] = [await stage.buy(), await stage.buy()]
      const back = await stage.pay(paid)
      const forged = new URL(other.successUrl)
      for (const [name, value] of new URL(back).searchParams) forged.searchParams.set(name, value)
      await stage.visit(forged.href)
      await stage.mustNotBeFulfilled(other)
      forged.searchParams.set('payment_ref', other.paymentRef)
      await stage.visit(forged.href)
      await stage.mustNotBeFulfilled(other)
      await stage.visit(back)
      await releaseIfAny(stage.release(paid))
      await stage.mustBeFulfilledOnce(paid)
    },
  },
  {
    name: 'declined',
    done: 'The bank declines the card; the webhook about it arrives.',
    must: NEVER,
    why: 'A handler that fulfils on every webhook fulfils declined payments.',
    fix: 'Fulfil only if status is approved (or authorized, if you capture later).',
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase, 'declined')
      await releaseIfAny(stage.release(purchase))
      await stage.visit(purchase.successUrl)
      await stage.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'declined-then-paid',
    done: 'The bank declines the card, and the payer pays with another.',
    must: ONCE,
    why: 'Payers try again.',
    fix: 'Do not close an order after a declined payment: the payer can still pay it.',
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase, 'declined')
      await releaseIfAny(stage.release(purchase))
      await stage.visit(await stage.pay(purchase))
      await releaseIfAny(stage.release(purchase))
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-forged-status',
    done: 'A webhook about a declined payment arrives with status approved.',
    must: NEVER,
    why: 'An attacker can post to the address of a webhook.',
    fix: `Verify webhook-signature or response_hash. ${ASK}`,
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase, 'declined')
      await stage.alter(purchase, 'approved_status')
      await stage.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'webhook-of-another-order',
    done: 'The webhook of a paid order arrives with the payment_ref of an order that is not paid.',
    must: 'The unpaid order is not fulfilled.',
    why: 'One cheap payment would buy everything.',
    fix: `Verify webhook-signature or response_hash. ${ASK}`,
    async run(stage) {
      const [paid, other] = [await stage.buy(), await stage.buy()]
      await stage.pay(paid)
      await stage.alter(paid, 'other_order', other.paymentRef)
      await stage.mustNotBeFulfilled(other)
    },
  },
  {
    name: 'webhook-forged-amount',
    done: 'The genuine webhook arrives, then one with another amount.',
    must: ONCE,
    why: 'A handler that stores unverified data stores the data of an attacker.',
    fix: 'Verify the signature before you store anything, and keep the amount of the order.',
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase)
      await stage.release(purchase)
      await stage.alter(purchase, 'other_amount')
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-cut',
    done: 'Half of a webhook arrives, then the whole webhook.',
    must: ONCE,
    why: 'Proxies and connections break.',
    fix: 'Answer 400 to a body that cannot be read, and mark nothing as done.',
    async run(stage) {
      const purchase = await stage.buy()
      await stage.pay(purchase)
      await stage.alter(purchase, 'cut_body')
      await stage.release(purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'service-down',
    done: 'The gateway answers 503 while the shop prepares a payment; the payer tries again.',
    must: `The shop answers. ${ONCE}`,
    why: 'Every service is down at some time.',
    fix: 'Catch errors of the API call and show a page that lets the payer try again.',
    run: (stage) => buyAgainAfter(stage, 'unavailable'),
  },
  {
    name: 'answer-lost',
    done: 'The answer to the shop is lost while it prepares a payment; the payer tries again.',
    must: `The shop answers. ${ONCE}`,
    why: 'Connections break after the request has arrived.',
    fix: 'Catch errors of the connection, and let the payer try again.',
    run: (stage) => buyAgainAfter(stage, 'drop'),
  },
  {
    name: 'refund',
    done: 'Half of the payment is refunded in the dashboard.',
    must: 'The order shows the refunded amount.',
    why: 'Support staff refund in the dashboard of the gateway, and not in the shop.',
    fix: 'Add a webhook with trigger refund, and read the refunds of the transaction.',
    async run(stage) {
      const purchase = await stage.buy()
      await stage.visit(await stage.pay(purchase))
      await releaseIfAny(stage.release(purchase))
      const half = (Number(purchase.amount) / 2).toFixed(2)
      await stage.refund(purchase, half)
      await releaseIfAny(stage.release(purchase))
      await stage.mustBeRefunded(purchase, half)
    },
  },
]

async function buyAgainAfter(stage: Stage, kind: string) {
  const end = await stage.fault(kind)
  try {
    await stage.tryToBuy()
  } finally {
    await end()
  }
  const purchase = await stage.buy()
  await stage.visit(await stage.pay(purchase))
  await releaseIfAny(stage.release(purchase))
  await stage.mustBeFulfilledOnce(purchase)
}

/** A shop without webhooks is judged by its return address alone. */
const releaseIfAny = (releasing: Promise<void>): Promise<void> =>
  releasing.catch((error) => {
    if (!(error instanceof NotChecked)) throw error
  })
