import type { Purchase } from '../purchase.ts'
import type { Stage } from '../stage.ts'
import { type CheckCase, deliver, ifAny, payAndReturn } from './case.ts'

/** Happens after the first payment of a subscription. */
type Act = (stage: Stage, first: Purchase) => Promise<void>

const DECLINED = 'errors.payment.declined'

const CASES: readonly (Pick<CheckCase, 'name' | 'done' | 'why'> & { readonly act: Act })[] = [
  {
    name: 'subscription-charged',
    done: 'A month passes, and the gateway charges the subscription.',
    why: 'The payer is not present: only the webhook recurring_success reports the charge.',
    act: passMonth,
  },
  {
    name: 'subscription-webhook-twice',
    done: 'A month passes, and the webhook about the charge arrives twice.',
    why: 'A gateway that retries after a lost answer sends the webhook twice.',
    async act(stage, first) {
      await passMonth(stage, first)
      for (const charge of await stage.subscription.charges(first))
        await ifAny(stage.webhooks.resend(charge))
    },
  },
  {
    name: 'subscription-retried',
    done: 'The bank declines a charge. The gateway retries a day later, and the bank approves.',
    why: 'Accounts are empty at the end of a month.',
    act: (stage, first) => passMonth(stage, first, [DECLINED]),
  },
  {
    name: 'subscription-failed',
    done: 'The bank declines all attempts of one month, and approves the next month.',
    why: 'Payers forget to pay, and pay again later.',
    async act(stage, first) {
      await passMonth(stage, first, Array(5).fill(DECLINED))
      await passMonth(stage, first)
    },
  },
  {
    name: 'subscription-card-changed',
    done: 'The bank declines a charge, the payer gives another card, and the retry is approved.',
    why: 'Cards expire and are replaced.',
    async act(stage, first) {
      await stage.subscription.passDays(31, [DECLINED])
      await stage.subscription.changeCard(first)
      await stage.subscription.passDays(2)
      await deliverCharges(stage, first)
    },
  },
  {
    name: 'subscription-card-removed',
    done: 'The stored card is deleted, and every charge of a month fails.',
    why: 'Payers delete their card in the shop, and expect that nothing more is charged.',
    async act(stage, first) {
      await stage.subscription.removeCard(first)
      await passMonth(stage, first)
    },
  },
  {
    name: 'subscription-card-expired',
    done: 'Every charge of a month fails because the card has expired.',
    why: 'Cards expire.',
    act: (stage, first) => passMonth(stage, first, Array(5).fill('errors.card.expired')),
  },
  {
    name: 'subscription-outage',
    done: 'The shop is down for three months. Then the webhooks of three charges arrive together, the newest first.',
    why: 'After an outage, webhooks arrive late and in another order.',
    async act(stage, first) {
      await stage.subscription.passDays(95)
      for (const charge of (await stage.subscription.charges(first)).toReversed())
        await deliver(stage, charge)
    },
  },
]

/** A subscription is charged by month. Each case moves the clock. */
export const SUBSCRIPTION_CASES: readonly CheckCase[] = CASES.map(({ act, ...each }) => ({
  ...each,
  must: 'Each paid period is fulfilled once. No unpaid period is fulfilled.',
  isAlone: true,
  run: (stage) => afterSubscribing(stage, act),
}))

async function afterSubscribing(stage: Stage, act: Act) {
  const first = await stage.payer.subscribe()
  await payAndReturn(stage, first)
  try {
    await stage.orders.mustBeFulfilledOnce(first)
    await act(stage, first)
    await ifAny(stage.webhooks.resend(first))
    const charges = await stage.subscription.charges(first)
    const paid = charges.filter(({ status }) => status === 'approved')
    if (!stage.subscription.hasRenewals)
      await stage.orders.mustBeFulfilledFor(first, 1 + paid.length, 1 + charges.length)
    else {
      for (const charge of charges)
        if (!paid.includes(charge)) await stage.orders.mustNotBeFulfilled(charge)
      await stage.orders.mustBeFulfilledOnce(first, ...paid)
    }
  } finally {
    await stage.subscription.end(first)
  }
}

/** Moves the clock over a month and its retries, and delivers the webhooks about its charges. */
async function passMonth(stage: Stage, first: Purchase, outcomes: readonly string[] = []) {
  await stage.subscription.passDays(31, outcomes)
  if (outcomes.length > 0) await stage.subscription.passDays(20)
  await deliverCharges(stage, first)
}

async function deliverCharges(stage: Stage, first: Purchase) {
  for (const charge of await stage.subscription.charges(first)) await deliver(stage, charge)
}
