import type { Transaction } from '../../../contract/wire.ts'
import { readStory } from '../../../serializers/story/read-story.ts'
import type { Story } from '../../../serializers/story/story.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html } from '../../pages/html.ts'
import { storyFile, storyView } from '../../pages/story.ts'
import { objectOf } from '../parts/details.ts'
import { type ConsolePage, idOf, type MerchantVisit, noRow } from '../visit.ts'
import { amountLine, paymentSummary } from './payment-summary.ts'

/** Page of a payment's timeline, also as a file. */
export const STORY_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  {
    path: '/transactions/:id/story',
    section: 'transactions',
    async show(visit) {
      const story = await storyOf(visit)
      const { home } = visit
      const transaction = (await objectOf(visit, 'transactions')) as unknown as Transaction
      return {
        live: ['requests', 'webhooks', `transactions/${story.id}`],
        title: `Timeline of transaction ${story.id}`,
        heading: amountLine(transaction),
        body: html`${paymentSummary(transaction, home)}
<p class="presets"><a class="button" href="${home}/transactions/${story.id}">Open the transaction</a>
<a class="button" href="${home}/transactions/${story.id}/story.html">Download</a>
<span class="hint">The file contains no secrets or card numbers: attach it to a bug report.</span></p>
${storyView(story, ({ what, id }) => `${home}/${what}/${id}`)}`,
      }
    },
  },
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
