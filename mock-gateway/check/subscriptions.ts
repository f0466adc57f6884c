import type { Subscription } from '../contract/wire.ts'
import { NotCheckedError } from './errors.ts'
import type { StageParts } from './parts.ts'
import { EXPIRY, HOLDER } from './payer.ts'
import { type Purchase, toPurchase } from './purchase.ts'

/** Card that replaces the card of a subscription. */
const OTHER_CARD = {
  card_number: '5555555555554444',
  card_holder: HOLDER,
  card_expiry: EXPIRY,
  card_cvv: '200',
  card_type: 'MASTERCARD',
  test: true,
}

/** A payment of a subscription that the gateway has made. */
export type Charge = Purchase & { readonly status: string }

/** Creates the actions on a subscription, which move the merchant's clock. */
export function createSubscriptions({ gateway, shop, state, story }: StageParts) {
  const { api, control, own } = gateway
  async function find({ id }: Purchase): Promise<Subscription> {
    const { subscription } = await api.getTransaction(id)
    if (subscription) return api.getSubscription(subscription.id)
    throw new NotCheckedError(
      'The payment of "subscribe" begins no subscription. Send plan_id with it.',
    )
  }
  return {
    /** The shop has an order for each renewal. */
    hasRenewals: shop.renewal !== undefined,
    /**
     * Moves the merchant's clock.
     * @param outcomes the bank's answers to the next charges
     */
    passDays(days: number, outcomes: readonly string[] = []) {
      const answers = outcomes.length > 0 ? ` The bank's answers are ${outcomes.join(', ')}.` : ''
      return story.step('other', `${days} days pass.${answers}`, async () => {
        for (const outcome of outcomes) await control.payments.force({ ...own, outcome })
        await control.clock.advance({ ...own, days })
      })
    },
    /** Gives a subscription another card. */
    changeCard: (purchase: Purchase) =>
      story.step(
        'other',
        `The subscription of ${purchase.paymentRef} gets another card.`,
        async () => {
          const { currency } = purchase
          const card = await api.createStoredCard({ ...OTHER_CARD, currency })
          const { id } = await find(purchase)
          await api.updateSubscription(id, { stored_card_id: card.id })
        },
      ),
    /** Deletes the card of a subscription. */
    removeCard: (purchase: Purchase) =>
      story.step('other', `The stored card of ${purchase.paymentRef} is deleted.`, async () => {
        const { stored_card } = await find(purchase)
        if (stored_card) await api.cancelStoredCard(stored_card.id)
      }),
    /** Cancels a subscription, and sets the merchant's clock back. */
    end: (purchase: Purchase) =>
      story.step('other', `The subscription of ${purchase.paymentRef} is cancelled.`, async () => {
        await api.cancelSubscription((await find(purchase)).id)
        await control.payments.unforce(own)
        await state.restoreClock()
      }),
    /** Lists the charges that the gateway has made, the oldest first, without the first payment. */
    async charges(purchase: Purchase): Promise<readonly Charge[]> {
      const { id: subscriptionId } = await find(purchase)
      const all = await api.listTransactionsOfSubscription(subscriptionId, { limit: 100 }).all()
      return all
        .filter(({ id }) => id !== purchase.id)
        .toSorted((one, other) => one.id - other.id)
        .map((each) => ({ ...toPurchase(each), subscriptionId, status: each.status }))
    },
  }
}
