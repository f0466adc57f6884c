import {
  ASK,
  buyAndPay,
  type CheckCase,
  deliver,
  mustPay,
  NEVER,
  ONCE,
  REMEMBER,
  STAY_OPEN,
  withQuery,
} from './case.ts'

const MADE_UP = { status: 'approved', hash: '0'.repeat(32) }

/** The payer's browser arrives at the return address. */
export const RETURN_CASES: readonly CheckCase[] = [
  {
    name: 'return-twice',
    done: 'The payer opens the return address twice.',
    must: ONCE,
    why: 'Payers reload the receipt, and browsers restore tabs.',
    fix: REMEMBER,
    async run(stage) {
      const { purchase, back } = await buyAndPay(stage)
      await stage.visit(back)
      await stage.visit(back)
      await deliver(stage, purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'webhook-and-return-at-once',
    done: 'The webhook arrives while the payer opens the return address in two tabs.',
    must: ONCE,
    why: 'Webhook and redirect both start when the bank answers.',
    fix: REMEMBER,
    async run(stage) {
      const { purchase, back } = await buyAndPay(stage)
      await Promise.all([stage.release(purchase), stage.visit(back), stage.visit(back)])
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'return-unpaid',
    done: 'A visitor opens the return address without paying, with a made-up status.',
    must: NEVER,
    why: 'The return address is in the page, and every visitor can type it.',
    fix: ASK,
    async run(stage) {
      const purchase = await stage.buy()
      const { id, paymentRef, successUrl } = purchase
      await stage.visit(successUrl)
      await stage.visit(
        withQuery(successUrl, { transaction_id: String(id), payment_ref: paymentRef, ...MADE_UP }),
      )
      await stage.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'return-then-paid',
    done: 'The payer opens the return address before paying, then pays.',
    must: ONCE,
    why: 'Browsers open addresses in advance, and payers press Back and Forward.',
    fix: STAY_OPEN,
    async run(stage) {
      const purchase = await stage.buy()
      await stage.visit(purchase.successUrl)
      await mustPay(stage, purchase)
    },
  },
  {
    name: 'return-of-another-order',
    done: 'The payer pays one order, then opens the return address of another order with the hash of the first.',
    must: 'The paid order is fulfilled once, and the other order is not fulfilled.',
    why: 'If the shop does not compare the order, one cheap payment pays for any order.',
    fix: ASK,
    async run(stage) {
      const [paid, other] = [await stage.buy(), await stage.buy()]
      const back = await stage.pay(paid)
      const forged = withQuery(other.successUrl, Object.fromEntries(new URL(back).searchParams))
      await stage.visit(forged)
      await stage.mustNotBeFulfilled(other)
      await stage.visit(withQuery(forged, { payment_ref: other.paymentRef }))
      await stage.mustNotBeFulfilled(other)
      await stage.visit(back)
      await deliver(stage, paid)
      await stage.mustBeFulfilledOnce(paid)
    },
  },
  {
    name: 'return-after-decline',
    done: 'The bank declines the card, and the payer opens the return address with status approved.',
    must: NEVER,
    why: 'A payer sees the address and its query in the browser.',
    fix: ASK,
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await deliver(stage, purchase)
      const { id, paymentRef, successUrl } = purchase
      await stage.visit(
        withQuery(successUrl, { transaction_id: String(id), payment_ref: paymentRef, ...MADE_UP }),
      )
      await stage.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'return-while-down',
    done: 'A visitor opens the return address without paying, with a made-up status, while the gateway answers with status 503.',
    must: NEVER,
    why: 'If the shop trusts the return address while the gateway is down, every visitor can get goods.',
    fix: 'While the gateway does not answer, fulfil nothing. The webhook arrives later.',
    async run(stage) {
      const purchase = await stage.buy()
      const { id, paymentRef, successUrl } = purchase
      const end = await stage.fault({ kind: 'unavailable', method: 'GET', times: 0 })
      try {
        await stage.visit(
          withQuery(successUrl, {
            transaction_id: String(id),
            payment_ref: paymentRef,
            ...MADE_UP,
          }),
        )
      } finally {
        await end()
      }
      await stage.mustNotBeFulfilled(purchase)
    },
  },
]
