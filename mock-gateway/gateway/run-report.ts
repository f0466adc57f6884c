import type { Logger } from '../domain/ambient.ts'
import type { Change, Changes } from '../domain/changes.ts'
import { performance } from '../domain/timers.ts'
import type { Authenticator } from '../merchants/authenticate.ts'
import type { Story } from '../serializers/story/story.ts'
import type { Database } from '../storage/database.ts'
import type { Assets } from '../web/pages/assets.ts'

/** Limits of a report: payments, and milliseconds (of the machine) to read them (our decision). */
const LIMITS = { payments: 1_000, milliseconds: 5_000 } as const

/** Changes of this gateway since its start, and the report of them. */
export interface RunRecord {
  /**
   * Wraps changes, so that each published one is recorded; only this gateway's are published here.
   */
  noting(changes: Changes): Changes
  /** Sends the report. Errors are logged, and do not stop the gateway from closing. */
  tell(sources: ReportSources): Promise<void>
}

/**
 * Records the payments that this gateway changes from now on.
 * @param report receives their stories as one page of HTML without external resources; if there are
 *   too many, the newest
 */
export function recordRun(report: (html: string) => Promise<void>): RunRecord {
  const merchantOf = new Map<number, number>()
  function note({ topic, id, merchantId }: Change) {
    if (topic !== 'transactions' || typeof id !== 'number' || typeof merchantId !== 'number') return
    // The most recently changed payments are last.
    merchantOf.delete(id)
    merchantOf.set(id, merchantId)
  }
  async function tell({ database, authenticator, assets, now }: ReportSources) {
    const { readStory } = await import('../serializers/story/read-story.ts')
    const { renderStoryFile } = await import('../web/pages/story.ts')
    const began = performance.now()
    const stories: Story[] = []
    let left = merchantOf.size
    for (const [id, merchantId] of [...merchantOf].reverse()) {
      if (stories.length >= LIMITS.payments || performance.now() - began > LIMITS.milliseconds)
        break
      left -= 1
      const merchant = await authenticator.find(merchantId)
      // A reset may have deleted it.
      const story = merchant && (await readStory(database.db, merchant, id))
      if (story) stories.push(story)
    }
    const inOrder = stories.toSorted((one, other) => one.id - other.id)
    await report(
      await renderStoryFile(assets, inOrder, { title: 'Payments of a run', now, leftOut: left }),
    )
  }

  return {
    noting: (changes) => ({
      ...changes,
      publish(change) {
        note(change)
        changes.publish(change)
      },
    }),
    tell: (sources) =>
      tell(sources).catch((err) =>
        sources.logger.error({ err }, 'The report of the run could not be written'),
      ),
  }
}

interface ReportSources {
  readonly database: Database
  readonly authenticator: Pick<Authenticator, 'find'>
  readonly assets: Assets
  readonly logger: Logger
  /** Epoch milliseconds by the common clock. */
  readonly now: number
}
