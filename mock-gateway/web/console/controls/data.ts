import { text } from '../../../parsing/parameters/parameters.ts'
import { listSnapshots } from '../../../storage/snapshots.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import { formatCount, timeAt } from '../parts/cells.ts'
import { renderFolded, renderOption } from '../parts/forms.ts'
import { findProblem } from '../parts/operation-form.ts'
import { merchantChoices } from '../settings/merchants.ts'
import type { ConsoleVisit } from '../visit.ts'
import { renderControlForm, renderPart, renderProblemOf, renderRisk } from './part.ts'

export const resetPart = (visit: ConsoleVisit): SafeHtml =>
  renderPart(visit, 'Data', { 'data.reset': {} }, renderReset(visit, null))

/** Renders the button that deletes all data. @param choice field that chooses a merchant */
const renderReset = (visit: ConsoleVisit, choice: SafeHtml | null): SafeHtml =>
  html`${renderProblemOf(visit, 'data.reset')}
<p class="quiet">A reset deletes payments, customers, cards, plans, webhooks, mails, faults and forced results.
${choice ? 'Merchants, keys' : 'Keys'}, settings, templates and snapshots stay.</p>
${renderRisk(
  visit,
  'data.reset',
  'Delete all data',
  'Deletes the data, and resets the clock. This cannot be undone.',
  choice,
)}`

/** Renders snapshots and the reset; for the administrator, also the data as a file. */
export async function snapshotsPart(visit: ConsoleVisit): Promise<SafeHtml> {
  const merchants = { '': 'all', ...(await merchantChoices(visit)) }
  const choice =
    visit.merchant === undefined
      ? html`<label>Merchant <select name="merchant_id">${Object.entries(merchants).map(
          ([id, name]) => renderOption(id, name, ''),
        )}</select></label>`
      : null
  return renderPart(
    visit,
    'Snapshots',
    {
      'snapshots.save': { name: 'before-dunning' },
      'snapshots.restore': { name: 'before-dunning' },
    },
    html`<div class="columns"><div>
${await renderSnapshots(visit)}
</div><div>
${
  choice &&
  html`<h3 class="quiet">Data files</h3>
<p class="quiet">Plans, customers, stored cards and transactions, for <code>--fixtures</code>.</p>
<form class="row" method="get" action="${visit.root}/controls/fixtures.json">${choice}
<button class="small">Download</button></form>
${renderFixturesForm(visit)}`
}
${renderReset(visit, choice)}
</div></div>`,
  )
}

async function renderSnapshots(visit: ConsoleVisit): Promise<SafeHtml> {
  const saved = await listSnapshots(visit.db)
  const newestFirst = saved.toSorted((one, other) => other.saved_at - one.saved_at)
  const typed = text(visit.refused ? visit.parameters : {}, 'name')
  const risk = (name: string, operation: string, words: string, why: string) =>
    renderRisk(visit, operation, words, why, renderHiddenFields({ name }))
  return html`${
    saved.length > 0
      ? html`<ul class="rows">${newestFirst.map(
          ({ name, saved_at, payments }) => html`
<li><span><b>${name}</b><small>${formatCount(payments, 'payment')}, ${timeAt(saved_at).text}</small></span>
<span class="row">${risk(name, 'snapshots.restore', 'Restore', 'Replaces the data of all merchants, clocks and forced results. Everything created or changed since then is lost. Accounts, keys, settings and templates stay.')}${risk(name, 'snapshots.delete', 'Delete', 'Deletes the snapshot. The data stay as they are.')}</span></li>`,
        )}</ul>`
      : html`<p class="quiet">No snapshot is saved. After a restore, the same calls have the same answers again.</p>`
  }
${renderControlForm(
  visit,
  'snapshots.save',
  html`<input name="name" value="${typed}" aria-label="Name of a new snapshot" placeholder="Name of a new snapshot" required>
<button class="small">Save</button>`,
)}
${renderProblemOf(visit, 'snapshots.save')}`
}

function renderFixturesForm(visit: ConsoleVisit): SafeHtml {
  const name = 'fixtures.load'
  const field = html`
<label>Fixtures, as JSON
<textarea name="fixtures" rows="8" spellcheck="false" required data-file=".json">
${text(visit.refused ? visit.parameters : {}, 'fixtures')}</textarea></label><button class="small">Add</button>`
  return renderFolded(
    'Add data from a file',
    html`${renderProblemOf(visit, name)}
${renderControlForm(visit, name, field, '')}`,
    { isOpen: findProblem(visit, name) !== null },
  )
}
