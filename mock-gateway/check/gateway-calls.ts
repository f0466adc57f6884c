import { setTimeout as wait } from 'node:timers/promises'
import { CheckError, readText, request } from './shop-calls.ts'
import {
  type CheckedGateway,
  type DeliveryOrder,
  NotChecked,
  type Purchase,
  ShopFault,
} from './stage.ts'

type Fields = Readonly<Record<string, string>>

export interface Delivery {
  readonly id: number
  readonly event_id: string
  readonly status: string
  readonly due_at: string | null
  readonly attempts: number
}

/** Calls the API as the merchant. */
export function apiOf({ url, merchant }: CheckedGateway) {
  const authorization = `Basic ${btoa(`${merchant.id}:${merchant.password}`)}`
  return (method: string, path: string, fields?: Fields) =>
    call(`${url}/v1${path}`, method, { authorization }, fields, '--merchant and --password')
}

/** Calls the control API. */
export function controlOf({ url, controlKey }: CheckedGateway) {
  return (method: string, path: string, fields?: Fields) =>
    call(`${url}/_control${path}`, method, { 'x-control-key': controlKey }, fields, '--control-key')
}

/** @throws CheckError when the gateway rejects the call */
async function call(
  address: string,
  method: string,
  headers: Fields,
  fields: Fields | undefined,
  flags: string,
) {
  const body = fields ? new URLSearchParams(fields) : null
  const answer = await request(address, { method, body, headers })
  const text = await readText(answer)
  if (answer.ok) return JSON.parse(text)
  const why = answer.headers.get('mondido-explain') ?? `check ${flags}`
  throw new CheckError(
    `The gateway answered ${answer.status} to ${method} ${new URL(address).pathname}: ${why}.`,
  )
}

/** Holds the merchant's webhooks. @returns sends them as before, by the clock as it was before */
export async function holdWebhooks(gateway: CheckedGateway): Promise<() => Promise<void>> {
  const control = controlOf(gateway)
  const sending = sendingPath(gateway)
  const before = (await control('GET', sending)) as Readonly<Record<string, unknown>> | null
  await control('PUT', sending, HELD)
  return async () => void (await control('PUT', sending, textsOf(before)))
}

/** How webhooks are sent while the check runs. */
export const HELD: Fields = { hold: 'true' }

export const sendingPath = ({ merchant }: CheckedGateway): string =>
  `/webhooks/sending?merchant_id=${merchant.id}`

const textsOf = (sending: Readonly<Record<string, unknown>> | null): Fields =>
  Object.fromEntries(Object.entries(sending ?? {}).map(([name, value]) => [name, String(value)]))

/** Milliseconds for one delivery. */
const DELIVERY_MS = 30_000
const LONGEST_PAUSE_MS = 50

/** Decides when the webhooks of purchases arrive. */
export function webhooksOf(gateway: CheckedGateway) {
  const control = controlOf(gateway)
  const all = async ({ id }: Purchase): Promise<readonly Delivery[]> => {
    const deliveries = (await control(
      'GET',
      `/webhooks/deliveries?transaction_id=${id}`,
    )) as Delivery[]
    return deliveries.toReversed()
  }
  const pending = async (purchase: Purchase) =>
    needed((await all(purchase)).filter(({ status }) => status === 'pending'))
  async function send(purchase: Purchase, { id, attempts }: Delivery, how: 'retry' | 'send') {
    await control('POST', `/webhooks/deliveries/${id}/${how}`)
    const until = performance.now() + DELIVERY_MS
    for (let pause = 5; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const now = (await all(purchase)).find((each) => each.id === id)
      if (!now || now.attempts > attempts) return
      if (performance.now() > until)
        throw new ShopFault('The shop did not answer its webhook within 30 seconds.')
      await wait(pause)
    }
  }
  return {
    async release(purchase: Purchase, order: DeliveryOrder = 'oldest first') {
      const deliveries = await pending(purchase)
      for (const delivery of order === 'oldest first' ? deliveries : deliveries.toReversed())
        await send(purchase, delivery, 'retry')
    },
    async releaseTogether(purchase: Purchase, apart: number) {
      const sending = (await pending(purchase)).map(async (delivery, place) => {
        await wait(place * apart)
        await send(purchase, delivery, 'retry')
      })
      await Promise.all(sending)
    },
    async arrive(purchase: Purchase, place: number) {
      const deliveries = needed(await all(purchase))
      const event = [...new Set(deliveries.map(({ event_id }) => event_id))].at(place)
      for (const delivery of deliveries)
        if (delivery.event_id === event)
          await send(purchase, delivery, delivery.status === 'pending' ? 'retry' : 'send')
    },
    async lose(purchase: Purchase) {
      for (const { id, due_at } of await all(purchase))
        if (due_at === null) await control('DELETE', `/webhooks/deliveries/${id}`)
    },
    async resend(purchase: Purchase) {
      for (const delivery of needed(await all(purchase))) await send(purchase, delivery, 'send')
    },
    async alter(purchase: Purchase, change: string, paymentRef?: string) {
      for (const { id } of needed(await all(purchase)))
        await control('POST', `/webhooks/deliveries/${id}/alter`, {
          change,
          ...(paymentRef && { payment_ref: paymentRef }),
        })
    },
  }
}

/** @throws NotChecked when there are none */
function needed(deliveries: readonly Delivery[]): readonly Delivery[] {
  if (deliveries.length > 0) return deliveries
  throw new NotChecked(
    'The gateway sends no webhook for this payment. Give the transaction a webhook to check this.',
  )
}
