import type { RunningGateway } from './running-gateway.ts'

/** A request as `/_control/requests` returns it. */
interface SeenRequest {
  readonly at: string
  readonly merchant_id: number | null
  readonly method: string
  readonly route: string | null
  readonly status: number | null
  readonly error: string | null
  readonly explain: string | null
}

/** A delivery as `/_control/webhooks/deliveries` returns it. */
interface SeenDelivery {
  readonly id: number
  readonly trigger: string
  readonly status: string
  readonly merchant_id: number
}

/**
 * Writes a report as text: the latest requests and webhook deliveries, oldest first.
 * @param url address of the gateway
 * @param key key of its control API
 * @param handle calls the gateway without a connection, whatever its certificate is
 */
export async function writeReport(
  url: string,
  key: string,
  handle: RunningGateway['handle'],
): Promise<string> {
  async function read<Answer>(path: string): Promise<Answer> {
    const headers = { 'x-control-key': key }
    const answer = await handle(new Request(`${url}/_control${path}`, { headers }))
    return answer.json()
  }
  const { requests } = await read<{ readonly requests: readonly SeenRequest[] }>(
    '/requests?limit=1000',
  )
  const deliveries = await read<readonly SeenDelivery[]>('/webhooks/deliveries?limit=100')
  const clients = requests.filter(({ route }) => !route?.startsWith('/_control'))
  return [
    'Requests',
    ...(clients.length > 0 ? clients.toReversed().map(requestLine) : [describeNoRequests(url)]),
    '',
    'Webhooks',
    ...deliveries
      .toReversed()
      .map((one) => `  ${one.id} ${one.trigger} of merchant ${one.merchant_id}: ${one.status}`),
    '',
  ].join('\n')
}

/** Names the address, because the tests may have called another gateway. */
const describeNoRequests = (url: string): string =>
  `  none: no request reached ${url}, which the command received as MONDIDO_BASE_URL`

const requestLine = ({
  at,
  merchant_id,
  method,
  route,
  status,
  error,
  explain,
}: SeenRequest): string =>
  ['  ', at, `merchant ${merchant_id ?? '-'}`, method, route, status, error, explain]
    .filter((part) => part !== null)
    .join(' ')
