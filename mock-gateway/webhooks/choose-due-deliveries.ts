import type { Queries } from '../storage/tables/schema.ts'
import {
  type DeliveriesDue,
  type DueDelivery,
  findDueDeliveries,
  hostsOfPending,
  ownerOfHost,
} from '../storage/webhook-deliveries.ts'
import type { CallLimits } from './call-limits.ts'

/**
 * Chooses the earliest due deliveries, within the limit of each host, and for each merchant at most
 * as many as leave room for others: a merchant with many slow receivers gets at most half of the
 * places. If a few hosts have many deliveries, those of other hosts are queried by host, so that
 * they are always found. A limit of 1 returns the first delivery in any case: a moved clock sends
 * one after the other.
 * @param taken leased deliveries, which are only found after their lease has ended
 */
export async function chooseDueDeliveries(
  queries: Queries,
  { scope, ...due }: DeliveriesDue,
  limits: CallLimits,
  taken: ReadonlyMap<number, number>,
) {
  const { without = [], ...rest } = scope
  const room = (host: string) => (due.limit === 1 ? 1 : limits.room(host))
  const hosts = due.limit === 1 ? undefined : await hostsOfPending(queries)
  const wanted = hosts ? Math.min(due.limit, sum(hosts.map(room))) : 1
  if (wanted <= 0) return []
  // Excluded here instead of in the query, so that its text is always the same.
  const left = new Set(without)
  const unleased = without.filter((id) => !taken.has(id)).length
  const find = async (limit: number, host?: string) =>
    findDueDeliveries(queries, { ...due, scope: rest, host, limit: limit + unleased })
  const counts = new Map<string, number>()
  const chosen = new Map<number, DueDelivery>()
  const countOf = (key: string) => counts.get(key) ?? 0
  const beside = (host: string) =>
    due.limit === 1
      ? 1
      : due.limit - chosen.size - limits.countTakenOfMerchant(host) - countOf(ownerOfHost(host))
  const roomOf = (host: string) => Math.min(room(host) - countOf(host), beside(host))
  const choose = (found: readonly DueDelivery[]) => {
    for (const delivery of found) {
      const { id, host } = delivery
      if (
        chosen.size >= wanted ||
        left.has(id) ||
        taken.has(id) ||
        chosen.has(id) ||
        roomOf(host) <= 0
      )
        continue
      chosen.set(id, delivery)
      for (const key of new Set([host, ownerOfHost(host)])) counts.set(key, countOf(key) + 1)
    }
  }
  const found = await find(wanted)
  choose(found)
  // All due deliveries were seen, or there is no more room.
  if (found.length < wanted || chosen.size === wanted) return [...chosen.values()]
  for (const host of hosts ?? (await hostsOfPending(queries))) {
    const more = Math.min(roomOf(host), wanted - chosen.size)
    if (more <= 0) continue
    choose(await find(more, host))
  }
  return [...chosen.values()]
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
