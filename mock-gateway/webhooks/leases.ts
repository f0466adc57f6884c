import type { Ambient } from '../domain/ambient.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { DueItem } from '../scheduler/due.ts'
import type { Database } from '../storage/database.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import {
  type Lease,
  leaseDeliveries,
  renewLeases,
  updateLeased,
} from '../storage/webhook-leases.ts'
import { createBatcher } from './batched.ts'

/** What taking deliveries needs. */
export interface LeaseDependencies {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Epoch milliseconds of the machine: leases and signatures go by it. */
  readonly machine: () => number
  readonly findMerchant: (id: number) => Promise<Merchant | undefined>
}

/** Milliseconds that a lease lasts: what a process had that was killed is free again then. */
export const LEASE_MS = 15_000

/**
 * Milliseconds after which a lease is renewed, as long as the delivery waits for its turn and the
 * call lasts.
 */
const RENEW_MS = 5_000

/** The deliveries that this gateway has taken, so that no other sends them. */
export type Leases = ReturnType<typeof createLeases>

export function createLeases({ database, machine, randomBytes, findMerchant }: LeaseDependencies) {
  const owner = Buffer.from(randomBytes(12)).toString('hex')
  /** Until when, by the machine's clock. */
  const taken = new Map<number, number>()
  const leaseNow = (machineNow = machine()): Lease => ({
    owner,
    machineNow,
    until: machineNow + LEASE_MS,
  })

  const renewing = setInterval(() => {
    const lease = leaseNow()
    const ids = [...taken].flatMap(([id, until]) =>
      until - lease.machineNow > LEASE_MS - RENEW_MS ? [] : [id],
    )
    if (ids.length === 0) return
    const renewed = () => {
      for (const id of ids) if (taken.has(id)) taken.set(id, lease.until)
    }
    // When the database is away for long, another process may take them.
    database.writeUnflushed((queries) => renewLeases(queries, ids, lease)).then(renewed, () => {})
  }, RENEW_MS).unref()

  return {
    owner,
    taken,
    /**
     * Those that are found at once are taken by one statement, and their merchants are asked for
     * once.
     */
    take: createBatcher(async (found: readonly DueItem[]) => {
      const lease = leaseNow()
      const rows = await database.writeUnflushed((queries) =>
        leaseDeliveries(queries, found, lease),
      )
      const leased = new Map(rows.map((row) => [row.id, row]))
      for (const id of leased.keys()) taken.set(id, lease.until)
      const merchants = new Map<number, Merchant | undefined>()
      for (const { merchant_id: id } of rows)
        if (!merchants.has(id)) merchants.set(id, await findMerchant(id))
      return found.map(({ id }) => {
        const delivery = leased.get(id)
        return delivery && { delivery, merchant: merchants.get(delivery.merchant_id) }
      })
    }),
    /** Many at once, when a host has become slow or the gateway ends. */
    giveBack: createBatcher(async (all: readonly WebhookDeliveryRow[]) => {
      const ids = all.map(({ id }) => id)
      await database.writeUnflushed((queries) => updateLeased(queries, ids, owner, {}))
      return ids.map(() => undefined)
    }),
    /** Renews none any more. */
    end: () => clearInterval(renewing),
  }
}
