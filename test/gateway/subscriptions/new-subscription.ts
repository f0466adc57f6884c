import type {
  ApiError,
  Plan,
  StoredCard,
  Subscription,
  Transaction,
} from '../../../mock-gateway/contract/wire.ts'
import { type Answer, CARD, type Client, type Fields } from '../../helpers/gateway.ts'

/** Plan of 99.00 kronor or 9.90 euros a month, until the subscription is cancelled. */
const MONTHLY: Fields = {
  name: 'Monthly',
  interval_unit: 'months',
  interval: 1,
  prices: '{"sek":"99.00","eur":"9.90"}',
}

export const newPlan = async (shop: Client, over: Fields = {}) =>
  (await shop.post<Plan>('/v1/plans', { ...MONTHLY, ...over })).body

export const newCard = async (shop: Client, over: Fields = {}) =>
  (
    await shop.post<StoredCard>('/v1/stored_cards', {
      ...CARD,
      card_type: 'VISA',
      currency: 'sek',
      test: true,
      ...over,
    })
  ).body

/**
 * Creates a subscription on its own card. Its first charge is due a day later, so that nothing is
 * charged automatically during a test.
 */
export async function newSubscription(
  shop: Client,
  over: Fields = {},
  plan: Fields = {},
): Promise<Subscription> {
  const [{ id: plan_id }, { id: stored_card_id }] = [
    await newPlan(shop, { trial_length: 1, ...plan }),
    await newCard(shop),
  ]
  return (await shop.post<Subscription>('/v1/subscriptions', { plan_id, stored_card_id, ...over }))
    .body
}

/** Transaction whose references are extended. */
export type Extended = Omit<Transaction, 'subscription' | 'stored_card' | 'customer'> &
  ApiError & {
    readonly subscription: Subscription
    readonly stored_card: StoredCard
    readonly customer: { readonly id: number }
  }

/** Returns the error name of an answer, or `accepted`. */
export const refusalOf = ({ status, body }: Answer<unknown>): string =>
  status === 200 ? 'accepted' : (body as ApiError).name
