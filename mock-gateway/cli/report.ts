import { createControl, withOperations } from '../client/control.ts'
import type { RunningGateway } from './running-gateway.ts'

/**
 * Writes a report as text: the latest requests and webhook deliveries, oldest first.
 * @param url address of the gateway
 * @param controlKey key of its control API
 * @param handle calls the gateway without a connection, whatever its certificate is
 */
export async function writeReport(
  url: string,
  controlKey: string,
  handle: RunningGateway['handle'],
): Promise<string> {
  const control = withOperations(createControl({ url, controlKey, fetch: handle }))
  const { requests } = await control.requests.list({ limit: 1000 })
  const deliveries = await control.deliveries.list()
  const lines = requests
    .filter(({ route }) => !route?.startsWith('/_control'))
    .map(({ at, merchant_id, method, route, status, error, explain }) =>
      ['  ', at, `merchant ${merchant_id ?? '-'}`, method, route, status, error, explain]
        .filter((part) => part !== null)
        .join(' '),
    )
  return [
    'Requests',
    ...(lines.length > 0 ? lines.toReversed() : [describeNoRequests(url)]),
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
