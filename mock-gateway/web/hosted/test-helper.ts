import { groupNumber } from '../../../sdk/shared/typed-card.ts'
import type { DeclinedCvv } from '../../acquirer/test-mode.ts'
import { TEST_PERSONS } from '../../acquirer/test-persons.ts'
import { createNumberOfCase } from '../../domain/card/test-cards.ts'
import { OUTCOMES as AUTHENTICATION_OUTCOMES } from '../../domain/card/three-d-secure-cases.ts'
import { getDescription } from '../../domain/errors/catalogue.ts'
import { findEntryByName, GatewayError } from '../../domain/errors/errors.ts'
import type { StoryEntry } from '../../serializers/story/entries.ts'
import { readStory } from '../../serializers/story/read-story.ts'
import { getExchange } from '../http/exchange.ts'
import { AUTHENTICATION_RESULTS } from '../pages/authentication-results.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { renderSequenceDiagram } from '../pages/sequence.ts'
import type { PaymentForm } from './form.ts'
import { isTester, renderOrderPage, renderStoryLink } from './order.ts'
import type { HostedContext, HostedPage } from './page.ts'
import type { HostedTexts } from './texts/sv.ts'
import type { PaymentVisit } from './visit.ts'

/** A card with a known outcome in test mode (specification: Test-mode behavior). */
interface TestOutcome {
  readonly label: string
  /** Label of its button above the list; undefined for most outcomes. */
  readonly quick?: string | undefined
  readonly number: string
  readonly cvv: string
}

const BY_CVV: Readonly<Record<'200' | DeclinedCvv, keyof HostedTexts & `outcome_${string}`>> = {
  200: 'outcome_approved',
  201: 'outcome_declined',
  202: 'outcome_cvv',
  203: 'outcome_expired',
}

const listPlainOutcomes = (text: HostedTexts): readonly TestOutcome[] => [
  ...Object.entries(BY_CVV).map(([cvv, name]) => ({
    label: text[name],
    quick: { 200: text.outcome_approved, 201: text.helper_declined }[cvv],
    number: '4111 1111 1111 1111',
    cvv,
  })),
  { label: text.outcome_mistyped, number: '4111 1111 1111 1112', cvv: '200' },
]

/** The 3-D Secure case that asks the payer for a code. */
const ASKS_FOR_CODE = 10

/** Lists the first card of each 3-D Secure case. */
const list3dsOutcomes = ({ text, locale }: HostedContext): readonly TestOutcome[] =>
  [...AUTHENTICATION_OUTCOMES].map(([number, { flow, result }]) => ({
    label: `${AUTHENTICATION_RESULTS[locale][result]}${flow === 'challenge' ? text.outcome_challenge : ''}`,
    quick: number === ASKS_FOR_CODE ? '3-D Secure' : undefined,
    number: groupNumber(createNumberOfCase(number)),
    cvv: '200',
  }))

export function testHelper(form: PaymentForm): SafeHtml | null {
  const { row, text, hasHelper, kind, invoice } = form
  const isCard = hasHelper && kind === 'card'
  if (!row.test) return null
  return html`<div class="test">
<p>${text.test} ${isCard ? text.helper_hint : null}</p>
${isCard ? testCards(form) : null}
${hasHelper && invoice ? testPersons(form) : null}
${renderStoryLink(form)}
</div>`
}

function testCards(form: PaymentForm): SafeHtml {
  const { text, now } = form
  const [plain, of3ds] = [listPlainOutcomes(text), list3dsOutcomes(form)]
  const all = [...plain, ...of3ds]
  const quick = all.filter((each) => each.quick)
  // Computed by the gateway's clock, which may have been moved.
  const expiry = `12/${(new Date(now).getUTCFullYear() + 3) % 100}`
  return html`<p class="quick">
${quick.map(
  (each) => html`<button type="button" data-row="${all.indexOf(each)}">${each.quick}</button>
`,
)}</p>
<details class="helper">
<summary>${text.helper_more(all.length - quick.length)}</summary>
<table data-expiry="${expiry}">
<thead><tr>
<th scope="col">${text.helper_outcome}</th>
<th scope="col">${text.helper_card}</th>
<th scope="col">${text.helper_cvv}</th>
</tr></thead>
<tbody>
${plain.map(renderOutcomeRow)}</tbody>
<tbody>
<tr><th scope="rowgroup" colspan="3">3-D Secure</th></tr>
${of3ds.map(renderOutcomeRow)}</tbody>
</table>
</details>`
}

/** Renders a card with a button with which our script fills it in. */
const renderOutcomeRow = ({ label, number, cvv }: TestOutcome): SafeHtml =>
  html`<tr class="outcome"><th scope="row"><button type="button" class="plain">${label}</button></th>
<td>${number}</td><td>${cvv}</td></tr>
`

/** Renders the persons with a known result of the credit check. */
const testPersons = ({ text, locale }: HostedContext): SafeHtml => html`<details class="helper">
<summary>${text.persons}</summary>
<p class="quiet">${text.persons_hint}</p>
<table>
<thead><tr>
<th scope="col">${text.person_number}</th>
<th scope="col">${text.person_answer}</th>
</tr></thead>
<tbody>
${TEST_PERSONS.map(({ country, number, refusal }) => {
  const entry = refusal && findEntryByName(refusal)
  const answer = entry ? `${entry.code} ${getDescription(entry, locale)}` : text.person_approved
  return html`<tr><th scope="row">${country} ${number}</th><td>${answer}</td></tr>
`
})}</tbody>
</table>
</details>`

/**
 * Builds the page with the steps of a test payment, drawn as in the console.
 * @throws errors.not_found (196) if the merchant shows no test helper
 */
export async function loadStoryPage(visit: PaymentVisit): Promise<HostedPage> {
  const { response, row, merchant, href } = visit
  const { db } = getExchange(response).service.database
  const story = isTester(visit) ? await readStory(db, merchant, row.id) : undefined
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
<h2 class="amount">${order.amount}</h2>
<p><a href="${href}?lang=${locale}${builtIn}">${text.story_back}</a></p>
<div lang="en">${renderSequenceDiagram({ ...story, entries })}</div>
</main>`,
  }))
}

/** Leaves out what only the merchant sees: folded steps, addresses and the sent data. */
const withoutData = ({ of: _of, ...entry }: StoryEntry): readonly StoryEntry[] =>
  entry.isPlumbing ? [] : [{ ...entry, title: entry.arrow?.label ?? entry.title, details: [] }]
