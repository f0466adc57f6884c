import type { Stage } from '../stage.ts'
import { buyAndPay, type CheckCase, NEVER, ONCE } from './case.ts'

type Changes = Parameters<Stage['webhooks']['alter']>[1]
type Row = readonly [name: string, changes: Changes, done: string, why: string]

/** Webhooks about a declined payment, which all say that it is approved. */
const APPROVALS: readonly Row[] = [
  [
    'webhook-forged-status',
    [],
    'A webhook about a declined payment arrives with status approved.',
    'An attacker can post to the address of a webhook.',
  ],
  [
    'webhook-unsigned',
    ['no_signature'],
    'A webhook with status approved arrives without signature headers.',
    'Some handlers verify the signature only of signed webhooks, and accept unsigned ones.',
  ],
  [
    'webhook-wrong-key',
    ['wrong_signature'],
    'A webhook with status approved arrives, signed with another key.',
    'Some handlers read the signature but do not compare it.',
  ],
  [
    'webhook-of-another-merchant',
    ['other_merchant'],
    'A webhook with status approved arrives, with the id of another merchant.',
    'An attacker can have an account at the same gateway, with similar webhooks.',
  ],
  [
    'webhook-same-secret',
    ['same_secret'],
    'A webhook with status approved arrives from another merchant with the same secret, with a valid signature of that merchant.',
    'Some companies have two accounts with one secret, and some handlers take merchant_id from the webhook.',
  ],
  [
    'webhook-live',
    ['live_payment'],
    'A genuine webhook with status approved arrives whose test flag is not the test flag of the shop.',
    'Test and live payments of one account use the same address: a test payment moves no money.',
  ],
]

const STORED = 'A handler that stores unverified data stores the data of an attacker.'

/** Copies that arrive after the genuine webhook. */
const COPIES: readonly Row[] = [
  [
    'webhook-forged-amount',
    ['other_amount'],
    'The genuine webhook arrives, then a forged webhook with another amount.',
    STORED,
  ],
  [
    'webhook-forged-currency',
    ['other_currency'],
    'The genuine webhook arrives, then a forged webhook with another currency.',
    STORED,
  ],
  [
    'webhook-stale',
    ['old_timestamp'],
    'The genuine webhook arrives, then a correctly signed copy whose timestamp is one day old.',
    'Anyone who reads a log can send a recorded webhook again.',
  ],
]

/** An attacker sends webhooks. */
export const FORGED_CASES: readonly CheckCase[] = [
  ...APPROVALS.map(
    ([name, changes, done, why]): CheckCase => ({
      name,
      done,
      must: NEVER,
      why,
      async run(stage) {
        const { purchase } = await buyAndPay(stage, 'declined')
        const before = await stage.orders.see(purchase)
        await stage.webhooks.alter(purchase, ['approved_status', ...changes])
        await stage.orders.mustNotBeFulfilled(purchase)
        await stage.orders.mustBeAs(before, purchase)
      },
    }),
  ),
  {
    name: 'webhook-of-another-order',
    done: 'The webhook of a paid order arrives with the payment_ref of an order that is not paid.',
    must: 'The unpaid order is not fulfilled.',
    why: 'If the shop does not compare the order, one cheap payment pays for any order.',
    async run(stage) {
      const [paid, other] = [await stage.payer.buy(), await stage.payer.buy()]
      await stage.payer.pay(paid)
      await stage.webhooks.alter(paid, ['other_order'], other.paymentRef)
      await stage.orders.mustNotBeFulfilled(other)
    },
  },
  ...COPIES.map(
    ([name, changes, done, why]): CheckCase => ({
      name,
      done,
      must: `The copy changes nothing. ${ONCE}`,
      why,
      async run(stage) {
        const { purchase } = await buyAndPay(stage)
        await stage.webhooks.release(purchase)
        await stage.orders.mustBeFulfilledOnce(purchase)
        const before = await stage.orders.see(purchase)
        await stage.webhooks.alter(purchase, changes)
        await stage.orders.mustBeFulfilledOnce(purchase)
        await stage.orders.mustBeAs(before, purchase)
      },
    }),
  ),
]
