import { NotCheckedError } from '../errors.ts'
import { EXPIRY, HOLDER } from '../payer.ts'
import { type Purchase, toPurchase } from '../purchase.ts'
import { type Action, joinActions, type Stage } from '../stage.ts'
import * as orders from '../steps/orders.ts'
import * as payer from '../steps/payer.ts'
import * as webhooks from '../steps/webhooks.ts'
import { createCases } from './case.ts'

/** Card that replaces the card of a subscription. */
const OTHER_CARD = {
  card_number: '5555555555554444',
  card_holder: HOLDER,
  card_expiry: EXPIRY,
  card_cvv: '200',
  card_type: 'MASTERCARD',
  test: true,
}

/** @throws NotCheckedError if the payment begins no subscription */
async function findSubscription({ gateway: { api } }: Stage, { id }: Purchase) {
  const { subscription } = await api.getTransaction(id)
  if (subscription) return api.getSubscription(subscription.id)
  throw new NotCheckedError(
    'The payment of "subscribe" begins no subscription. Send plan_id with it.',
  )
}

/**
 * Moves the merchant's clock.
 * @param outcomes the bank's answers to the next charges
 */
const passDays =
  (days: number, outcomes: readonly string[] = []): Action =>
  ({ gateway: { control, own }, story }) => {
    const answers = outcomes.length > 0 ? ` The bank's answers are ${outcomes.join(', ')}.` : ''
    return story.step('other', `${days} days pass.${answers}`, async () => {
      for (const outcome of outcomes) await control.payments.force({ ...own, outcome })
      await control.clock.advance({ ...own, days })
    })
  }

/** Gives a subscription another card. */
const changeCard: Action = (stage, purchase) =>
  stage.story.step(
    'other',
    `The subscription of ${purchase.payment_ref} gets another card.`,
    async () => {
      const { api } = stage.gateway
      const card = await api.createStoredCard({ ...OTHER_CARD, currency: purchase.currency })
      const { id } = await findSubscription(stage, purchase)
      await api.updateSubscription(id, { stored_card_id: card.id })
    },
  )

/** Deletes the card of a subscription. */
const removeCard: Action = (stage, purchase) =>
  stage.story.step('other', `The stored card of ${purchase.payment_ref} is deleted.`, async () => {
    const { stored_card } = await findSubscription(stage, purchase)
    if (stored_card) await stage.gateway.api.cancelStoredCard(stored_card.id)
  })

/** Cancels a subscription, and sets the merchant's clock back. */
const endSubscription: Action = (stage, purchase) =>
  stage.story.step(
    'other',
    `The subscription of ${purchase.payment_ref} is cancelled.`,
    async () => {
      const { api, control, own } = stage.gateway
      await api.cancelSubscription((await findSubscription(stage, purchase)).id)
      await control.payments.unforce(own)
      await stage.state.restoreClock()
    },
  )

/** Lists the charges that the gateway has made, the oldest first, without the first payment. */
async function listCharges(stage: Stage, purchase: Purchase): Promise<readonly Purchase[]> {
  const { id: subscriptionId } = await findSubscription(stage, purchase)
  const { api } = stage.gateway
  const all = await api.listTransactionsOfSubscription(subscriptionId, { limit: 100 }).all()
  return all
    .filter(({ id }) => id !== purchase.id)
    .toSorted((one, other) => one.id - other.id)
    .map((each) => ({ ...toPurchase(each), subscriptionId }))
}

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
