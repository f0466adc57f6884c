import { createChanges } from '../domain/changes.ts'
import type { Database } from '../storage/database.ts'
import { createAudiences } from '../web/console/live/audiences.ts'
import type { GatewayOptions } from './options.ts'
import { relayChanges } from './relayed-changes.ts'
import { recordRun } from './run-report.ts'

/** Changes of the data, and the pages and reports that show them. */
export type LiveChanges = ReturnType<typeof createLiveChanges>

/**
 * Creates the changes that live pages and a report are told of; gateways on one database tell them
 * each other.
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
    /** Undefined if no report is wanted. */
    run,
    close() {
      audiences.close()
      relay?.close()
    },
  }
}
