import { createControl, withOperations } from '../client/control.ts'
import type { Delivery, Story, StoryEntry } from '../client/operations.ts'
import { createClient, LoginError, MondidoError } from '../client.ts'
import { CheckError } from './errors.ts'

/** Address of the gateway, and the account that the shop uses. */
export interface CheckedGateway {
  readonly url: string
  readonly controlKey: string
  readonly merchant: { readonly id: number; readonly password: string }
  /** Calls the gateway without a port. Default: over HTTP. */
  readonly ask?: (call: Request) => Promise<Response>
}

export type { Delivery } from '../client/operations.ts'

/** The gateway's record of a payment, oldest first. */
export type PaymentStory = Pick<Story, 'id' | 'payment_ref' | 'status'> & {
  readonly entries: readonly Pick<StoryEntry, 'at' | 'kind' | 'title' | 'says'>[]
}

/** The gateway as the merchant and as its operator. */
export type GatewayClient = ReturnType<typeof createCalls>

/**
 * Logs in, and creates the calls of a check. They throw `MondidoError`.
 * @throws CheckError that names the wrong flag, before anything is bought
 */
export async function logIn(checked: CheckedGateway): Promise<GatewayClient> {
  const gateway = createCalls(checked)
  const { api, control, own } = gateway
  const refuse = (flags: string) => (error: unknown) => {
    if (!(error instanceof LoginError)) return error
    throw new CheckError(`The gateway rejected the login. Check ${flags}.`, { cause: error })
  }
  const failed = await control.clock
    .show(own)
    .then(() => undefined, refuse('--control-key and --merchant'))
  if (failed) throw toCheckError(failed)
  // A fault that a user has injected can affect this call. The check removes it afterwards.
  await api.listTransactions({ limit: 1 }).page().catch(refuse('--merchant and --password'))
  return gateway
}

function createCalls({ url, controlKey, merchant, ask }: CheckedGateway) {
  const fetch = ask ?? ((request: Request) => globalThis.fetch(request))
  const reach = { url, controlKey, fetch }
  const control = withOperations(createControl(reach))
  const merchantId = merchant.id
  return {
    url,
    merchantId,
    /** Parameter of operations on this merchant. */
    own: { merchant_id: merchantId },
    api: createClient({ url, merchantId, password: merchant.password, fetch }),
    control,
    /** Lists the deliveries of a payment, the oldest first. */
    findDeliveries: async (transaction_id: number): Promise<readonly Delivery[]> =>
      (await control.deliveries.list({ transaction_id })).toReversed(),
    /** Attempts a delivery, and waits for the shop's answer so many milliseconds. */
    attempt: (id: number, timeout: number) =>
      withOperations(createControl(reach, timeout)).deliveries.attempt({ id }),
    /** Reads what the gateway recorded about a payment, without secrets and card numbers. */
    async story(transactionId: number): Promise<PaymentStory> {
      const shown = await control.stories.show({ id: `${transactionId}.json` })
      const { id, payment_ref, status, entries } = shown as Story
      const kept = entries.map(({ at, kind, title, says }) => ({ at, kind, title, says }))
      return { id, payment_ref, status, entries: kept }
    },
  }
}

/** Reports an error of the gateway in one sentence; other errors stay. */
export const toCheckError = (error: unknown): unknown =>
  error instanceof MondidoError
    ? new CheckError(`The gateway did not do what the check needs: ${error.message}.`, {
        cause: error,
      })
    : error
