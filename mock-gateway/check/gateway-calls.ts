import { timers } from '../domain/timers.ts'
import { CheckError } from './check-error.ts'
import { request, type ShopRequest } from './shop-calls.ts'
import { type CheckedGateway, type DeliveryOrder, NotCheckedError, type Purchase } from './stage.ts'

type Fields = Readonly<Record<string, string>>

export interface Delivery {
  readonly id: number
  readonly status: string
  readonly due_at: string | null
}

/** Calls the API as the merchant. */
export function createApiClient(gateway: CheckedGateway) {
  const { id, password } = gateway.merchant
  const headers = { authorization: `Basic ${btoa(`${id}:${password}`)}` }
  return (method: string, path: string, fields?: Fields) =>
    call(gateway, `/v1${path}`, { method, headers, fields, flags: '--merchant and --password' })
}

/** Calls the control API. */
export function createControlClient(gateway: CheckedGateway) {
  const headers = { 'x-control-key': gateway.controlKey }
  return (method: string, path: string, fields?: Fields, timeout?: number) => {
    const flags = '--control-key'
    return call(gateway, `/_control${path}`, { method, headers, fields, flags, timeout })
  }
}

interface GatewayCall {
  readonly method: string
  readonly headers: Fields
  readonly fields: Fields | undefined
  /** Flags of the command that are wrong if the gateway rejects the call. */
  readonly flags: string
  readonly timeout?: number | undefined
}

/** @throws CheckError when the gateway rejects the call */
async function call({ url, ask }: CheckedGateway, path: string, given: GatewayCall) {
  const { method, headers, fields, flags, timeout } = given
  const init = { method, body: fields ? new URLSearchParams(fields) : null, headers }
  const address = url + path
  const { status, text, explain } = ask
    ? await askWithoutPort(ask, new Request(address, init))
    : await askOverHttp(address, init, timeout)
  if (status >= 200 && status < 300) return JSON.parse(text)
  const why = explain ?? `check ${flags}`
  throw new CheckError(
    `The gateway answered ${status} to ${method} ${new URL(address).pathname}: ${why}.`,
  )
}

async function askWithoutPort(ask: NonNullable<CheckedGateway['ask']>, question: Request) {
  const answer = await ask(question)
  const explain = answer.headers.get('mondido-explain')
  return { status: answer.status, text: await answer.text(), explain }
}

async function askOverHttp(address: string, init: ShopRequest, timeout: number | undefined) {
  const { status, text, headers } = await request(
    address,
    { ...init, reusesConnection: true },
    timeout,
  )
  return { status, text, explain: headers['mondido-explain'] }
}

/**
 * Holds the merchant's webhooks.
 * @returns a function that sends webhooks as before, with the clock as before
 */
export async function holdWebhooks(gateway: CheckedGateway): Promise<() => Promise<void>> {
  const control = createControlClient(gateway)
  const sending = sendingPath(gateway)
  const before = (await control('GET', sending)) as Readonly<Record<string, unknown>> | null
  await control('PUT', sending, HELD)
  return async () => void (await control('PUT', sending, toFields(before)))
}

/** Delivery settings while the check runs: webhooks are held. */
export const HELD: Fields = { hold: 'true' }

export const sendingPath = ({ merchant }: CheckedGateway): string =>
  `/webhooks/sending?merchant_id=${merchant.id}`

const toFields = (sending: Readonly<Record<string, unknown>> | null): Fields =>
  Object.fromEntries(Object.entries(sending ?? {}).map(([name, value]) => [name, String(value)]))

/** Milliseconds for attempts of several webhooks, each as long as the gateway waits for a shop. */
const LONGEST_MS = 120_000

/** Decides when the webhooks of purchases arrive. */
export function createWebhookActions(gateway: CheckedGateway) {
  const control = createControlClient(gateway)
  const all = async ({ id }: Purchase): Promise<readonly Delivery[]> => {
    const deliveries = (await control(
      'GET',
      `/webhooks/deliveries?transaction_id=${id}`,
    )) as Delivery[]
    return deliveries.toReversed()
  }
  /** Delivers webhooks one after the other, and waits for the answers of the shop. */
  const attempt = async (filter: Fields) =>
    (await control('POST', '/webhooks/deliveries/attempt', filter, LONGEST_MS)) as Delivery[]
  const attemptOf = async ({ id }: Purchase, filter: Fields = {}) =>
    requireDeliveries(await attempt({ transaction_id: String(id), ...filter }))
  return {
    async release(purchase: Purchase, order: DeliveryOrder = 'oldest first') {
      await attemptOf(purchase, { status: 'pending', order: order.replace(' ', '_') })
    },
    async releaseTogether(purchase: Purchase, apart: number) {
      const pending = (await all(purchase)).filter(({ status }) => status === 'pending')
      const sending = requireDeliveries(pending).map(async ({ id }, place) => {
        await timers.pause(place * apart)
        await attempt({ id: String(id) })
      })
      await Promise.all(sending)
    },
    async arrive(purchase: Purchase, place: number) {
      const attempted = await attemptOf(purchase, { event: String(place) })
      return attempted.every(({ status }) => status === 'delivered')
    },
    async lose(purchase: Purchase) {
      for (const { id, due_at } of await all(purchase))
        if (due_at === null) await control('DELETE', `/webhooks/deliveries/${id}`)
    },
    async resend(purchase: Purchase) {
      await attemptOf(purchase)
    },
    async alter(purchase: Purchase, change: string, paymentRef?: string) {
      for (const { id } of requireDeliveries(await all(purchase)))
        await control('POST', `/webhooks/deliveries/${id}/alter`, {
          change,
          ...(paymentRef && { payment_ref: paymentRef }),
        })
    },
  }
}

/** @throws NotCheckedError if the list is empty */
function requireDeliveries(deliveries: readonly Delivery[]): readonly Delivery[] {
  if (deliveries.length > 0) return deliveries
  throw new NotCheckedError(
    'The gateway sends no webhook for this payment. Give the transaction a webhook to check this.',
  )
}
