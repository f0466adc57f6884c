import { NotCheckedError } from '../errors.ts'
import { EXPIRY, HOLDER } from '../payer.ts'
import { type Purchase, toPurchase } from '../purchase.ts'
import type { Action, Stage } from '../stage.ts'

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
export const passDays =
  (days: number, outcomes: readonly string[] = []): Action =>
  ({ gateway: { control, own }, story }) => {
    const answers = outcomes.length > 0 ? ` The bank's answers are ${outcomes.join(', ')}.` : ''
    return story.step('other', `${days} days pass.${answers}`, async () => {
      for (const outcome of outcomes) await control.payments.force({ ...own, outcome })
      await control.clock.advance({ ...own, days })
    })
  }

/** Gives a subscription another card. */
export const changeCard: Action = (stage, purchase) =>
  stage.story.step(
    'other',
    `The subscription of ${purchase.paymentRef} gets another card.`,
    async () => {
      const { api } = stage.gateway
      const card = await api.createStoredCard({ ...OTHER_CARD, currency: purchase.currency })
      const { id } = await findSubscription(stage, purchase)
      await api.updateSubscription(id, { stored_card_id: card.id })
    },
  )

/** Deletes the card of a subscription. */
export const removeCard: Action = (stage, purchase) =>
  stage.story.step('other', `The stored card of ${purchase.paymentRef} is deleted.`, async () => {
    const { stored_card } = await findSubscription(stage, purchase)
    if (stored_card) await stage.gateway.api.cancelStoredCard(stored_card.id)
  })

/** Cancels a subscription, and sets the merchant's clock back. */
export const endSubscription: Action = (stage, purchase) =>
  stage.story.step(
    'other',
    `The subscription of ${purchase.paymentRef} is cancelled.`,
    async () => {
      const { api, control, own } = stage.gateway
      await api.cancelSubscription((await findSubscription(stage, purchase)).id)
      await control.payments.unforce(own)
      await stage.state.restoreClock()
    },
  )

/** Lists the charges that the gateway has made, the oldest first, without the first payment. */
export async function listCharges(stage: Stage, purchase: Purchase): Promise<readonly Purchase[]> {
  const { id: subscriptionId } = await findSubscription(stage, purchase)
  const { api } = stage.gateway
  const all = await api.listTransactionsOfSubscription(subscriptionId, { limit: 100 }).all()
  return all
    .filter(({ id }) => id !== purchase.id)
    .toSorted((one, other) => one.id - other.id)
    .map((each) => ({ ...toPurchase(each), subscriptionId }))
}
