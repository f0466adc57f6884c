import { LAST_ID } from '../../domain/identifiers.ts'
import { memoized } from '../../domain/memoized.ts'
import { newestRows } from '../../storage/newest.ts'
import {
  acceptedRequests,
  findRequest,
  listRequests,
  type RequestHead,
  requestIds,
} from '../../storage/requests.ts'
import type { Queries } from '../../storage/tables/schema.ts'
import { newestAttempt, slowAttempts } from '../../storage/webhook-attempts.ts'
import { newestDeliveries } from '../../storage/webhook-deliveries.ts'
import { seenDeliveries, seenRequest } from './evidence.ts'
import {
  collectFindings,
  type Finding,
  findInDeliveries,
  findInRequest,
  findInReturnFailures,
  type ProvenFinding,
  SLOW_WEBHOOK_MS,
} from './findings.ts'

/** Webhooks that are looked at; as many as requests are kept. */
export const EXAMINED_WEBHOOKS = 1_000

/** Merchants of whom it is remembered what was seen. */
const CACHED_MERCHANTS = 20

/** What was seen of a merchant. */
interface CachedEvidence {
  requests: {
    readonly newest?: RequestHead | undefined
    /** What each shows, by the id of its row, the newest first. */
    readonly show: ReadonlyMap<number, readonly ProvenFinding[]>
  }
  webhooks: {
    /** As long as this is what it was, so is what they show. */
    readonly state?: string
    readonly show: readonly ProvenFinding[]
  }
}

/** What is found in the last requests and webhooks of a merchant. */
export type ReadFindings = (merchantId: number) => Promise<readonly Finding[]>

/**
 * Remembers what was seen, and reads what is new: all of it takes 8 ms, and the console's first
 * page looks at each change.
 */
export function createFindings(queries: Queries): ReadFindings {
  const seenOf = memoized(
    CACHED_MERCHANTS,
    (): CachedEvidence => ({ requests: { show: new Map() }, webhooks: { show: [] } }),
  )
  return async (merchantId) => {
    const seen = seenOf(String(merchantId))
    seen.requests = await inRequests(queries, merchantId, seen.requests)
    seen.webhooks = await inWebhooks(queries, merchantId, seen.webhooks)
    const failures = await newestRows(queries, 'return_failures', merchantId, {
      limit: EXAMINED_WEBHOOKS,
      offset: 0,
    })
    const returns = findInReturnFailures(failures)
    return collectFindings([
      ...[...seen.requests.show.values()].flat(),
      ...returns,
      ...seen.webhooks.show,
    ])
  }
}

/**
 * A request never changes once it is kept, and the id of its row is used again only when all data
 * were forgotten.
 */
async function inRequests(
  queries: Queries,
  merchantId: number,
  seen: CachedEvidence['requests'],
): Promise<CachedEvidence['requests']> {
  const [newest] = await listRequests(queries, { merchantId }, { limit: 1 })
  if (newest?.request_id === seen.newest?.request_id) return seen
  const isThere =
    seen.newest && (await findRequest(queries, seen.newest.request_id))?.id === seen.newest.id
  const known = isThere ? seen.show : new Map<number, readonly ProvenFinding[]>()
  const ids = await requestIds(queries, merchantId)
  // Of two gateways on one database the later request may have the lower id.
  const oldest = ids.findLast((id) => !known.has(id)) ?? LAST_ID
  const rows = await acceptedRequests(queries, merchantId, oldest)
  const shown = new Map(rows.map((row) => [row.id, seenRequest(row).flatMap(findInRequest)]))
  return { newest, show: new Map(ids.map((id) => [id, known.get(id) ?? shown.get(id) ?? []])) }
}

async function inWebhooks(
  queries: Queries,
  merchantId: number,
  seen: CachedEvidence['webhooks'],
): Promise<CachedEvidence['webhooks']> {
  const [newest] = await newestDeliveries(queries, merchantId, 1)
  const state = `${newest?.id} ${newest?.message_id} ${await newestAttempt(queries)}`
  if (state === seen.state) return seen
  const deliveries = await newestDeliveries(queries, merchantId, EXAMINED_WEBHOOKS)
  const ids = deliveries.map(({ id }) => id)
  const attempts = await slowAttempts(queries, ids, SLOW_WEBHOOK_MS)
  return { state, show: findInDeliveries(seenDeliveries(deliveries, attempts)) }
}
