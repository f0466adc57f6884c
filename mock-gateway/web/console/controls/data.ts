import { formatWireTime } from '../../../serializers/time.ts'
import { listSnapshots } from '../../../storage/snapshots.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import { formatCount, time } from '../parts/cells.ts'
import { renderFolded, renderOption } from '../parts/forms.ts'
import { findProblem } from '../parts/operation-form.ts'
import { merchantChoices } from '../settings/merchants.ts'
import { type ConsoleVisit, readTexts } from '../visit.ts'
import { renderControlForm, renderPart, renderProblemOf, renderRisk } from './part.ts'

/** Renders the deletion of a merchant's data. */
export const resetPart = (visit: ConsoleVisit): SafeHtml =>
  renderPart(
    visit,
    'Data',
    { 'data.reset': {} },
    html`<p class="quiet">Payments, customers, cards, plans, webhooks, mails, faults and forced results.
Keys, settings and templates stay.</p>
${renderRisk(
  visit,
  'data.reset',
  'Delete all data',
  'Deletes the data of this merchant, and resets its clock. This cannot be undone.',
)}`,
  )

/** Renders snapshots, fixtures and the reset, about all merchants, for the administrator. */
export async function snapshotsPart(visit: ConsoleVisit): Promise<SafeHtml> {
  const saved = await listSnapshots(visit.dependencies.database.db)
  const typed = readTexts(visit.refused ? visit.parameters : {}, ['name', 'fixtures'])
  const merchants = { '': 'all', ...(await merchantChoices(visit)) }
  const choice = html`<label>Merchant <select name="merchant_id">${Object.entries(merchants).map(
    ([id, name]) => renderOption(id, name, ''),
  )}</select></label>`
  return renderPart(
    visit,
    'Snapshots',
    {
      'snapshots.save': { name: 'before-dunning' },
      'snapshots.restore': { name: 'before-dunning' },
    },
    html`<div class="half"><div>
${
  saved.length > 0
    ? html`<ul class="rows">${saved
        .toSorted((one, other) => other.saved_at - one.saved_at)
        .map(
          ({ name, saved_at, payments }) => html`
<li><span><b>${name}</b><small>${formatCount(payments, 'payment')}, ${time(formatWireTime(saved_at)).text}</small></span>
<span class="btns">${renderRisk(
            visit,
            'snapshots.restore',
            'Restore',
            'Replaces the data of all merchants, clocks and forced results. Everything created or changed since then is lost. Accounts, keys, settings and templates stay.',
            renderHiddenFields({ name }),
          )}${renderRisk(visit, 'snapshots.delete', 'Delete', 'Deletes the snapshot. The data stay as they are.', renderHiddenFields({ name }))}</span></li>`,
        )}</ul>`
    : html`<p class="quiet">No snapshot is saved. After a restore, the same calls have the same answers again.</p>`
}
${renderControlForm(
  visit,
  'snapshots.save',
  html`<input name="name" value="${typed.name}" aria-label="Name of a new snapshot" placeholder="Name of a new snapshot" required>
<button class="small">Save</button>`,
)}
${renderProblemOf(visit, 'snapshots.save')}
</div><div>
<h3>Data files</h3>
<p class="quiet">Plans, customers, stored cards and transactions, for <code>--fixtures</code>.</p>
<form class="inline" method="get" action="${visit.root}/controls/fixtures.json">${choice}
<button class="small">Download</button></form>
${renderFolded(
  'Add data from a file',
  html`${renderProblemOf(visit, 'fixtures.load')}
${renderControlForm(
  visit,
  'fixtures.load',
  html`
<label>Fixtures, as JSON
<textarea name="fixtures" rows="8" spellcheck="false" required data-file=".json">
${typed.fixtures}</textarea></label><button class="small">Add</button>`,
  '',
)}`,
  { isOpen: findProblem(visit, 'fixtures.load') !== null },
)}
${renderProblemOf(visit, 'data.reset')}
${renderRisk(
  visit,
  'data.reset',
  'Delete all data',
  'Deletes payments, customers, cards, plans, webhooks, mails, faults and forced results, and resets the clocks. Merchants, keys, settings and templates stay. This cannot be undone.',
  choice,
)}
</div></div>`,
  )
}
