import { badFormat } from '../../../domain/errors/errors.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { wireTime } from '../../../serializers/time.ts'
import { listSnapshots } from '../../../storage/snapshots.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { countOf, time } from '../parts/cells.ts'
import { asCommand, commandOf } from '../parts/command.ts'
import { tokenField } from '../parts/forms.ts'
import { merchantChoices } from '../settings/merchants.ts'
import { type ConsoleVisit, textsOf } from '../visit.ts'
import { type Part, part } from './part.ts'

/** A button behind its explanation, because it cannot be undone. */
const risk = (
  visit: ConsoleVisit,
  to: string,
  words: string,
  why: string,
  fields: SafeHtml | null,
): SafeHtml => html`<details class="risk"><summary>${words}…</summary>
<form method="post" action="${to}">${tokenField(visit)}${fields}
<p>${why}</p><button class="danger">${words}</button></form></details>`

/** Renders the deletion of a merchant's data. */
export const resetPart = (visit: ConsoleVisit, { at, owner }: Part): SafeHtml =>
  part(
    'Data',
    asCommand(commandOf('data.reset', {}, owner.merchantId)),
    html`<p class="quiet">Payments, customers, cards, plans, webhooks, mails, faults and forced results.
Keys, settings and templates stay.</p>
${risk(
  visit,
  `${at}/data.reset`,
  'Delete all data',
  'Deletes the data of this merchant, and resets its clock. This cannot be undone.',
  hiddenFields({ sure: 'true' }),
)}`,
  )

/** Renders snapshots, fixtures and the reset, about all merchants, for the administrator. */
export async function snapshotsPart(
  visit: ConsoleVisit,
  { at, problemOf, refused }: Part,
): Promise<SafeHtml> {
  const saved = await listSnapshots(visit.dependencies.database)
  const typed = textsOf(refused ? visit.parameters : {}, ['name', 'fixtures'])
  const merchants = await merchantChoices(visit)
  const choice = html`<label>Merchant <select name="merchant_id"><option value="">all</option>
${merchants.map(({ id, name }) => html`<option value="${id}">${name} (${id})</option>`)}
</select></label>`
  const token = tokenField(visit)
  return part(
    'Snapshots',
    asCommand(
      commandOf('snapshots.save', { name: 'before-dunning' }),
      commandOf('snapshots.restore', { name: 'before-dunning' }),
    ),
    html`<div class="half"><div>
${
  saved.length > 0
    ? html`<ul class="rows">${saved
        .toSorted((one, other) => other.saved_at - one.saved_at)
        .map(
          ({ name, saved_at, payments }) => html`
<li><span><b>${name}</b><small>${countOf(payments, 'payment')}, ${time(wireTime(saved_at)).text}</small></span>
<span class="btns">${risk(
            visit,
            `${at}/snapshots.restore`,
            'Restore',
            'Replaces the data of all merchants, clocks and forced results. Everything created or changed since then is lost. Accounts, keys, settings and templates stay.',
            hiddenFields({ name }),
          )}${risk(visit, `${at}/snapshots.delete`, 'Delete', 'Deletes the snapshot. The data stay as they are.', hiddenFields({ name }))}</span></li>`,
        )}</ul>`
    : html`<p class="quiet">No snapshot is saved. After a restore, the same calls have the same answers again.</p>`
}
<form class="inline" method="post" action="${at}/snapshots.save">${token}
<input name="name" value="${typed.name}" aria-label="Name of a new snapshot" placeholder="Name of a new snapshot" required>
<button class="small">Save</button></form>
${problemOf('snapshots.save')}
</div><div>
<h3>Data files</h3>
<p class="quiet">Plans, customers, stored cards and transactions, for <code>--fixtures</code>.</p>
<form class="inline" method="get" action="${at}/fixtures.json">${choice}
<button class="small">Download</button></form>
<details${refused?.operation === 'fixtures.load' ? html` open` : null}><summary>Add data from a file</summary>
${problemOf('fixtures.load')}
<form method="post" action="${at}/fixtures.load">${token}
<label>Fixtures, as JSON
<textarea name="fixtures" rows="8" spellcheck="false" required data-file=".json">
${typed.fixtures}</textarea></label><button class="small">Add</button></form></details>
${problemOf('data.reset')}
${risk(
  visit,
  `${at}/data.reset`,
  'Delete all data',
  'Deletes payments, customers, cards, plans, webhooks, mails, faults and forced results, and resets the clocks. Merchants, keys, settings and templates stay. This cannot be undone.',
  html`${choice}${hiddenFields({ sure: 'true' })}`,
)}
</div></div>`,
  )
}

/** Reads the fixtures of a form. @throws errors.request.bad_format (253) */
export function readFixtures(sent: Parameters): Parameters {
  try {
    return JSON.parse(text(sent, 'fixtures') ?? '')
  } catch (error) {
    throw badFormat(`The fixtures are not JSON: ${(error as Error).message}.`)
  }
}
