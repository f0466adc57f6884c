import { setTimeout as wait } from 'node:timers/promises'
import type { OrderView, ShopUnderCheck } from './plan.ts'
import { CheckError, readText, request } from './shop-calls.ts'

/** Where the gateway is, and the account that the shop uses. */
export interface CheckedGateway {
  readonly url: string
  readonly controlKey: string
  readonly merchant: { readonly id: number; readonly password: string }
}

/** The case cannot be checked with this shop or plan; the message says why. */
export class NotChecked extends Error {}

/** What a shop did wrong. */
export class ShopFault extends Error {}

/** By which the bank approves or declines. */
const CVV = { approved: '200', declined: '201' }

/** A purchase in the shop: its payment page is open, nothing is paid. */
export interface Purchase {
  readonly id: number
  readonly paymentRef: string
  readonly page: string
  readonly amount: string
  readonly currency: string
  readonly successUrl: string
}

/** What a case can do and what it can require. */
export interface Stage {
  buy(): Promise<Purchase>
  /** Starts a purchase that may fail. */
  tryToBuy(): Promise<void>
  /** Pays on the payment page. @returns the address to which the payer is sent */
  pay(purchase: Purchase, answer?: keyof typeof CVV): Promise<string>
  /** The payer arrives at an address and follows redirects. */
  visit(address: string): Promise<void>
  /** Releases held webhooks of a purchase, one after the other. */
  release(purchase: Purchase): Promise<void>
  resend(purchase: Purchase): Promise<void>
  /** Sends altered copies of the webhooks of a purchase. */
  alter(purchase: Purchase, change: string, paymentRef?: string): Promise<void>
  refund(purchase: Purchase, amount: string): Promise<void>
  /** The next payment that the shop creates fails in this way. @returns ends the fault if it is left */
  fault(kind: string): Promise<() => Promise<void>>
  /** The order is paid and fulfilled once, as it was paid. */
  mustBeFulfilledOnce(purchase: Purchase): Promise<void>
  mustNotBeFulfilled(purchase: Purchase): Promise<void>
  mustBeRefunded(purchase: Purchase, amount: string): Promise<void>
}

export interface Delivery {
  readonly id: number
  readonly status: string
  readonly due_at: string | null
  readonly attempts: number
}

/** Milliseconds between two looks, and for one delivery. */
const LOOK_MS = 50
const DELIVERY_MS = 30_000
/** Milliseconds after which a shop that was not paid is judged. */
const QUIET_MS = 300
const MOST_REDIRECTS = 10

/** What cases do to a shop; the webhooks of its merchant must be held, see `holdWebhooks`. */
export function createStage(gateway: CheckedGateway, shop: ShopUnderCheck): Stage {
  const { url, merchant } = gateway
  const control = controlOf(gateway)
  const authorization = `Basic ${btoa(`${merchant.id}:${merchant.password}`)}`
  const api = async (method: string, path: string, fields?: Readonly<Record<string, string>>) => {
    const body = fields ? new URLSearchParams(fields) : null
    const answer = await request(`${url}/v1${path}`, { method, body, headers: { authorization } })
    if (!answer.ok)
      throw new CheckError(
        `The gateway answered ${answer.status} to ${method} ${path}: check --merchant and --password.`,
      )
    return JSON.parse(await readText(answer))
  }
  const deliveriesOf = async ({ id }: Purchase): Promise<Delivery[]> => {
    const all = await control('GET', `/webhooks/deliveries?transaction_id=${id}`)
    return (all as Delivery[]).toReversed()
  }
  const heldOf = async (purchase: Purchase) => {
    const all = await deliveriesOf(purchase)
    return needed(all.filter(({ status, due_at }) => status === 'pending' && due_at === null))
  }
  const sent = async (purchase: Purchase, before: readonly Delivery[]) => {
    const until = performance.now() + DELIVERY_MS
    for (;;) {
      const now = await deliveriesOf(purchase)
      const isSent = ({ id, attempts }: Delivery) => (now.find((each) => each.id === id)?.attempts ?? 0) > attempts
      if (before.every(isSent)) return
      if (performance.now() > until) throw new ShopFault('The shop did not answer its webhook within 30 seconds.')
      await wait(LOOK_MS)
    }
  }
  async function send(purchase: Purchase, delivery: Delivery, how: 'retry' | 'send') {
    await control('POST', `/webhooks/deliveries/${delivery.id}/${how}`)
    await sent(purchase, [delivery])
  }
  const look = (purchase: Purchase) => shop.order(purchase.paymentRef)
  const visible = async (purchase: Purchase) => {
    const order = await look(purchase)
    if (order.fulfilled === undefined)
      throw new NotChecked('The plan does not show "fulfilled". Add it to "order", and show how often goods were sent.')
    return order as OrderView & { readonly fulfilled: number }
  }

  const stage: Stage = {
    async buy() {
      const page = await shop.buy()
      const found = await api('GET', '/transactions?limit=20&order_by=id:desc')
      const own = (found as Readonly<Record<string, string>>[]).find(({ href }) => href === page)
      if (!own)
        throw new CheckError(
          `The shop sent the payer to ${page}, which is not a payment page of the merchant ${merchant.id} at ${url}.`,
        )
      return {
        id: Number(own.id),
        paymentRef: String(own.payment_ref),
        page,
        amount: String(own.amount),
        currency: String(own.currency),
        successUrl: String(own.success_url ?? ''),
      }
    },
    async tryToBuy() {
      await shop.buy().catch((error) => {
        if (!(error instanceof CheckError) || /did not answer/.test(error.message)) throw new ShopFault(error.message)
      })
    },
    async pay({ page }, answer = 'approved') {
      const shown = await readText(await request(page))
      const version = /name="version" value="([^"]*)"/.exec(shown)?.[1] ?? ''
      const body = new URLSearchParams({
        version,
        payment_method: 'credit_card',
        card_number: '4111111111111111',
        card_holder: 'Kim Berg',
        card_expiry: '1240',
        card_cvv: CVV[answer],
      })
      const paid = await request(page, { method: 'POST', body })
      return new URL(paid.headers.get('location') ?? page, page).href
    },
    async visit(address) {
      const cookies = new Map<string, string>()
      let next: string | undefined = address
      for (let steps = 0; next !== undefined; steps++) {
        if (steps > MOST_REDIRECTS) throw new ShopFault(`The shop redirects endlessly at ${address}.`)
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
        const answer: Response = await request(next, { headers: cookie === '' ? {} : { cookie } }, shop.timeout)
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        await readText(answer)
        const location: string | null = answer.headers.get('location')
        next = answer.status >= 300 && answer.status < 400 && location ? new URL(location, next).href : undefined
      }
    },
    async release(purchase) {
      for (const delivery of await heldOf(purchase)) await send(purchase, delivery, 'retry')
    },
    async resend(purchase) {
      for (const delivery of await deliveriesOf(purchase)) await send(purchase, delivery, 'send')
    },
    async alter(purchase, change, paymentRef) {
      for (const { id } of needed(await deliveriesOf(purchase)))
        await control('POST', `/webhooks/deliveries/${id}/alter`, {
          change,
          ...(paymentRef && { payment_ref: paymentRef }),
        })
    },
    async refund({ id }, amount) {
      await api('POST', '/refunds', { transaction_id: String(id), amount, reason: 'Checked' })
    },
    async fault(kind) {
      const rule = { kind, method: 'POST', path: '/v1/transactions', merchant_id: String(merchant.id) }
      const { id } = (await control('POST', '/faults', rule)) as { readonly id: number }
      return async () => {
        const { faults } = (await control('GET', '/faults')) as { readonly faults: readonly { readonly id: number }[] }
        if (faults.some((fault) => fault.id === id)) await control('DELETE', `/faults/${id}`)
      }
    },
    async mustBeFulfilledOnce(purchase) {
      const until = performance.now() + shop.settle
      let order = await visible(purchase)
      while (order.fulfilled < 1 && performance.now() < until) {
        await wait(LOOK_MS)
        order = await visible(purchase)
      }
      if (order.fulfilled < 1) throw new ShopFault('The payer paid, and the order was not fulfilled.')
      await wait(LOOK_MS)
      const { fulfilled, paid, amount, currency } = await visible(purchase)
      if (fulfilled > 1) throw new ShopFault(`The order was fulfilled ${fulfilled} times for one payment.`)
      if (paid === false) throw new ShopFault('The order was fulfilled, and the shop does not show it as paid.')
      if (amount !== undefined && Number(amount) !== Number(purchase.amount))
        throw new ShopFault(`The order shows ${amount}, and ${purchase.amount} was paid.`)
      if (currency !== undefined && currency.toLowerCase() !== purchase.currency.toLowerCase())
        throw new ShopFault(`The order shows ${currency}, and ${purchase.currency} was paid.`)
    },
    async mustNotBeFulfilled(purchase) {
      await wait(QUIET_MS)
      const { fulfilled, paid } = await visible(purchase)
      if (fulfilled > 0) throw new ShopFault('The order was fulfilled without a payment.')
      if (paid === true) throw new ShopFault('The shop shows the order as paid without a payment.')
    },
    async mustBeRefunded(purchase, amount) {
      const until = performance.now() + shop.settle
      for (;;) {
        const { refunded } = await look(purchase)
        if (refunded === undefined)
          throw new NotChecked('The plan does not show "refunded". Add it to "order", with the refunded amount.')
        if (Number(refunded) === Number(amount)) return
        if (performance.now() > until)
          throw new ShopFault(`${amount} was refunded at the gateway, and the order shows ${refunded}.`)
        await wait(LOOK_MS)
      }
    },
  }
  return stage
}

/** @throws NotChecked when there are none */
function needed(deliveries: readonly Delivery[]): readonly Delivery[] {
  if (deliveries.length > 0) return deliveries
  throw new NotChecked('The gateway sends no webhook for this payment. Give the transaction a webhook to check this.')
}

/** Calls the control API. */
export function controlOf({ url, controlKey }: CheckedGateway) {
  return async (method: string, path: string, fields?: Readonly<Record<string, string>>): Promise<unknown> => {
    const body = fields ? new URLSearchParams(fields) : null
    const answer = await request(`${url}/_control${path}`, { method, body, headers: { 'x-control-key': controlKey } })
    const text = await readText(answer)
    if (!answer.ok)
      throw new CheckError(`The gateway answered ${answer.status} to ${method} /_control${path}: check --control-key.`)
    return JSON.parse(text)
  }
}

/** Holds the merchant's webhooks. @returns sends them again as before */
export async function holdWebhooks(gateway: CheckedGateway): Promise<() => Promise<void>> {
  const control = controlOf(gateway)
  const sending = `/webhooks/sending?merchant_id=${gateway.merchant.id}`
  const before = (await control('GET', sending)) as Readonly<Record<string, unknown>> | null
  await control('PUT', sending, { ...textsOf(before), hold: 'true', duplicates: '0' })
  return async () => void (await control('PUT', sending, textsOf(before)))
}

const textsOf = (sending: Readonly<Record<string, unknown>> | null): Record<string, string> =>
  Object.fromEntries(Object.entries(sending ?? {}).map(([name, value]) => [name, String(value)]))
