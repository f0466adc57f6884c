import { wireTime } from '../../serializers/time.ts'
import { COMMON } from '../../storage/clocks.ts'
import { listSnapshots } from '../../storage/snapshots.ts'
import { html } from '../pages/html.ts'
import { link, plain, quantity, time } from './cells.ts'
import { emptyState } from './design/empty.ts'
import { factList } from './design/facts.ts'
import { formView, tokenField } from './design/forms.ts'
import { table } from './design/table.ts'
import { type ConsoleProblem, type FormFields, filledIn, redisplayOnError } from './form-errors.ts'
import { runFromForm } from './operation-form.ts'
import { everybody, type OwnerOf, oneMerchant } from './owner.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  noRow,
  textsOf,
} from './visit.ts'

const FIELDS = {
  name: {
    label: 'Name',
    help: 'Letters, digits, dots, hyphens and underscores. A snapshot of the same name is replaced.',
    isRequired: true,
  },
} as const satisfies FormFields

/** Pages of a merchant's snapshots. */
export const SNAPSHOTS = snapshotsOf(oneMerchant)

/** Pages of the snapshots of all merchants. */
export const SNAPSHOTS_OF_ALL = snapshotsOf(everybody)

function snapshotsOf<Who extends ConsoleVisit>(ownerOf: OwnerOf<Who>) {
  const section = 'snapshots'
  const path = '/snapshots'
  const savedOf = (visit: Who) =>
    listSnapshots(visit.dependencies.database.db, ownerOf(visit).merchantId ?? COMMON)

  async function show(visit: Who, problem: ConsoleProblem | null = null): Promise<ConsoleView> {
    const { merchantId, home } = ownerOf(visit)
    const saved = await savedOf(visit)
    const rows = saved
      .toSorted((one, other) => other.saved_at - one.saved_at)
      .map(({ name, saved_at, payments }) => [
        link(name, `${home}${path}/${name}`),
        quantity(payments),
        time(wireTime(saved_at)),
      ])
    const form = formView({
      formToken: visit.formToken,
      to: `${home}${path}`,
      ...filledIn(FIELDS, textsOf(problem ? visit.parameters : {}, ['name']), problem),
      button: 'Save',
    })
    return {
      live: ['data'],
      title: merchantId === undefined ? 'Snapshots of all merchants' : 'Snapshots',
      body: html`<p class="quiet">A snapshot saves the data, the clock, the forced outcomes
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
  async function showOne(visit: Who): Promise<ConsoleView> {
    const { merchantId, home } = ownerOf(visit)
    const { name = '' } = visit.named
    const snapshot = (await savedOf(visit)).find((each) => each.name === name)
    if (!snapshot) throw noRow('snapshot', name)
    const whose = merchantId === undefined ? 'the data of all merchants' : 'this merchant’s data'
    const at = `${home}${path}/${name}`
    const token = tokenField(visit)
    return {
      title: `Snapshot ${name}`,
      body: html`${factList([
        { name: 'Payments', ...plain(snapshot.payments) },
        { name: 'Saved', ...time(wireTime(snapshot.saved_at)) },
      ])}
<h2>Restore</h2>
<p class="quiet">Replaces ${whose} by the snapshot, with clock, forced outcomes and ids.
Everything that was created or changed since then is lost.
Accounts, keys, settings and templates stay as they are.</p>
<div class="acts">
<form method="post" action="${at}/restore">${token}<button class="danger">Restore</button></form></div>
<h2>Delete</h2>
<p class="quiet">Deletes the snapshot. The data stay as they are.</p>
<div class="acts">
<form method="post" action="${at}/remove">${token}<button class="danger">Delete</button></form></div>
<p><a href="${home}${path}">All snapshots</a></p>`,
    }
  }

  const pages: readonly ConsolePage<Who>[] = [
    { path, section, show: (visit) => show(visit) },
    { path: `${path}/:name`, section, show: showOne },
  ]
  const acts: readonly FormAction<Who>[] = [
    {
      path,
      section,
      act: (visit) =>
        redisplayOnError(
          visit,
          async () => {
            await runFromForm(visit, 'snapshots.save', ownerOf(visit).merchantId)
            return { to: path, done: 'saved' }
          },
          (problem) => show(visit, problem),
        ),
    },
    {
      path: `${path}/:name/restore`,
      section,
      async act(visit) {
        await runFromForm(visit, 'snapshots.restore', ownerOf(visit).merchantId, {})
        return { to: path, done: 'restored' }
      },
    },
    {
      path: `${path}/:name/remove`,
      section,
      async act(visit) {
        await runFromForm(visit, 'snapshots.delete', ownerOf(visit).merchantId, {})
        return { to: path, done: 'removed' }
      },
    },
  ]
  return { pages, acts }
}
