import type { Change, Changes } from '../domain/changes.ts'
import type { Logger } from '../domain/logger.ts'
import type { Authenticator } from '../merchants/authenticate.ts'
import { readStory } from '../serializers/story/read-story.ts'
import type { Story } from '../serializers/story/story.ts'
import type { Database } from '../storage/database.ts'
import type { Assets } from '../web/pages/assets.ts'
import { storyFile } from '../web/pages/story.ts'

/**
 * Limits of a report: payments in it, and milliseconds of the machine that reading them may take
 * (our decision).
 */
const MOST = { payments: 1_000, milliseconds: 5_000 } as const

/** What this gateway has done since its start, and the report of it. */
export interface RunRecord {
  /** The same changes; each that is published, and so is of this gateway, is noted. */
  noting(changes: Changes): Changes
  /** Gives the report. What goes wrong is in the log, and keeps no gateway from ending. */
  tell(sources: ReportSources): Promise<void>
}

/**
 * Notes to which payments something happens by this gateway from now on.
 * @param report is given their stories, as one page of HTML without outside parts; of too many,
 *   those of the newest
 */
export function recordRun(report: (html: string) => Promise<void>): RunRecord {
  const merchantOf = new Map<number, number>()
  function note({ topic, id, merchantId }: Change) {
    if (topic !== 'transactions' || typeof id !== 'number' || typeof merchantId !== 'number') return
    // The last to whom something happened stand last.
    merchantOf.delete(id)
    merchantOf.set(id, merchantId)
  }
  async function tell({ database, authenticator, assets, now }: ReportSources) {
    const began = performance.now()
    const stories: Story[] = []
    let left = merchantOf.size
    for (const [id, merchantId] of [...merchantOf].reverse()) {
      if (stories.length >= MOST.payments || performance.now() - began > MOST.milliseconds) break
      left -= 1
      const merchant = await authenticator.find(merchantId)
      // A reset may have taken it away.
      const story = merchant && (await readStory(database.db, merchant, id))
      if (story) stories.push(story)
    }
    const inOrder = stories.toSorted((one, other) => one.id - other.id)
    await report(
      await storyFile(assets, inOrder, { title: 'Payments of a run', now, leftOut: left }),
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
    tell: (sources) => tell(sources).catch((err) => sources.logger.error({ err })),
  }
}

/** What a report is made with. */
interface ReportSources {
  readonly database: Database
  readonly authenticator: Pick<Authenticator, 'find'>
  readonly assets: Assets
  readonly logger: Logger
  /** Epoch milliseconds by everybody's clock. */
  readonly now: number
}
