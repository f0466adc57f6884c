import { GatewayError } from '../../domain/errors/errors.ts'
import type { StoryEntry } from '../../serializers/story/entries.ts'
import { readStory } from '../../serializers/story/read-story.ts'
import { getExchange } from '../http/exchange.ts'
import { html } from '../pages/html.ts'
import { renderSequenceDiagram } from '../pages/sequence.ts'
import { renderOrderPage } from './order.ts'
import type { HostedPage } from './page.ts'
import type { PaymentVisit } from './visit.ts'

/**
 * Builds the page with the steps of a test payment, drawn as in the console.
 * @throws errors.not_found (196) if the merchant shows no test helper
 */
export async function loadStoryPage(visit: PaymentVisit): Promise<HostedPage> {
  const { response, row, merchant, href } = visit
  const { db } = getExchange(response).service.database
  const isTester = row.test && merchant.settings.page_test_helper
  const story = isTester ? await readStory(db, merchant, row.id) : undefined
  if (!story)
    throw new GatewayError('errors.not_found', {
      explain:
        "Payers see the steps of test payments only, with the merchant's setting page_test_helper.",
    })
  const entries = story.entries.flatMap(withoutData)
  return renderOrderPage(visit, ({ text, order, locale, builtIn }) => ({
    title: `${text.story} – ${order.merchant}`,
    style: 'hosted/story-page.css',
    main: html`<main>
<h1>${text.story}</h1>
<h2>${order.amount}</h2>
<p><a href="${href}?lang=${locale}${builtIn}">${text.story_back}</a></p>
<div lang="en">${renderSequenceDiagram({ ...story, entries })}</div>
</main>`,
  }))
}

/** Leaves out what only the merchant sees: folded steps, addresses and the sent data. */
const withoutData = ({ of: _of, ...entry }: StoryEntry): readonly StoryEntry[] =>
  entry.isPlumbing ? [] : [{ ...entry, title: entry.arrow?.label ?? entry.title, details: [] }]
