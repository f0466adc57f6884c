import { createControlClient, type Delivery } from './gateway-calls.ts'
import type { CheckedGateway } from './stage.ts'

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

/** Reads what the gateway recorded about a payment. It contains no secrets and no card numbers. */
export async function readPaymentStory(
  gateway: CheckedGateway,
  transactionId: number,
): Promise<PaymentStory> {
  const story = (await createControlClient(gateway)(
    'GET',
    `/stories/${transactionId}.json`,
  )) as PaymentStory
  const { id, payment_ref, status, entries } = story
  return {
    id,
    payment_ref,
    status,
    entries: entries.map(({ at, kind, title, says }) => ({ at, kind, title, says })),
  }
}

/** Sends webhooks of these payments that are still held. */
export async function releaseHeldWebhooks(
  gateway: CheckedGateway,
  transactionIds: readonly number[],
): Promise<void> {
  const control = createControlClient(gateway)
  for (const transactionId of transactionIds) {
    const all = (await control(
      'GET',
      `/webhooks/deliveries?transaction_id=${transactionId}`,
    )) as readonly Delivery[]
    for (const { id, status, due_at } of all)
      if (status === 'pending' && due_at === null)
        await control('POST', `/webhooks/deliveries/${id}/retry`)
  }
}
