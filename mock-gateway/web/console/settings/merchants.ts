import { PRESETS } from '../../../domain/presets.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { allMerchants } from '../../../storage/merchants.ts'
import { html } from '../../pages/html.ts'
import { factList } from '../parts/cell.ts'
import { copied, link, plain } from '../parts/cells.ts'
import { type ConsoleProblem, redisplayOnError } from '../parts/form-errors.ts'
import { foldedForm, option, tokenField } from '../parts/forms.ts'
import { runFromForm } from '../parts/operation-form.ts'
import { emptyState, problemBox } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  textsOf,
} from '../visit.ts'

const section = 'merchants'

/** Page of all merchants, for the administrator. */
export const MERCHANTS_PAGE: ConsolePage<ConsoleVisit> = {
  path: '/merchants',
  section,
  show: (visit) => list(visit),
}

/** Creates a merchant. Only the page of the response shows its password and secret. */
export const NEW_MERCHANT_ACT: FormAction<ConsoleVisit> = {
  path: '/merchants',
  section,
  async act(visit) {
    const made: ConsoleView[] = []
    const done = await redisplayOnError(
      visit,
      async () => {
        const { root } = visit
        const created = await runFromForm(visit, 'merchants.create', undefined)
        const { id, name, password, secret } = created as Record<string, string>
        const facts = { Id: id, Name: name, Password: password, Secret: secret }
        made.push({
          title: `Merchant ${id} was created`,
          body: html`<p>Copy the password and the secret now: they are never shown again.</p>
${factList(Object.entries(facts).map(([each, value]) => ({ name: each, ...copied(plain(value)) })))}
<p><a href="${root}/${id}">Open the merchant</a>,
<a href="${root}/${id}/settings/change">its settings</a>,
<a href="${root}/merchants">all merchants</a></p>`,
        })
        return { to: '/merchants', done: 'saved' }
      },
      (problem) => list(visit, problem),
    )
    return made[0] ?? done
  },
}

async function list(
  visit: ConsoleVisit,
  problem: ConsoleProblem | null = null,
): Promise<ConsoleView> {
  const { dependencies, root, parameters } = visit
  const merchants = await allMerchants(dependencies.database.db)
  const isGiven = (id: number) => dependencies.given.some((each) => each.id === id)
  const sought = problem ? '' : (text(parameters, 'q') ?? '').toLowerCase()
  const found = merchants.filter(({ id, name }) => `${id} ${name.toLowerCase()}`.includes(sought))
  const written = textsOf(problem ? parameters : {}, ['name', 'id', 'preset'])
  return {
    title: 'Merchants',
    live: ['data'],
    body: html`<form class="filters" method="get">
<label>Id or name <input type="search" name="q" value="${sought}"></label>
<button class="small">Search</button></form>
${
  found.length > 0
    ? table({
        heads: ['Id', 'Name', 'Defined in'],
        places: [null, 'first', 'second'],
        rows: found.map(({ id, name }) => [
          plain(id),
          link(name || id, `${root}/${id}`),
          plain(isGiven(id) ? 'the start-up configuration' : 'the database'),
        ]),
      })
    : emptyState('No merchant matches.', html`<a href="${root}/merchants">Show all</a>`)
}
${foldedForm(
  'New merchant',
  html`${problemBox(problem)}
<p class="quiet">All fields are optional.
The gateway generates missing values and shows them once.</p>
<form class="fields" method="post" action="${root}/merchants">${tokenField(visit)}
<label class="field">Name <input name="name" value="${written.name}" maxlength="100"></label>
<label class="field">Id <input name="id" value="${written.id}" inputmode="numeric"></label>
<label class="field">Password
<input name="password" type="password" autocomplete="new-password" minlength="6"></label>
<label class="field">Secret <input name="secret" autocomplete="off"></label>
<label class="field">For an old client <select name="preset"><option value="">none</option>
${Object.entries(PRESETS).map(([name, { client }]) => option(name, client, written.preset))}
</select></label><p><button>Create</button></p>
</form>`,
  problem !== null,
)}`,
  }
}

/** Returns the merchants as choices of a field. */
export const merchantWords = async (visit: ConsoleVisit) =>
  (await merchantChoices(visit)).map(({ id, name }) => ({
    choice: String(id),
    text: `${name} (${id})`,
  }))

/** Lists the merchants for a form. */
export const merchantChoices = async ({ dependencies }: ConsoleVisit) =>
  (await allMerchants(dependencies.database.db)).map(({ id, name }) => ({ id, name }))
