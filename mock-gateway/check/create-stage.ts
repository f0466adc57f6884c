import { apiOf, controlOf, HELD, sendingPath, webhooksOf } from './gateway-calls.ts'
import { oracleOf } from './oracle.ts'
import { payerOf } from './payer.ts'
import { ORDER_EVENTS, type ShopUnderCheck } from './plan.ts'
import { CheckError } from './shop-calls.ts'
import { type CheckedGateway, NotChecked, type Purchase, ShopFault, type Stage } from './stage.ts'

/** Members of a transaction that the check reads. */
interface WireTransaction {
  readonly id: number
  readonly href: string
  readonly payment_ref: string
  readonly amount: string
  readonly currency: string
  readonly success_url: string | null
  readonly status: string
  readonly subscription: { readonly id: number } | null
}

/** Events whose orders are tried if the plan names none: 12 orders. */
const EVENTS_TRIED = 4

/**
 * Creates the actions of cases on a shop; the webhooks of its merchant must be held, see
 * `holdWebhooks`.
 */
export function createStage(gateway: CheckedGateway, shop: ShopUnderCheck): Stage {
  const { url, merchant } = gateway
  const [api, control] = [apiOf(gateway), controlOf(gateway)]
  const owner = `merchant_id=${merchant.id}`
  const [payer, webhooks, oracle] = [
    payerOf(url, shop.timeout),
    webhooksOf(gateway),
    oracleOf(shop),
  ]

  async function purchaseAt(page: string): Promise<Purchase> {
    const token = URL.parse(page)?.pathname.split('/').at(-1) ?? ''
    const found = (await api(
      'GET',
      `/transactions?filter[href_token]=${encodeURIComponent(token)}`,
    )) as readonly WireTransaction[]
    const own = found.find(({ href }) => href === page)
    if (own) return purchaseOf(own)
    throw new CheckError(
      `The shop sent the payer to ${page}, which is not a payment page of the merchant ${merchant.id} at ${url}.`,
    )
  }
  const read = async ({ id }: Purchase) =>
    (await api('GET', `/transactions/${id}`)) as WireTransaction
  async function subscriptionOf(purchase: Purchase): Promise<string> {
    const { subscription } = await read(purchase)
    if (subscription) return `/subscriptions/${subscription.id}`
    throw new NotChecked('The payment of "subscribe" begins no subscription. Send plan_id with it.')
  }
  const moveClock = (move: string, fields: Readonly<Record<string, string>>) =>
    control('POST', `/clock/${move}?${owner}`, fields)
  const orderOutcome = (kind: 'payments' | 'captures', fields: Readonly<Record<string, string>>) =>
    control('POST', `/${kind}/next?${owner}`, fields)

  return {
    ...webhooks,
    ...oracle,
    events: shop.events ?? ORDER_EVENTS.slice(0, EVENTS_TRIED),
    buy: async () => purchaseAt(await shop.buy()),
    async tryToBuy() {
      await shop.buy().catch((error) => {
        if (!(error instanceof CheckError) || /did not answer/.test(error.message))
          throw new ShopFault(error.message)
      })
    },
    buyAgain: async ({ paymentRef }) =>
      purchaseAt(await planned(shop, 'retry', '/buy/{payment_ref}/again')(paymentRef)),
    reserve: async () => purchaseAt(await planned(shop, 'reserve', '/buy?capture=later')()),
    subscribe: async () => purchaseAt(await planned(shop, 'subscribe', '/subscribe')()),
    change: ({ paymentRef }) => planned(shop, 'change', '/orders/{payment_ref}/change')(paymentRef),
    async pay({ page }, card = 'approved', copies = 1) {
      if (copies === 1) return payer.pay(page, card)
      await control('PUT', sendingPath(gateway), { ...HELD, duplicates: String(copies - 1) })
      try {
        return await payer.pay(page, card)
      } finally {
        await control('PUT', sendingPath(gateway), HELD)
      }
    },
    answerBank: payer.answerBank,
    visit: payer.visit,
    async changePayment({ id }, fields) {
      await api('PUT', `/transactions/${id}`, { ...fields, process: 'false' })
    },
    async refund({ id }, amount) {
      await api('POST', '/refunds', { transaction_id: String(id), amount, reason: 'Checked' })
    },
    async captureInVain({ id, amount }) {
      await orderOutcome('captures', { outcome: 'errors.payment.declined', seconds: '3600' })
      await api('PUT', `/transactions/${id}/capture`, { amount })
      await moveClock('advance', { seconds: '3601' })
      await resetClock()
    },
    async passTime({ days }, outcomes = []) {
      for (const outcome of outcomes) await orderOutcome('payments', { outcome })
      await moveClock('advance', { days: String(days) })
    },
    async changeCard(purchase) {
      const fields = {
        card_number: '5555555555554444',
        card_holder: 'Kim Berg',
        card_expiry: '1240',
        card_cvv: '200',
      }
      const { currency } = purchase
      const card = (await api('POST', '/stored_cards', {
        ...fields,
        card_type: 'MASTERCARD',
        currency,
        test: 'true',
      })) as { readonly id: number }
      await api('PUT', await subscriptionOf(purchase), { stored_card_id: String(card.id) })
    },
    async removeCard(purchase) {
      const { stored_card } = (await api('GET', await subscriptionOf(purchase))) as {
        readonly stored_card: { readonly id: number }
      }
      await api('DELETE', `/stored_cards/${stored_card.id}`)
    },
    async endSubscription(purchase) {
      await api('DELETE', await subscriptionOf(purchase))
      await control('DELETE', `/payments/next?${owner}`)
      await resetClock()
    },
    async fault({ kind, method = 'POST', milliseconds, times = 1 }) {
      const rule = {
        kind,
        method,
        path: '/v1/transactions',
        merchant_id: String(merchant.id),
        times: String(times),
      }
      const { id } = (await control('POST', '/faults', {
        ...rule,
        ...(milliseconds !== undefined && { milliseconds: String(milliseconds) }),
      })) as { readonly id: number }
      return async () => {
        const { faults } = (await control('GET', '/faults')) as {
          readonly faults: readonly { readonly id: number }[]
        }
        if (faults.some((fault) => fault.id === id)) await control('DELETE', `/faults/${id}`)
      }
    },
    async charges(purchase) {
      const path = `${(await subscriptionOf(purchase)).replace('subscriptions', 'subscription')}/transactions?limit=100`
      const all = (await api('GET', path)) as readonly WireTransaction[]
      return all
        .filter(({ id }) => id !== purchase.id)
        .toSorted((one, other) => one.id - other.id)
        .map((each) => ({ ...purchaseOf(each), status: each.status }))
    },
    async mustBePaidOnce(purchases) {
      const taken = []
      for (const purchase of purchases)
        if (/^(?:approved|authorized)$/.test((await read(purchase)).status))
          taken.push(purchase.paymentRef)
      if (taken.length > 1)
        throw new ShopFault(
          `The payer paid one order ${taken.length} times, as ${taken.join(' and ')}.`,
        )
    },
  }

  async function resetClock() {
    await moveClock('resume', { real: 'true', force: 'true' })
  }
}

const purchaseOf = ({
  id,
  payment_ref,
  href,
  amount,
  currency,
  success_url,
}: WireTransaction): Purchase => ({
  id,
  paymentRef: payment_ref,
  page: href,
  amount,
  currency,
  successUrl: success_url ?? '',
})

type PlannedWay = 'retry' | 'reserve' | 'subscribe' | 'change'

/** @throws NotChecked with the line that would check this */
function planned<Way extends PlannedWay>(
  shop: ShopUnderCheck,
  way: Way,
  address: string,
): NonNullable<ShopUnderCheck[Way]> {
  const act = shop[way]
  if (act) return act
  throw new NotChecked(
    `The plan has no "${way}". To check this, add: "${way}": { "post": "${address}" }`,
  )
}
