import type { RandomSource } from '../domain/chance.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { Database } from '../storage/database.ts'
import { resetData } from '../storage/reset.ts'

export interface ResetDependencies {
  readonly database: Database
  readonly timeline: Scheduler
  readonly chance: RandomSource
  /** Requests that are yet to be written down. */
  readonly keptRequests: {
    settle(): Promise<void>
    forget(merchantId: number | undefined): Promise<void>
  }
}

/**
 * Resets the data to the state after the first start, for all merchants or one. Merchants, their
 * keys and templates stay.
 * @param merchantId undefined: all merchants
 * @throws GatewayError errors.request.bad_format (its clock is being moved)
 */
export async function reset(
  { database, timeline, chance, keptRequests }: ResetDependencies,
  merchantId: number | undefined,
): Promise<void> {
  await keptRequests.forget(merchantId)
  await timeline.hold(merchantId, async () => {
    await resetData(database, merchantId)
    return []
  })
  if (merchantId === undefined) chance.clear()
  else chance.seed(undefined, merchantId)
}
