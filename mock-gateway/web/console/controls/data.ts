import { badFormat } from '../../../domain/errors/errors.ts'
import { type Parameters, text, yesOrNo } from '../../../parsing/parameters/parameters.ts'
import { html } from '../../pages/html.ts'
import { type ConsoleProblem, redisplayOnError } from '../parts/form-errors.ts'
import { tokenField } from '../parts/forms.ts'
import { runFromForm } from '../parts/operation-form.ts'
import { problemBox } from '../parts/problem.ts'
import { merchantChoices } from '../settings/merchants.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  fieldsOf,
  type MerchantVisit,
} from '../visit.ts'

/** Pages that export and delete all data. */
export const DATA_PAGES: readonly ConsolePage<ConsoleVisit>[] = [
  {
    path: '/data',
    section: 'data',
    show: (visit) => show(visit),
  },
  {
    path: '/data/fixtures.json',
    section: 'data',
    async show(visit) {
      const fixtures = await runFromForm(visit, 'fixtures.export', undefined)
      return {
        name: 'fixtures.json',
        type: 'application/json',
        content: JSON.stringify(fixtures, null, 2),
      }
    },
  },
]

async function show(
  visit: ConsoleVisit,
  problem: ConsoleProblem | null = null,
): Promise<ConsoleView> {
  const written = problem ? (text(visit.parameters, 'fixtures') ?? '') : ''
  const { root } = visit
  const token = tokenField(visit)
  const merchants = await merchantChoices(visit)
  const choice =
    merchants.length > 0
      ? html`<label>Merchant <select name="merchant_id"><option value="">all</option>
${merchants.map(({ id, name }) => html`<option value="${id}">${name} (${id})</option>`)}
</select></label>`
      : null
  return {
    title: 'Data',
    body: html`<h2>Download data</h2>
<p class="quiet">The file contains plans, customers, stored cards and transactions,
for <code>--fixtures</code>.
It does not contain passwords, secrets, subscriptions, webhooks and logs.</p>
<form class="filters" method="get" action="${root}/data/fixtures.json">${choice}
<button class="small">Download</button></form>
<h2>Add data</h2>
${problemBox(problem)}
<p class="quiet">Adds the data of a fixtures file.
If the file has a mistake, nothing is added, and you see the mistake and its place.</p>
<form class="filters" method="post" action="${root}/data/fixtures">${token}
<label class="whole">Fixtures, as JSON
<textarea name="fixtures" rows="8" spellcheck="false" required data-file=".json">
${written}</textarea></label><button>Add</button></form>
<h2>Reset all data</h2>
<p class="quiet">Deletes payments, customers, cards, plans, webhooks and their deliveries,
mails, faults and forced outcomes, and resets the clocks.
Merchants, their keys, settings and templates remain.</p>
<div class="acts"><form method="post" action="${root}/data/reset">${token}${choice}
${CONFIRMATION}<button class="danger">Reset</button></form></div>`,
  }
}

const CONFIRMATION = html`<label class="tick">
<input type="checkbox" name="sure" value="true" required> I am sure.
This cannot be undone.</label>`

/** Imports fixtures from the text of a file. */
export const FIXTURES_ACT: FormAction<ConsoleVisit> = {
  path: '/data/fixtures',
  section: 'data',
  act: (visit) =>
    redisplayOnError(
      visit,
      async () => {
        const file = readJson(text(visit.parameters, 'fixtures') ?? '')
        const done = await runFromForm(visit, 'fixtures.load', undefined, file)
        const { loaded } = done as { loaded: Readonly<Record<string, number>> }
        const count = Object.values(loaded).reduce((sum, each) => sum + each, 0)
        return { to: '/data', done: 'loaded', count }
      },
      (problem) => show(visit, problem),
    ),
}

/** @throws errors.request.bad_format (253) */
function readJson(json: string): Parameters {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw badFormat(`The fixtures are not JSON: ${(error as Error).message}.`)
  }
}

export const RESET_ACT: FormAction<ConsoleVisit> = {
  path: '/data/reset',
  async act(visit) {
    await runFromForm(visit, 'data.reset', undefined, sureFieldsOf(visit))
    return { to: '/data', done: 'reset' }
  },
}

/** Resets the data of one merchant. */
export const OWN_RESET_PAGE: ConsolePage<MerchantVisit> = {
  path: '/reset',
  section: 'reset',
  show: async (visit) => ({
    title: 'Reset',
    body: html`<p class="quiet">Deletes this merchant’s payments, customers, cards, plans,
webhooks and their deliveries, mails, faults and forced outcomes, and resets its clock.
The merchant, its keys, settings and templates remain.</p>
<div class="acts"><form method="post" action="${visit.home}/reset">${tokenField(visit)}
${CONFIRMATION}<button class="danger">Reset</button></form></div>`,
  }),
}

export const OWN_RESET_ACT: FormAction<MerchantVisit> = {
  path: '/reset',
  section: 'reset',
  async act(visit) {
    await runFromForm(visit, 'data.reset', visit.merchant.id, sureFieldsOf(visit))
    return { to: '/reset', done: 'reset' }
  },
}

/** @throws errors.request.bad_format (253) without the tick */
function sureFieldsOf(visit: ConsoleVisit) {
  const { sure, ...sent } = fieldsOf(visit)
  if (yesOrNo({ sure }, 'sure')) return sent
  throw badFormat('Nothing was deleted. Tick the box to confirm the reset.')
}
