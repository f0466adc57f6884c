import { send } from '../client/send.ts'
import { createClient, LoginError, MondidoError } from '../client.ts'
import type { JsonValue } from '../domain/json.ts'
import { CheckError } from './errors.ts'

/** Address of the gateway, and the account that the shop uses. */
export interface CheckedGateway {
  readonly url: string
  readonly controlKey: string
  readonly merchant: { readonly id: number; readonly password: string }
  /** Calls the gateway without a port. Default: over HTTP. */
  readonly ask?: (call: Request) => Promise<Response>
}

/** A webhook delivery. */
export interface Delivery {
  readonly id: number
  readonly event_id: number
  readonly trigger: string
  readonly status: 'pending' | 'delivered' | 'failed' | 'dead'
  /** Null: it is held, or finished. */
  readonly due_at: string | null
}

/** A delivery with its attempts, the oldest first. */
interface DeliveryDetails extends Delivery {
  readonly attempts: readonly {
    readonly response: { readonly code: number | null; readonly error: string | null }
  }[]
}

/** Outcome that is forced on the next payments or captures. */
export interface NextOutcome {
  readonly merchant_id: number | null
  readonly outcome: string
  readonly times: number
  readonly seconds?: number
  readonly wallet_type?: string
  readonly currency_converter?: JsonValue
}

/** Fault of the gateway's answers, as `/_control/faults` shows it. */
export interface PendingFault {
  readonly id: number
  readonly kind: string
  readonly milliseconds: number
  readonly method: string | null
  readonly path: string | null
  readonly merchant_id: number | null
  /** 0: until it is deleted. */
  readonly times: number
  readonly until: string | null
  readonly probability: number
  /** Number of affected requests. */
  readonly struck: number
}

export interface ClockView {
  readonly mode: 'real' | 'offset' | 'frozen'
  readonly now: string
}

/** Delivery settings of a merchant, as `/_control/webhooks/sending` shows them. */
type Sending = Readonly<Record<string, JsonValue>>

/** The gateway's record of a payment, oldest first. */
export interface PaymentStory {
  readonly id: number
  readonly payment_ref: string
  readonly status: string
  readonly entries: readonly StoryEntry[]
}

interface StoryEntry {
  readonly at: string
  readonly kind: string
  readonly title: string
  readonly says: string | null
}

type Fields = Readonly<Record<string, JsonValue>>
type OutcomeKind = 'payments' | 'captures'

/** The gateway as the merchant and as its operator. */
export type GatewayClient = ReturnType<typeof connectGateway>

/** Milliseconds for a call of the control API that moves the clock over months. */
const CALL_MS = 60_000

/** Creates the calls of a check. They throw `MondidoError`. */
export function connectGateway({ url, controlKey, merchant, ask }: CheckedGateway) {
  const fetch = ask ?? ((request: Request) => globalThis.fetch(request))
  const merchantId = merchant.id
  const owner = `merchant_id=${merchantId}`
  /** @returns the answer, whose type the methods below name after docs/reference/control.md */
  async function call<Answer>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    fields: Fields = {},
    timeout = CALL_MS,
  ): Promise<Answer> {
    const isRead = method === 'GET'
    const headers = { 'x-control-key': controlKey, 'content-type': 'application/json' }
    const init = { method, headers, body: isRead ? null : JSON.stringify(fields) }
    const outgoing = { url: `${url}/_control${path}`, init, isRepeatable: isRead }
    return (await send({ fetch, timeout, retries: 2 }, outgoing, {})).json()
  }
  const control = {
    clock: (isCommon = false) => call<ClockView>('GET', `/clock${isCommon ? '' : `?${owner}`}`),
    moveClock: (move: 'advance' | 'freeze' | 'set' | 'resume', fields: Fields) =>
      call<unknown>('POST', `/clock/${move}?${owner}`, fields),
    /** Lists the outcomes of all merchants. */
    outcomes: async (kind: OutcomeKind) =>
      (await call<{ readonly next: readonly NextOutcome[] }>('GET', `/${kind}/next`)).next,
    forceOutcome: (kind: OutcomeKind, fields: Fields) =>
      call<unknown>('POST', `/${kind}/next`, fields),
    deleteOutcomes: (kind: OutcomeKind, isOfAll = false) =>
      call<unknown>('DELETE', `/${kind}/next${isOfAll ? '' : `?${owner}`}`),
    /** Lists the faults of all merchants. */
    faults: async () =>
      (await call<{ readonly faults: readonly PendingFault[] }>('GET', '/faults')).faults,
    addFault: (fields: Fields) => call<PendingFault>('POST', '/faults', fields),
    deleteFault: (id: number) => call<unknown>('DELETE', `/faults/${id}`),
    sending: () => call<Sending | null>('GET', `/webhooks/sending?${owner}`),
    changeSending: (sending: Sending) =>
      call<unknown>('PUT', `/webhooks/sending?${owner}`, sending),
    /** Lists the deliveries of a payment, the oldest first. */
    deliveries: async (transactionId: number) =>
      (
        await call<readonly Delivery[]>(
          'GET',
          `/webhooks/deliveries?transaction_id=${transactionId}`,
        )
      ).toReversed(),
    delivery: (id: number) => call<DeliveryDetails>('GET', `/webhooks/deliveries/${id}`),
    /** Sends deliveries one after the other, and waits for the shop's answers. */
    attempt: (filter: Fields, timeout: number) =>
      call<readonly Delivery[]>('POST', '/webhooks/deliveries/attempt', filter, timeout),
    /** Sends an altered copy. @returns the shop's answer */
    alter: async (id: number, fields: Fields) =>
      (
        await call<{ readonly response: { readonly code: number | null } }>(
          'POST',
          `/webhooks/deliveries/${id}/alter`,
          fields,
        )
      ).response,
    deleteDelivery: (id: number) => call<unknown>('DELETE', `/webhooks/deliveries/${id}`),
    retryDelivery: (id: number) => call<unknown>('POST', `/webhooks/deliveries/${id}/retry`),
    /** Reads what the gateway recorded about a payment, without secrets and card numbers. */
    async story(transactionId: number): Promise<PaymentStory> {
      const story = await call<PaymentStory>('GET', `/stories/${transactionId}.json`)
      const { id, payment_ref, status, entries } = story
      const kept = entries.map(({ at, kind, title, says }) => ({ at, kind, title, says }))
      return { id, payment_ref, status, entries: kept }
    },
  }
  const api = createClient({ url, merchantId, password: merchant.password, fetch })
  return { url, merchantId, api, control }
}

/** @throws CheckError that names the wrong flag, before anything is bought */
export async function verifyLogin({ api, control }: GatewayClient): Promise<void> {
  const refuse = (flags: string) => (error: unknown) => {
    if (!(error instanceof LoginError)) return error
    throw new CheckError(`The gateway rejected the login. Check ${flags}.`, { cause: error })
  }
  const failed = await control.clock().then(() => undefined, refuse('--control-key and --merchant'))
  if (failed) throw toCheckError(failed)
  // A fault that a user has injected can affect this call. The check removes it afterwards.
  await api.listTransactions({ limit: 1 }).page().catch(refuse('--merchant and --password'))
}

/** Reports an error of the gateway in one sentence; other errors stay. */
export const toCheckError = (error: unknown): unknown =>
  error instanceof MondidoError
    ? new CheckError(`The gateway did not do what the check needs: ${error.message}.`, {
        cause: error,
      })
    : error
