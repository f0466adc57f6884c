import { CheckError } from './check-error.ts'
import {
  createApiClient,
  createControlClient,
  createWebhookActions,
  HELD,
  sendingPath,
} from './gateway-calls.ts'
import { createOracle } from './oracle.ts'
import { ORDER_EVENTS } from './order-view.ts'
import { createPayer } from './payer.ts'
import type { ShopUnderCheck } from './plan.ts'
import { type CheckedGateway, NotCheckedError, ShopFault, type Stage } from './stage.ts'
import { createTimeActions } from './time-actions.ts'
import { createTransactionReader, type TransactionReader } from './transactions.ts'

/** Events whose orders are tried if the plan names none: 12 orders. */
const EVENTS_TRIED = 4

/**
 * Creates the actions of cases on a shop; the webhooks of its merchant must be held, see
 * `holdWebhooks`.
 */
export function createStage(gateway: CheckedGateway, shop: ShopUnderCheck): Stage {
  const transactions = createTransactionReader(gateway)
  return {
    ...createWebhookActions(gateway),
    ...createOracle(shop),
    ...createPurchaseActions(shop, transactions),
    ...createPaymentActions(gateway, shop),
    ...createTimeActions(gateway, transactions),
    ...createGatewayFaults(gateway),
    events: shop.events ?? ORDER_EVENTS.slice(0, EVENTS_TRIED),
    async mustBePaidOnce(purchases) {
      const taken = []
      for (const purchase of purchases)
        if (/^(?:approved|authorized)$/.test((await transactions.read(purchase)).status))
          taken.push(purchase.paymentRef)
      if (taken.length > 1)
        throw new ShopFault(
          `The payer paid one order ${taken.length} times, as ${taken.join(' and ')}.`,
        )
    },
  }
}

type PurchaseActions = Pick<
  Stage,
  'buy' | 'tryToBuy' | 'buyAgain' | 'reserve' | 'subscribe' | 'change'
>

/** Creates the actions that buy in the shop according to the plan. */
function createPurchaseActions(
  shop: ShopUnderCheck,
  { findByPage }: TransactionReader,
): PurchaseActions {
  return {
    buy: async () => findByPage(await shop.buy()),
    async tryToBuy() {
      await shop.buy().catch((error) => {
        if (!(error instanceof CheckError) || /did not answer/.test(error.message))
          throw new ShopFault(error.message)
      })
    },
    buyAgain: async ({ paymentRef }) =>
      findByPage(await requireWay(shop, 'retry', '/buy/{payment_ref}/again')(paymentRef)),
    reserve: async () => findByPage(await requireWay(shop, 'reserve', '/buy?capture=later')()),
    subscribe: async () => findByPage(await requireWay(shop, 'subscribe', '/subscribe')()),
    change: ({ paymentRef }) =>
      requireWay(shop, 'change', '/orders/{payment_ref}/change')(paymentRef),
  }
}

type PaymentActions = Pick<Stage, 'pay' | 'answerBank' | 'visit' | 'changePayment' | 'refund'>

/** Pays as the payer, and changes payments as the merchant's staff. */
function createPaymentActions(gateway: CheckedGateway, shop: ShopUnderCheck): PaymentActions {
  const [api, control] = [createApiClient(gateway), createControlClient(gateway)]
  const payer = shop.createPayer?.(gateway.url) ?? createPayer(gateway.url, shop.timeout)
  return {
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
  }
}

/** Injects faults into the gateway's answers to the shop. */
function createGatewayFaults(gateway: CheckedGateway): Pick<Stage, 'fault'> {
  const control = createControlClient(gateway)
  return {
    async fault({ kind, method = 'POST', milliseconds, times = 1 }) {
      const rule = {
        kind,
        method,
        path: '/v1/transactions',
        merchant_id: String(gateway.merchant.id),
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
  }
}

type OptionalWay = 'retry' | 'reserve' | 'subscribe' | 'change'

/** @throws NotCheckedError with the line that would check this */
function requireWay<Way extends OptionalWay>(
  shop: ShopUnderCheck,
  way: Way,
  address: string,
): NonNullable<ShopUnderCheck[Way]> {
  const act = shop[way]
  if (act) return act
  throw new NotCheckedError(
    `The plan has no "${way}". To check this, add: "${way}": { "post": "${address}" }`,
  )
}
