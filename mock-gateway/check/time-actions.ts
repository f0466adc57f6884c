import { createApiClient, createControlClient } from './gateway-calls.ts'
import { type CheckedGateway, NotCheckedError, type Purchase, type Stage } from './stage.ts'
import { type TransactionReader, toPurchase, type WireTransaction } from './transactions.ts'

type TimeActions = Pick<
  Stage,
  'captureInVain' | 'passTime' | 'changeCard' | 'removeCard' | 'endSubscription' | 'charges'
>

/** Card that replaces the card of a subscription. */
const OTHER_CARD = {
  card_number: '5555555555554444',
  card_holder: 'Kim Berg',
  card_expiry: '1240',
  card_cvv: '200',
  card_type: 'MASTERCARD',
  test: 'true',
}

/** Creates the actions of subscriptions and captures, which move the merchant's clock. */
export function createTimeActions(
  gateway: CheckedGateway,
  { read }: TransactionReader,
): TimeActions {
  const [api, control] = [createApiClient(gateway), createControlClient(gateway)]
  const owner = `merchant_id=${gateway.merchant.id}`
  const moveClock = (move: string, fields: Readonly<Record<string, string>>) =>
    control('POST', `/clock/${move}?${owner}`, fields)
  const resetClock = () => moveClock('resume', { real: 'true', force: 'true' })
  const forceOutcome = (kind: 'payments' | 'captures', fields: Readonly<Record<string, string>>) =>
    control('POST', `/${kind}/next?${owner}`, fields)
  async function findSubscriptionPath(purchase: Purchase): Promise<string> {
    const { subscription } = await read(purchase)
    if (subscription) return `/subscriptions/${subscription.id}`
    throw new NotCheckedError(
      'The payment of "subscribe" begins no subscription. Send plan_id with it.',
    )
  }
  return {
    async captureInVain({ id, amount }) {
      await forceOutcome('captures', { outcome: 'errors.payment.declined', seconds: '3600' })
      await api('PUT', `/transactions/${id}/capture`, { amount })
      await moveClock('advance', { seconds: '3601' })
      await resetClock()
    },
    async passTime({ days }, outcomes = []) {
      for (const outcome of outcomes) await forceOutcome('payments', { outcome })
      await moveClock('advance', { days: String(days) })
    },
    async changeCard(purchase) {
      const { currency } = purchase
      const card = (await api('POST', '/stored_cards', { ...OTHER_CARD, currency })) as {
        readonly id: number
      }
      await api('PUT', await findSubscriptionPath(purchase), { stored_card_id: String(card.id) })
    },
    async removeCard(purchase) {
      const { stored_card } = (await api('GET', await findSubscriptionPath(purchase))) as {
        readonly stored_card: { readonly id: number }
      }
      await api('DELETE', `/stored_cards/${stored_card.id}`)
    },
    async endSubscription(purchase) {
      await api('DELETE', await findSubscriptionPath(purchase))
      await control('DELETE', `/payments/next?${owner}`)
      await resetClock()
    },
    async charges(purchase) {
      const subscription = await findSubscriptionPath(purchase)
      const path = `${subscription.replace('subscriptions', 'subscription')}/transactions?limit=100`
      const all = (await api('GET', path)) as readonly WireTransaction[]
      return all
        .filter(({ id }) => id !== purchase.id)
        .toSorted((one, other) => one.id - other.id)
        .map((each) => ({ ...toPurchase(each), status: each.status }))
    },
  }
}
