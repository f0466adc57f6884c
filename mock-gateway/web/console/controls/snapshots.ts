import { wireTime } from '../../../serializers/time.ts'
import { listSnapshots } from '../../../storage/snapshots.ts'
import { html } from '../../pages/html.ts'
import { link, plain, quantity, time } from '../parts/cells.ts'
import { emptyState } from '../parts/empty.ts'
import { factList } from '../parts/facts.ts'
import {
  type ConsoleProblem,
  type FormFields,
  filledIn,
  redisplayOnError,
} from '../parts/form-errors.ts'
import { formView, tokenField } from '../parts/forms.ts'
import { runFromForm } from '../parts/operation-form.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  noRow,
  textsOf,
} from '../visit.ts'

const FIELDS = {
  name: {
    label: 'Name',
    help: 'Letters, digits, dots, hyphens and underscores. A snapshot of the same name is replaced.',
    isRequired: true,
  },
} as const satisfies FormFields

const section = 'snapshots'
const path = '/snapshots'

const savedIn = ({ dependencies }: ConsoleVisit) => listSnapshots(dependencies.database)

async function show(
  visit: ConsoleVisit,
  problem: ConsoleProblem | null = null,
): Promise<ConsoleView> {
  const { root } = visit
  const saved = await savedIn(visit)
  const rows = saved
    .toSorted((one, other) => other.saved_at - one.saved_at)
    .map(({ name, saved_at, payments }) => [
      link(name, `${root}${path}/${name}`),
      quantity(payments),
      time(wireTime(saved_at)),
    ])
  const form = formView({
    formToken: visit.formToken,
    to: `${root}${path}`,
    ...filledIn(FIELDS, textsOf(problem ? visit.parameters : {}, ['name']), problem),
    button: 'Save',
  })
  return {
    live: ['data'],
    title: 'Snapshots',
    body: html`<p class="quiet">A snapshot saves the data of all merchants, the clocks, the forced outcomes
and the next ids.
After a restore, the same calls have the same answers again.
Open a snapshot to restore or delete it.</p>
${
  rows.length > 0
    ? table({
        heads: ['Name', 'Payments', 'Saved'],
        places: ['first', 'first-end', 'second'],
        rows,
      })
    : emptyState('No snapshot is saved.')
}
<h2>Save a snapshot</h2>
${form}`,
  }
}

/** The page of one snapshot, with the changes of a restore: its buttons need no confirmation. */
async function showOne(visit: ConsoleVisit): Promise<ConsoleView> {
  const { root } = visit
  const { name = '' } = visit.named
  const snapshot = (await savedIn(visit)).find((each) => each.name === name)
  if (!snapshot) throw noRow('snapshot', name)
  const at = `${root}${path}/${name}`
  const token = tokenField(visit)
  return {
    title: `Snapshot ${name}`,
    body: html`${factList([
      { name: 'Payments', ...plain(snapshot.payments) },
      { name: 'Saved', ...time(wireTime(snapshot.saved_at)) },
    ])}
<h2>Restore</h2>
<p class="quiet">Replaces the data of all merchants by the snapshot, with clock, forced outcomes and ids.
Everything that was created or changed since then is lost.
Accounts, keys, settings and templates stay as they are.</p>
<div class="acts">
<form method="post" action="${at}/restore">${token}<button class="danger">Restore</button></form></div>
<h2>Delete</h2>
<p class="quiet">Deletes the snapshot. The data stay as they are.</p>
<div class="acts">
<form method="post" action="${at}/remove">${token}<button class="danger">Delete</button></form></div>
<p><a href="${root}${path}">All snapshots</a></p>`,
  }
}

/** Pages of snapshots, for the administrator. */
export const SNAPSHOT_PAGES: readonly ConsolePage<ConsoleVisit>[] = [
  { path, section, show: (visit) => show(visit) },
  { path: `${path}/:name`, section, show: showOne },
]
export const SNAPSHOT_ACTS: readonly FormAction<ConsoleVisit>[] = [
  {
    path,
    section,
    act: (visit) =>
      redisplayOnError(
        visit,
        async () => {
          await runFromForm(visit, 'snapshots.save', undefined)
          return { to: path, done: 'saved' }
        },
        (problem) => show(visit, problem),
      ),
  },
  {
    path: `${path}/:name/restore`,
    section,
    async act(visit) {
      await runFromForm(visit, 'snapshots.restore', undefined, {})
      return { to: path, done: 'restored' }
    },
  },
  {
    path: `${path}/:name/remove`,
    section,
    async act(visit) {
      await runFromForm(visit, 'snapshots.delete', undefined, {})
      return { to: path, done: 'removed' }
    },
  },
]
