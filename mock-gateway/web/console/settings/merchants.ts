import { PRESETS } from '../../../domain/presets.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { allMerchants } from '../../../storage/merchants.ts'
import { html } from '../../pages/html.ts'
import { link, plain } from '../parts/cells.ts'
import { foldedForm, formAct, type OperationForm, shownOnce } from '../parts/operation-form.ts'
import { emptyState } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import type { ConsolePage, ConsoleView, ConsoleVisit } from '../visit.ts'

/** Page of all merchants, for the administrator. */
export const MERCHANTS_PAGE: ConsolePage<ConsoleVisit> = {
  ...{ path: '/merchants', section: 'merchants' },
  show: list,
}

/** Names of old clients that need other settings. */
export const PRESET_CHOICES: Readonly<Record<string, string>> = {
  '': 'none',
  ...Object.fromEntries(Object.entries(PRESETS).map(([name, { client }]) => [name, client])),
}

/** Creates a merchant. Only the page of the response shows its password and secret. */
const CREATE: OperationForm<ConsoleVisit> = {
  ...{ name: 'merchants.create', path: '/merchants', section: 'merchants', button: 'Create' },
  fields: {
    name: { help: '' },
    id: { help: '' },
    password: { kind: 'password', autocomplete: 'new-password', help: '' },
    secret: { help: '', autocomplete: 'off' },
    preset: { label: 'For an old client', help: '', choices: PRESET_CHOICES },
  },
  shows: ({ id, name, password, secret }, { root }) =>
    shownOnce(
      `Merchant ${id} was created`,
      { Id: id, Name: name, Password: password, Secret: secret },
      html`<p><a href="${root}/${id}">Open the merchant</a>,
<a href="${root}/${id}/settings">its settings</a>,
<a href="${root}/merchants">all merchants</a></p>`,
    ),
  ...{ to: '/merchants', done: 'saved' },
}

export const NEW_MERCHANT_ACT = formAct(CREATE, MERCHANTS_PAGE)

async function list(visit: ConsoleVisit): Promise<ConsoleView> {
  const { dependencies, root, parameters, refused } = visit
  const merchants = await allMerchants(dependencies.database.db)
  const isGiven = (id: number) => dependencies.given.some((each) => each.id === id)
  const query = refused ? '' : (text<string>(parameters, 'q') ?? '').toLowerCase()
  const found = merchants.filter(({ id, name }) => `${id} ${name.toLowerCase()}`.includes(query))
  return {
    title: 'Merchants',
    live: ['data'],
    body: html`<form class="filters" method="get">
<label>Id or name <input type="search" name="q" value="${query}"></label>
<button class="small">Search</button></form>
${table({
  heads: ['Id', 'Name', 'Defined in'],
  places: [null, 'first', 'second'],
  rows: found.map(({ id, name }) => [
    plain(id),
    link(name || id, `${root}/${id}`),
    plain(isGiven(id) ? 'the start-up configuration' : 'the database'),
  ]),
  empty: emptyState('No merchant matches.', html`<a href="${root}/merchants">Show all</a>`),
})}
${foldedForm(visit, 'New merchant', CREATE, {
  before: html`<p class="quiet">All fields are optional.
The gateway generates missing values and shows them once.</p>`,
})}`,
  }
}

/** Lists the merchants as choices of a field. */
export const merchantChoices = async ({
  dependencies,
}: ConsoleVisit): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await allMerchants(dependencies.database.db)).map(({ id, name }) => [id, `${name} (${id})`]),
  )
