import type { Calls } from '../client/calls.ts'
import type { Transaction } from '../contract/wire.ts'
import type { ReceivedWebhook } from './webhooks.ts'

/** A request that reached the gateway. */
export interface TestRequest {
  readonly at: string
  readonly method: string
  readonly route: string | null
  readonly status: number | null
  readonly error: string | null
  readonly explain: string | null
  readonly request_id: string
}

/** A request with its contents. Secrets and card numbers are masked. */
export interface SentRequest extends TestRequest {
  readonly path: string
  /** Parameters as the gateway read them. */
  readonly sent: Readonly<Record<string, unknown>> | null
  readonly headers: Readonly<Record<string, string>>
  /** Body of the answer. */
  readonly answer: unknown
}

/** Sources of a story. */
interface Sources {
  readonly client: Calls
  requests(): Promise<readonly TestRequest[]>
  readonly webhooks: readonly ReceivedWebhook[]
}

/** Maximum number of payments, and of requests, in a story. */
const MAX_ROWS = 20

/** Writes a merchant's history, oldest first, as text for a test's report. */
export async function writeStory({ client, requests, webhooks }: Sources): Promise<string> {
  const { items } = await client.listTransactions({ limit: MAX_ROWS }).page()
  const seen = (await requests()).slice(0, MAX_ROWS).toReversed()
  return [
    'Requests',
    ...seen.map(requestLine),
    '',
    'Payments',
    ...items.toReversed().flatMap(listPaymentLines),
    '',
    'Webhooks',
    ...webhooks.map(
      ({ trigger, data }) => `  ${trigger}  ${data.payment_ref ?? data.id}  ${data.status}`,
    ),
    '',
  ].join('\n')
}

const requestLine = ({ at, method, route, status, error, explain }: TestRequest): string =>
  ['  ', at, method, route, status, error, explain].filter((part) => part !== null).join(' ')

const listPaymentLines = ({
  id,
  payment_ref,
  amount,
  currency,
  status,
  error,
  log_events,
}: Transaction): string[] => [
  `  ${id} ${payment_ref} ${amount} ${currency} ${status}${error ? ` ${error.name} (${error.code})` : ''}`,
  ...log_events.map(({ created_at, event_type }) => `    ${created_at} ${event_type}`),
]
