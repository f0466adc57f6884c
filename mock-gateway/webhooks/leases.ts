import type { Ambient } from '../domain/ambient.ts'
import type { Merchant } from '../domain/merchant.ts'
import { timers } from '../domain/timers.ts'
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

export interface LeaseDependencies {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Returns epoch milliseconds of the machine, for leases and signatures. */
  readonly machine: () => number
  readonly findMerchant: (id: number) => Promise<Merchant | undefined>
}

/** Duration of a lease in milliseconds: deliveries of a crashed process are free after it. */
export const LEASE_MS = 15_000

/** Milliseconds between renewals, while a delivery waits for its turn and during its call. */
const RENEW_MS = 5_000

/** Leases deliveries to this gateway, so that no other sends them. */
export type Leases = ReturnType<typeof createLeases>

export function createLeases({ database, machine, randomBytes, findMerchant }: LeaseDependencies) {
  const owner = Buffer.from(randomBytes(12)).toString('hex')
  /** End of each lease by the machine's clock. */
  const taken = new Map<number, number>()
  const leaseNow = (machineNow = machine()): Lease => ({
    owner,
    machineNow,
    until: machineNow + LEASE_MS,
  })

  const renewing = timers
    .setInterval(() => {
      const lease = leaseNow()
      const ids = [...taken].flatMap(([id, until]) =>
        until - lease.machineNow > LEASE_MS - RENEW_MS ? [] : [id],
      )
      if (ids.length === 0) return
      const renewed = () => {
        for (const id of ids) if (taken.has(id)) taken.set(id, lease.until)
      }
      // If the database is unavailable for long, another process may lease them.
      database.writeUnflushed((queries) => renewLeases(queries, ids, lease)).then(renewed, () => {})
    }, RENEW_MS)
    .unref()

  return {
    owner,
    taken,
    /** One statement leases deliveries that were found together, and reads their merchants once. */
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
    /** Many leases end at the same time if a host has become slow or the gateway closes. */
    giveBack: createBatcher(async (all: readonly WebhookDeliveryRow[]) => {
      const ids = all.map(({ id }) => id)
      await database.writeUnflushed((queries) => updateLeased(queries, ids, owner, {}))
      return ids.map(() => undefined)
    }),
    /** Stops renewing leases. */
    end: () => timers.clearInterval(renewing),
  }
}
