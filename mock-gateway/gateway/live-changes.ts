import { createChanges } from '../domain/changes.ts'
import type { Database } from '../storage/database.ts'
import { createAudiences } from '../web/console/live/audiences.ts'
import type { GatewayOptions } from './options.ts'
import { relayChanges } from './relayed-changes.ts'
import { recordRun } from './run-report.ts'

/** Live updates, and the report of a run. */
export type LiveChanges = ReturnType<typeof createLiveChanges>

/**
 * Creates live updates for pages and the report; gateways on one database relay them to each other.
 */
export function createLiveChanges(
  { channel }: Pick<Database, 'channel'>,
  report: GatewayOptions['report'],
) {
  const relay = channel && relayChanges(createChanges(), channel)
  const own = relay ?? createChanges()
  const run = report && recordRun(report)
  const changes = run ? run.noting(own) : own
  const audiences = createAudiences(changes)
  return {
    changes,
    audiences,
    /** Undefined without a report. */
    run,
    close() {
      audiences.close()
      relay?.close()
    },
  }
}
