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
 * The earliest that are due, with no more for a host than may be taken at once, and of one merchant
 * no more than places stay free for others: whoever has many silent receivers gets half of them
 * all. Where many wait for a few hosts, the others are asked for by host, so that they are found
 * however many wait. Who asks for the first only gets it in any case: a moved clock does one after
 * the other.
 * @param taken those that are leased, and so not found anyway unless their lease has run out
 */
export async function chooseDueDeliveries(
  queries: Queries,
  { scope, ...due }: DeliveriesDue,
  limits: CallLimits,
  taken: ReadonlyMap<number, number>,
) {
  const { without = [], ...rest } = scope
  const room = (host: string) => (due.limit === 1 ? 1 : limits.room(host))
  const hosts = await hostsOfPending(queries)
  const wanted = Math.min(due.limit, sum(hosts.map(room)))
  if (wanted <= 0) return []
  // Left out here and not by the query, whose text is the same then each time.
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
  // All that are due were seen, or there is no room for more.
  if (found.length < wanted || chosen.size === wanted) return [...chosen.values()]
  for (const host of hosts) {
    const more = Math.min(roomOf(host), wanted - chosen.size)
    if (more <= 0) continue
    choose(await find(more, host))
  }
  return [...chosen.values()]
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
