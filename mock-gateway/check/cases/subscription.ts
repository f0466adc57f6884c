import type { Purchase } from '../purchase.ts'
import { type Action, joinActions, type Stage } from '../stage.ts'
import * as orders from '../steps/orders.ts'
import * as payer from '../steps/payer.ts'
import {
  changeCard,
  endSubscription,
  listCharges,
  passDays,
  removeCard,
} from '../steps/subscriptions.ts'
import * as webhooks from '../steps/webhooks.ts'
import { createCases } from './case.ts'

const DECLINED = 'errors.payment.declined'

async function subscribeAndPay(stage: Stage): Promise<Purchase> {
  const first = await payer.subscribe(stage)
  await payer.payAndReturn(stage, first)
  return first
}

/** Acts on each charge of a subscription. */
const forEachCharge =
  (act: Action): Action =>
  async (stage, first) => {
    for (const charge of await listCharges(stage, first)) await act(stage, charge)
  }

const deliverCharges = forEachCharge(webhooks.deliver)

/** Moves the clock over a month and its retries, and delivers the webhooks about its charges. */
const passMonth = (...outcomes: readonly string[]): Action =>
  outcomes.length > 0
    ? joinActions(passDays(31, outcomes), passDays(20), deliverCharges)
    : joinActions(passDays(31), deliverCharges)

/** Asserts that each paid period is fulfilled once, by one order or by an order for each charge. */
const mustBeFulfilledByPeriod: Action = async (stage, first) => {
  const charges = await listCharges(stage, first)
  const paid = charges.filter(({ status }) => status === 'approved')
  if (!stage.shop.renewal)
    return orders.mustBeFulfilledFor(stage, first, 1 + paid.length, 1 + charges.length)
  for (const charge of charges)
    if (!paid.includes(charge)) await orders.mustNotBeFulfilled(stage, charge)
  return orders.mustBeFulfilledOnce(stage, first, ...paid)
}

/** A subscription is charged by month. Each case moves the clock. */
export const SUBSCRIPTION_CASES = createCases(
  {
    begin: subscribeAndPay,
    first: [orders.mustBeFulfilledOnce],
    must: {
      says: 'Each paid period is fulfilled once. No unpaid period is fulfilled.',
      judge: joinActions(webhooks.ifAny(webhooks.resend), mustBeFulfilledByPeriod),
    },
    isAlone: true,
    end: endSubscription,
  },
  {
    'subscription-charged': {
      done: 'A month passes, and the gateway charges the subscription.',
      why: 'The payer is not present: only the webhook recurring_success reports the charge.',
      steps: [passMonth()],
    },
    'subscription-webhook-twice': {
      done: 'A month passes, and the webhook about the charge arrives twice.',
      why: 'A gateway that retries after a lost answer sends the webhook twice.',
      steps: [passMonth(), forEachCharge(webhooks.ifAny(webhooks.resend))],
    },
    'subscription-retried': {
      done: 'The bank declines a charge. The gateway retries a day later, and the bank approves.',
      why: 'Accounts are empty at the end of a month.',
      steps: [passMonth(DECLINED)],
    },
    'subscription-failed': {
      done: 'The bank declines all attempts of one month, and approves the next month.',
      why: 'Payers forget to pay, and pay again later.',
      steps: [passMonth(...Array(5).fill(DECLINED)), passMonth()],
    },
    'subscription-card-changed': {
      done: 'The bank declines a charge, the payer gives another card, and the retry is approved.',
      why: 'Cards expire and are replaced.',
      steps: [passDays(31, [DECLINED]), changeCard, passDays(2), deliverCharges],
    },
    'subscription-card-removed': {
      done: 'The stored card is deleted, and every charge of a month fails.',
      why: 'Payers delete their card in the shop, and expect that nothing more is charged.',
      steps: [removeCard, passMonth()],
    },
    'subscription-card-expired': {
      done: 'Every charge of a month fails because the card has expired.',
      why: 'Cards expire.',
      steps: [passMonth(...Array(5).fill('errors.card.expired'))],
    },
    'subscription-outage': {
      done: 'The shop is down for three months. Then the webhooks of three charges arrive together, the newest first.',
      why: 'After an outage, webhooks arrive late and in another order.',
      steps: [
        passDays(95),
        async (stage, first) => {
          for (const charge of (await listCharges(stage, first)).toReversed())
            await webhooks.deliver(stage, charge)
        },
      ],
    },
  },
)
