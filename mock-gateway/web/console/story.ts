import { readStory } from '../../serializers/story/read-story.ts'
import type { Story } from '../../serializers/story/story.ts'
import { exchangeOf } from '../http/exchange.ts'
import { html } from '../pages/html.ts'
import { storyFile, storyView } from '../pages/story.ts'
import { money, status } from './cells.ts'
import { cell } from './design/cell.ts'
import { type ConsolePage, idOf, type MerchantVisit, noRow } from './visit.ts'

/** Page of a payment's timeline, also as a file. */
export const STORY_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  {
    path: '/transactions/:id/story',
    section: 'transactions',
    async show(visit) {
      const story = await storyOf(visit)
      const { home } = visit
      return {
        live: ['requests', 'webhooks', `transactions/${story.id}`],
        title: `Timeline of transaction ${story.id}`,
        body: html`<p class="amount">${money(story.amount, story.currency).text}
${cell(status(story.status))}</p>
<p>Payment ref <b>${story.payment_ref}</b>.
<a href="${home}/transactions/${story.id}">Open the transaction</a>.
<a href="${home}/transactions/${story.id}/story.html">Download it</a> to attach it to a bug report;
it contains no secrets or card numbers.</p>
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
