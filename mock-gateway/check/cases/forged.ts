import type { Stage } from '../stage.ts'
import { ASK, buyAndPay, type CheckCase, NEVER, ONCE, REMEMBER, VERIFY } from './case.ts'

const KEEP =
  'Verify the signature before you store anything, and keep the amount and currency of the order.'

/** An attacker sends webhooks. */
export const FORGED_CASES: readonly CheckCase[] = [
  {
    name: 'webhook-forged-status',
    done: 'A webhook about a declined payment arrives with status approved.',
    must: NEVER,
    why: 'An attacker can post to the address of a webhook.',
    fix: VERIFY,
    run: (stage) => forgeApproval(stage, 'approved_status'),
  },
  {
    name: 'webhook-unsigned',
    done: 'A webhook with status approved arrives without signature headers.',
    must: NEVER,
    why: 'Some handlers verify the signature only of signed webhooks, and accept unsigned ones.',
    fix: `Reject a webhook without a signature. ${ASK}`,
    run: (stage) => forgeApproval(stage, 'approved_status,no_signature'),
  },
  {
    name: 'webhook-wrong-key',
    done: 'A webhook with status approved arrives, signed with another key.',
    must: NEVER,
    why: 'Some handlers read the signature but do not compare it.',
    fix: VERIFY,
    run: (stage) => forgeApproval(stage, 'approved_status,wrong_signature'),
  },
  {
    name: 'webhook-of-another-merchant',
    done: 'A webhook with status approved arrives, with the id of another merchant.',
    must: NEVER,
    why: 'An attacker can have an account at the same gateway, with similar webhooks.',
    fix: `Compare merchant_id with your own. ${VERIFY}`,
    run: (stage) => forgeApproval(stage, 'approved_status,other_merchant'),
  },
  {
    name: 'webhook-same-secret',
    done: 'A webhook with status approved arrives from another merchant with the same secret, with a valid signature of that merchant.',
    must: NEVER,
    why: 'Some companies have two accounts with one secret, and some handlers take merchant_id from the webhook.',
    fix: `Verify with your own merchant id. Do not take it from the webhook. ${ASK}`,
    run: (stage) => forgeApproval(stage, 'approved_status,same_secret'),
  },
  {
    name: 'webhook-live',
    done: 'A genuine webhook with status approved arrives whose test flag is not the test flag of the shop.',
    must: NEVER,
    why: 'Test and live payments of one account use the same address: a test payment moves no money.',
    fix: `Compare test with your own setting. ${ASK}`,
    run: (stage) => forgeApproval(stage, 'approved_status,live_payment'),
  },
  {
    name: 'webhook-of-another-order',
    done: 'The webhook of a paid order arrives with the payment_ref of an order that is not paid.',
    must: 'The unpaid order is not fulfilled.',
    why: 'If the shop does not compare the order, one cheap payment pays for any order.',
    fix: VERIFY,
    async run(stage) {
      const [paid, other] = [await stage.payer.buy(), await stage.payer.buy()]
      await stage.payer.pay(paid)
      await stage.webhooks.alter(paid, 'other_order', other.paymentRef)
      await stage.orders.mustNotBeFulfilled(other)
    },
  },
  {
    name: 'webhook-forged-amount',
    done: 'The genuine webhook arrives, then a forged webhook with another amount.',
    must: `The forged webhook changes nothing. ${ONCE}`,
    why: 'A handler that stores unverified data stores the data of an attacker.',
    fix: KEEP,
    run: (stage) => forgeAfterPayment(stage, 'other_amount'),
  },
  {
    name: 'webhook-forged-currency',
    done: 'The genuine webhook arrives, then a forged webhook with another currency.',
    must: `The forged webhook changes nothing. ${ONCE}`,
    why: 'A handler that stores unverified data stores the data of an attacker.',
    fix: KEEP,
    run: (stage) => forgeAfterPayment(stage, 'other_currency'),
  },
  {
    name: 'webhook-stale',
    done: 'The genuine webhook arrives, then a correctly signed copy whose timestamp is one day old.',
    must: `The copy changes nothing. ${ONCE}`,
    why: 'Anyone who reads a log can send a recorded webhook again.',
    fix: `Reject a webhook-timestamp that is more than five minutes off. ${REMEMBER}`,
    run: (stage) => forgeAfterPayment(stage, 'old_timestamp'),
  },
]

async function forgeApproval(stage: Stage, change: string) {
  const { purchase } = await buyAndPay(stage, 'declined')
  const before = await stage.orders.see(purchase)
  await stage.webhooks.alter(purchase, change)
  await stage.orders.mustNotBeFulfilled(purchase)
  await stage.orders.mustBeAs(before, purchase)
}

async function forgeAfterPayment(stage: Stage, change: string) {
  const { purchase } = await buyAndPay(stage)
  await stage.webhooks.release(purchase)
  await stage.orders.mustBeFulfilledOnce(purchase)
  const before = await stage.orders.see(purchase)
  await stage.webhooks.alter(purchase, change)
  await stage.orders.mustBeFulfilledOnce(purchase)
  await stage.orders.mustBeAs(before, purchase)
}
