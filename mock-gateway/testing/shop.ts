import type { Calls, NewTransaction } from '../client/calls.ts'
import type { Reach } from '../client/control.ts'
import type { Operations } from '../client/operations.ts'
import { createClient } from '../client.ts'
import type { Transaction } from '../contract/wire.ts'
import type { GivenSettings } from '../domain/merchant.ts'
import { pickHashedParts, requestHash } from '../domain/order/hash.ts'
import { advanceUntilWebhook, createTestClock, type TestClock } from './clock.ts'
import { type SentRequest, type TestRequest, writeStory } from './story.ts'
import { NoWebhookError, type Receiver, type TestWebhooks } from './webhooks.ts'

/** Options of a new merchant. */
export interface ShopOptions {
  readonly name?: string
  /** As in the merchants file. */
  readonly settings?: GivenSettings
  /** Sends webhooks to `webhooks`. False: only webhooks that the test requests. Default: true. */
  readonly webhooks?: boolean
}

/** Fields of an order. By default the order is 10.00 SEK, with a card that pays. */
export type Order = Partial<NewTransaction>

/** Merchant of one test or one worker. Changes to other merchants do not affect it. */
export interface Shop {
  readonly id: number
  readonly password: string
  readonly secret: string
  /** Every call of the API as this merchant. */
  readonly client: Calls
  readonly clock: TestClock
  readonly webhooks: TestWebhooks
  /**
   * An order with its own reference, a test card, and its hash, for your shop's program or a form.
   */
  order(over?: Order): NewTransaction & { readonly hash: string; readonly merchant_id: number }
  /** The hash of an order. */
  hash(order: Order): string
  /** Pays an order. @throws PaymentError when the bank refuses it */
  pay(over?: Order): Promise<Transaction>
  /** Prepares a payment that the payer makes at `href`. */
  prepare(over?: Order): Promise<Transaction>
  /**
   * Forces the bank's answers to the next payments, for every card.
   * @param outcome `approved`, or an error of the catalogue by its name or number
   */
  nextOutcome(outcome: string | number, options?: { readonly times?: number }): Promise<void>
  /**
   * Loses the answer to the next new transaction of this merchant: the payment is made, and the
   * connection is closed. The typed client asks again and gets the payment; see `retries`.
   */
  loseNextAnswer(): Promise<void>
  /**
   * Forces the bank to decline the next capture.
   * @param error of the catalogue by its name or number. Default: errors.payment.declined
   */
  failNextCapture(error?: string | number): Promise<void>
  /** Ends faults, forced outcomes and holds of this merchant, and returns its clock to real time. */
  backToNormal(): Promise<SandboxState>
  /** Lists what is switched on for this merchant. */
  state(): Promise<SandboxState>
  /** Reasons for which `client` has sent a call again. */
  readonly retries: readonly Error[]
  /** The last requests about this merchant, the newest first, with their explanations. */
  requests(): Promise<readonly TestRequest[]>
  /**
   * The newest request to a route with these values. @throws Error that names the nearest request
   * @example await shop.sent({ route: 'POST /v1/transactions', where: { amount: '12.50' } })
   */
  sent(wanted: {
    readonly route: string
    readonly where?: Readonly<Record<string, unknown>>
  }): Promise<SentRequest>
  /** Holds new webhooks of this merchant. @param paymentRef of one order. Default: all orders */
  holdWebhooks(paymentRef?: string): Promise<void>
  /** Sends held webhooks in the order of their events. @returns their number */
  releaseWebhooks(paymentRef?: string): Promise<number>
  /** Forgets all that was done; merchant, keys, settings and secret stay. */
  reset(): Promise<void>
  /** Returns the history as text: requests, payments with their steps, webhooks. */
  story(): Promise<string>
}

/** What is switched on for a merchant. */
type SandboxState = Awaited<ReturnType<Operations['sandbox']['state']>>

let orders = 0

/** Makes a merchant. */
export async function openShop(
  reach: Reach,
  control: Operations,
  receiver: Receiver,
  { name, settings = {}, webhooks = true }: ShopOptions = {},
): Promise<Shop> {
  const inbox = receiver.open()
  const templates = webhooks
    ? { webhooks: [...receiver.templatesFor(inbox), ...(settings.webhooks ?? [])] }
    : {}
  const { id, password, secret } = await control.merchants.create({
    name,
    settings: { ...settings, ...templates },
  })
  const mine = { merchant_id: id }
  const retries: Error[] = []
  const client = createClient({
    onRetry: (reason) => void retries.push(reason),
    url: reach.url,
    merchantId: id,
    password,
    secret,
    fetch: reach.fetch,
  })
  const hash = (order: Order) => requestHash(pickHashedParts(id, { ...order }), secret)
  const createOrder = (fields: Order) => {
    const order = { ...createTestOrder(), ...fields, merchant_id: id }
    return { ...order, hash: hash(order) }
  }
  const requests = async () => (await control.requests.list(mine)).requests
  return {
    id,
    password,
    secret,
    client,
    clock: createTestClock(control, id),
    webhooks: {
      received: inbox.received,
      async waitFor(trigger, options = {}) {
        try {
          return options.within
            ? await advanceUntilWebhook(control, id, inbox, trigger, options)
            : await inbox.waitFor(trigger, options)
        } catch (error) {
          throw await withReason(control, id, trigger, error)
        }
      },
    },
    hash,
    order: (over = {}) => createOrder({ ...CARD, ...over }),
    pay: (over = {}) => client.createTransaction(createOrder({ ...CARD, ...over })),
    prepare: (over = {}) =>
      client.createTransaction(createOrder({ ...RETURN_URLS, process: false, ...over })),
    async nextOutcome(outcome, { times } = {}) {
      await control.payments.force({ ...mine, outcome: String(outcome), times })
    },
    async loseNextAnswer() {
      const nextPayment = { method: 'POST', path: '/v1/transactions' } as const
      await control.faults.inject({ ...mine, kind: 'drop', ...nextPayment })
    },
    async failNextCapture(error = 'errors.payment.declined') {
      await control.captures.force({ ...mine, outcome: String(error) })
    },
    backToNormal: () => control.sandbox.normal(mine),
    state: () => control.sandbox.state(mine),
    retries,
    requests,
    async sent({ route, where = {} }) {
      const { request, message } = await control.requests.find({ ...mine, route, where })
      if (request) return request
      throw new Error(message ?? '')
    },
    async holdWebhooks(payment_ref) {
      await control.webhooks.hold({ ...mine, payment_ref })
    },
    releaseWebhooks: async (payment_ref) =>
      (await control.webhooks.release({ ...mine, payment_ref })).released,
    async reset() {
      await control.data.reset(mine)
      inbox.clear()
    },
    story: () => writeStory({ client, requests, webhooks: inbox.received }),
  }
}

/** Adds the reason why the gateway could not deliver a webhook, if it has tried. */
async function withReason(
  { deliveries }: Operations,
  merchantId: number,
  trigger: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof NoWebhookError)) return error
  const newest = await deliveries.list({ merchant_id: merchantId, trigger, limit: 20 })
  const failed = newest.find(({ status, attempts }) => status !== 'delivered' && attempts > 0)
  if (!failed) return error
  const { attempts } = await deliveries.show({ id: failed.id })
  const { code, error: reason } = attempts.at(-1)?.response ?? {}
  error.message += ` The gateway could not deliver it to ${failed.url}: ${reason ?? `status ${code}`}.`
  return error
}

/** A card that pays. */
const CARD = {
  card_number: '4111111111111111',
  card_holder: 'Kim Berg',
  card_expiry: '1230',
  card_cvv: '200',
}

const RETURN_URLS = {
  success_url: 'https://shop.example/thanks',
  error_url: 'https://shop.example/sorry',
}

const createTestOrder = () => ({
  amount: '10.00',
  currency: 'sek',
  payment_ref: `t${process.pid}-${++orders}`,
  test: true,
})
