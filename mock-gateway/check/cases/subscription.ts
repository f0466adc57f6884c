import { type Action, joinActions } from '../stage.ts'
import { mustBeFulfilledFor, mustBeFulfilledOnce, mustNotBeFulfilled } from '../steps/orders.ts'
import { payAndReturn, subscribe } from '../steps/payer.ts'
import {
  changeCard,
  endSubscription,
  listCharges,
  passDays,
  removeCard,
} from '../steps/subscriptions.ts'
import { deliverWebhooks, ifAny, resendWebhooks } from '../steps/webhooks.ts'
import type { CheckCase } from './case.ts'

const DECLINED = 'errors.payment.declined'

/** Acts on each charge of a subscription. */
const forEachCharge =
  (act: Action): Action =>
  async (stage, first) => {
    for (const charge of await listCharges(stage, first)) await act(stage, charge)
  }

const deliverCharges = forEachCharge(deliverWebhooks)

/** Moves the clock over a month and its retries, and delivers the webhooks about its charges. */
const passMonth = (...outcomes: readonly string[]): Action =>
  outcomes.length > 0
    ? joinActions(passDays(31, outcomes), passDays(20), deliverCharges)
    : joinActions(passDays(31), deliverCharges)

/** Events after the first payment of a subscription. */
const EVENTS: readonly (Pick<CheckCase, 'name' | 'done' | 'why'> & {
  readonly steps: readonly Action[]
})[] = [
  {
    name: 'subscription-charged',
    done: 'A month passes, and the gateway charges the subscription.',
    why: 'The payer is not present: only the webhook recurring_success reports the charge.',
    steps: [passMonth()],
  },
  {
    name: 'subscription-webhook-twice',
    done: 'A month passes, and the webhook about the charge arrives twice.',
    why: 'A gateway that retries after a lost answer sends the webhook twice.',
    steps: [passMonth(), forEachCharge(ifAny(resendWebhooks))],
  },
  {
    name: 'subscription-retried',
    done: 'The bank declines a charge. The gateway retries a day later, and the bank approves.',
    why: 'Accounts are empty at the end of a month.',
    steps: [passMonth(DECLINED)],
  },
  {
    name: 'subscription-failed',
    done: 'The bank declines all attempts of one month, and approves the next month.',
    why: 'Payers forget to pay, and pay again later.',
    steps: [passMonth(...Array(5).fill(DECLINED)), passMonth()],
  },
  {
    name: 'subscription-card-changed',
    done: 'The bank declines a charge, the payer gives another card, and the retry is approved.',
    why: 'Cards expire and are replaced.',
    steps: [passDays(31, [DECLINED]), changeCard, passDays(2), deliverCharges],
  },
  {
    name: 'subscription-card-removed',
    done: 'The stored card is deleted, and every charge of a month fails.',
    why: 'Payers delete their card in the shop, and expect that nothing more is charged.',
    steps: [removeCard, passMonth()],
  },
  {
    name: 'subscription-card-expired',
    done: 'Every charge of a month fails because the card has expired.',
    why: 'Cards expire.',
    steps: [passMonth(...Array(5).fill('errors.card.expired'))],
  },
  {
    name: 'subscription-outage',
    done: 'The shop is down for three months. Then the webhooks of three charges arrive together, the newest first.',
    why: 'After an outage, webhooks arrive late and in another order.',
    steps: [
      passDays(95),
      async (stage, first) => {
        for (const charge of (await listCharges(stage, first)).toReversed())
          await deliverWebhooks(stage, charge)
      },
    ],
  },
]

/** Asserts that each paid period is fulfilled once, by one order or by an order for each charge. */
const mustBeFulfilledByPeriod: Action = async (stage, first) => {
  const charges = await listCharges(stage, first)
  const paid = charges.filter(({ status }) => status === 'approved')
  if (!stage.shop.renewal)
    return mustBeFulfilledFor(stage, first, 1 + paid.length, 1 + charges.length)
  for (const charge of charges) if (!paid.includes(charge)) await mustNotBeFulfilled(stage, charge)
  return mustBeFulfilledOnce(stage, first, ...paid)
}

/** A subscription is charged by month. Each case moves the clock. */
export const SUBSCRIPTION_CASES: readonly CheckCase[] = EVENTS.map(({ steps, ...row }) => ({
  ...row,
  must: 'Each paid period is fulfilled once. No unpaid period is fulfilled.',
  isAlone: true,
  async run(stage) {
    const first = await subscribe(stage)
    await payAndReturn(stage, first)
    const events = joinActions(mustBeFulfilledOnce, ...steps, ifAny(resendWebhooks))
    try {
      await events(stage, first)
      await mustBeFulfilledByPeriod(stage, first)
    } finally {
      await endSubscription(stage, first)
    }
  },
}))
