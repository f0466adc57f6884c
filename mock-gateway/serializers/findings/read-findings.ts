import { LAST_ID } from '../../domain/identifiers.ts'
import { memoized } from '../../domain/memoized.ts'
import {
  findAcceptedRequests,
  listRequests,
  type RequestHead,
  requestIds,
} from '../../storage/requests.ts'
import { findAll, findOne } from '../../storage/rows.ts'
import type { Queries } from '../../storage/tables/schema.ts'
import { findSlowAttempts } from '../../storage/webhook-attempts.ts'
import { describeSeenDeliveries, describeSeenRequest } from './evidence.ts'
import {
  collectFindings,
  type Finding,
  findInDeliveries,
  findInRequest,
  findInReturnFailures,
  type ProvenFinding,
  SLOW_WEBHOOK_MS,
} from './findings.ts'

/** Number of examined webhooks, equal to the number of stored requests. */
export const EXAMINED_WEBHOOKS = 1_000

/** Maximum number of merchants in the cache. */
const CACHED_MERCHANTS = 20

/** Cached evidence of a merchant. */
interface CachedEvidence {
  requests: {
    readonly newest?: RequestHead | undefined
    /** Occurrences by the id of their row, the newest first. */
    readonly show: ReadonlyMap<number, readonly ProvenFinding[]>
  }
  webhooks: {
    /** While this value is unchanged, the occurrences are too. */
    readonly state?: string
    readonly show: readonly ProvenFinding[]
  }
}

/** Reads the findings in the latest requests and webhooks of a merchant. */
export type ReadFindings = (merchantId: number) => Promise<readonly Finding[]>

/**
 * Creates a cache that only reads new rows: reading all takes 8 ms, and the console's first page
 * reads findings after each change.
 */
export function createFindings(queries: Queries): ReadFindings {
  const findSeen = memoized(
    CACHED_MERCHANTS,
    (): CachedEvidence => ({ requests: { show: new Map() }, webhooks: { show: [] } }),
  )
  return async (merchantId) => {
    const seen = findSeen(String(merchantId))
    seen.requests = await updateRequestFindings(queries, merchantId, seen.requests)
    seen.webhooks = await updateWebhookFindings(queries, merchantId, seen.webhooks)
    const failures = await findAll(
      queries,
      'return_failures',
      { merchant_id: merchantId },
      { newestFirst: true, limit: EXAMINED_WEBHOOKS, offset: 0 },
    )
    const returns = findInReturnFailures(failures)
    return collectFindings([
      ...[...seen.requests.show.values()].flat(),
      ...returns,
      ...seen.webhooks.show,
    ])
  }
}

/** Stored requests never change, and row ids are only reused after all data were deleted. */
async function updateRequestFindings(
  queries: Queries,
  merchantId: number,
  seen: CachedEvidence['requests'],
): Promise<CachedEvidence['requests']> {
  const [newest] = await listRequests(queries, { merchantId }, { limit: 1 })
  if (newest?.request_id === seen.newest?.request_id) return seen
  const isThere =
    seen.newest &&
    (await findOne(queries, 'requests', { request_id: seen.newest.request_id }))?.id ===
      seen.newest.id
  const known = isThere ? seen.show : new Map<number, readonly ProvenFinding[]>()
  const ids = await requestIds(queries, merchantId)
  // With two gateways on one database, the later request may have the lower id.
  const oldest = ids.findLast((id) => !known.has(id)) ?? LAST_ID
  const rows = await findAcceptedRequests(queries, merchantId, oldest)
  const shown = new Map(
    rows.map((row) => [row.id, describeSeenRequest(row).flatMap(findInRequest)]),
  )
  return { newest, show: new Map(ids.map((id) => [id, known.get(id) ?? shown.get(id) ?? []])) }
}

async function updateWebhookFindings(
  queries: Queries,
  merchantId: number,
  seen: CachedEvidence['webhooks'],
): Promise<CachedEvidence['webhooks']> {
  const where = { merchant_id: merchantId }
  const findNewest = (limit: number) =>
    findAll(queries, 'webhook_deliveries', where, { newestFirst: true, limit })
  const [newest] = await findNewest(1)
  const attempt = await findOne(queries, 'webhook_attempts', {}, { newestFirst: true })
  const state = `${newest?.id} ${newest?.message_id} ${attempt?.id}`
  if (state === seen.state) return seen
  const deliveries = await findNewest(EXAMINED_WEBHOOKS)
  const ids = deliveries.map(({ id }) => id)
  const attempts = await findSlowAttempts(queries, ids, SLOW_WEBHOOK_MS)
  return { state, show: findInDeliveries(describeSeenDeliveries(deliveries, attempts)) }
}
