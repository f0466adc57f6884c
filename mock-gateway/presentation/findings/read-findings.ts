import { acceptedRequests } from '../../storage/requests.ts'
import type { Queries } from '../../storage/tables/schema.ts'
import { slowAttempts } from '../../storage/webhook-attempts.ts'
import { newestDeliveries } from '../../storage/webhook-deliveries.ts'
import { seenDeliveries, seenRequest } from './evidence.ts'
import { type Finding, findingsIn, SLOW_WEBHOOK_MS } from './findings.ts'

/** Webhooks that are looked at; as many as requests are kept. */
export const LOOKED_AT = 1_000

/** What is found in the last requests and webhooks of a merchant. */
export async function readFindings(queries: Queries, merchantId: number): Promise<readonly Finding[]> {
  const requests = await acceptedRequests(queries, merchantId)
  const deliveries = await newestDeliveries(queries, merchantId, LOOKED_AT)
  const ids = deliveries.map(({ id }) => id)
  const attempts = await slowAttempts(queries, ids, SLOW_WEBHOOK_MS)
  return findingsIn({ requests: requests.flatMap(seenRequest), deliveries: seenDeliveries(deliveries, attempts) })
}
