import { readStory } from '../../../serializers/story/read-story.ts'
import type { Story } from '../../../serializers/story/story.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { storyFile } from '../../pages/story.ts'
import { type ConsolePage, idOf, type MerchantVisit, noRow } from '../visit.ts'

/** File of what happened to a payment. */
export const STORY_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  {
    path: '/transactions/:id/story.html',
    section: 'transactions',
    async show(visit) {
      const story = await storyOf(visit)
      const { now } = exchangeOf(visit.response)
      const content = await storyFile(visit.dependencies.assets, [story], {
        title: `Transaction ${story.id}`,
        now,
      })
      return { name: `transaction-${story.id}.html`, type: 'text/html', content }
    },
  },
]

/** @throws errors.not_found (196), also for other merchants' (attack 116) */
export async function storyOf(visit: MerchantVisit): Promise<Story> {
  const { keptRequests, database } = visit.dependencies
  await keptRequests.settle()
  const story = await readStory(database.db, visit.merchant, idOf(visit))
  if (story) return story
  throw noRow('transaction', visit.named.id ?? '')
}
