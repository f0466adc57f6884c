import type { Purchase } from '../purchase.ts'
import {
  buyAndPay,
  type CheckCase,
  deliver,
  mustPay,
  NEVER,
  ONCE,
  payAndReturn,
  race,
  withQuery,
} from './case.ts'

/** Returns the query that the gateway added to a return address. */
function addedQuery(back: string, successUrl: string): Readonly<Record<string, string>> {
  const own = new URL(successUrl).searchParams
  return Object.fromEntries(
    [...new URL(back).searchParams].filter(([name, value]) => !own.getAll(name).includes(value)),
  )
}

/** Returns the return address of a purchase with a made-up status. */
const forgedReturn = ({ id, paymentRef, successUrl }: Purchase) =>
  withQuery(successUrl, {
    transaction_id: String(id),
    payment_ref: paymentRef,
    status: 'approved',
    hash: '0'.repeat(32),
  })

/** The payer's browser arrives at the return address. */
export const RETURN_CASES: readonly CheckCase[] = [
  {
    name: 'return-twice',
    done: 'The payer opens the return address twice.',
    must: ONCE,
    why: 'Payers reload the receipt, and browsers restore tabs.',
    async run(stage) {
      const { purchase, back } = await buyAndPay(stage)
      await stage.payer.visit(back)
      await stage.payer.visit(back)
      await deliver(stage, purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-and-return-at-once',
    done: 'The webhook arrives on two connections while the payer opens the return address in two tabs, for ten orders.',
    must: ONCE,
    why: 'Webhook and redirect both start when the bank answers.',
    async run(stage) {
      await race(stage, async () => {
        const { purchase, back } = await buyAndPay(stage)
        await stage.webhooks.arriveTogether(purchase, () => [
          stage.payer.visit(back),
          stage.payer.visit(back),
        ])
        await stage.webhooks.lose(purchase)
        return purchase
      })
    },
  },
  {
    name: 'return-unpaid',
    done: 'A visitor opens the return address without paying, with a made-up status.',
    must: NEVER,
    why: 'The return address is in the page, and every visitor can type it.',
    async run(stage) {
      const purchase = await stage.payer.buy()
      await stage.payer.visit(purchase.successUrl)
      await stage.payer.visit(forgedReturn(purchase), 'forged return')
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'return-then-paid',
    done: 'The payer opens the return address before paying, then pays.',
    must: ONCE,
    why: 'Browsers open addresses in advance, and payers press Back and Forward.',
    async run(stage) {
      const purchase = await stage.payer.buy()
      await stage.payer.visit(purchase.successUrl)
      await stage.waitForQueue()
      await mustPay(stage, purchase)
    },
  },
  {
    name: 'return-of-another-order',
    done: 'The payer pays one order, then opens the return address of another order with the hash of the first.',
    must: 'The paid order is fulfilled once, and the other order is not fulfilled.',
    why: 'If the shop does not compare the order, one cheap payment pays for any order.',
    async run(stage) {
      const [paid, other] = [await stage.payer.buy(), await stage.payer.buy()]
      const back = await stage.payer.pay(paid)
      const forged = withQuery(other.successUrl, addedQuery(back, paid.successUrl))
      await stage.payer.visit(forged, 'forged return')
      await stage.orders.mustNotBeFulfilled(other)
      await stage.payer.visit(withQuery(forged, { payment_ref: other.paymentRef }), 'forged return')
      await stage.orders.mustNotBeFulfilled(other)
      await stage.payer.visit(back)
      await deliver(stage, paid)
      await stage.orders.mustBeFulfilledOnce(paid)
    },
  },
  {
    name: 'return-after-decline',
    done: 'The bank declines the card, and the payer opens the return address with status approved.',
    must: NEVER,
    why: 'A payer sees the address and its query in the browser.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await deliver(stage, purchase)
      await stage.payer.visit(forgedReturn(purchase), 'forged return')
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'return-while-down',
    done: 'A visitor opens the return address without paying, with a made-up status, while the gateway answers with status 503.',
    must: NEVER,
    why: 'If the shop trusts the return address while the gateway is down, every visitor can get goods.',
    isAlone: true,
    async run(stage) {
      const purchase = await stage.payer.buy()
      await stage.duringFault({ kind: 'unavailable', method: 'GET', times: 0 }, () =>
        stage.payer.visit(forgedReturn(purchase), 'forged return'),
      )
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'error-page-then-paid',
    done: 'The payer opens the error address, goes back to the payment page and pays.',
    must: ONCE,
    why: 'Payers press Back after an error, and pay on the page that is still open.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await stage.payer.visit(errorPage(purchase))
      await stage.waitForQueue()
      await mustPay(stage, purchase)
    },
  },
  {
    name: 'late-error-page',
    done: 'The bank declines the card, and the payer pays with another card. Then the error address of the first attempt opens.',
    must: ONCE,
    why: 'Browsers restore tabs, and slow tabs load after the payment.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await payAndReturn(stage, purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
      await stage.payer.visit(errorPage(purchase))
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
]

/** Returns the address that a payer is redirected to after a declined attempt. */
const errorPage = ({ id, paymentRef, errorUrl, successUrl }: Purchase) =>
  withQuery(errorUrl || successUrl, {
    transaction_id: String(id),
    payment_ref: paymentRef,
    status: 'declined',
    error_name: 'errors.payment.declined',
  })
