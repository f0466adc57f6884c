import { PRESETS } from '../../../domain/presets.ts'
import { findAllMerchants } from '../../../storage/merchants.ts'
import { html } from '../../pages/html.ts'
import { link } from '../parts/cells.ts'
import { type List, listPages, showList } from '../parts/list.ts'
import {
  formAct,
  type OperationForm,
  renderCreation,
  renderShownOnce,
} from '../parts/operation-form.ts'
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts'

/** Names of old clients that need other settings. */
export const PRESET_CHOICES: Readonly<Record<string, string>> = {
  '': 'none',
  ...Object.fromEntries(Object.entries(PRESETS).map(([name, { client }]) => [name, client])),
}

/** Creates a merchant. Only the page of the response shows its password and secret. */
const CREATE: OperationForm<ConsoleVisit> = {
  ...{ name: 'merchants.create', path: '/merchants', button: 'Create' },
  fields: {
    name: { help: '' },
    id: { help: '' },
    password: { kind: 'password', autocomplete: 'new-password', help: '' },
    secret: { help: '', autocomplete: 'off' },
    preset: { label: 'For an old client', help: '', choices: PRESET_CHOICES },
  },
  shows: ({ id, name, password, secret }, { root }) =>
    renderShownOnce(
      `Merchant ${id} was created`,
      { Id: id, Name: name, Password: password, Secret: secret },
      html`<p><a href="${root}/${id}">Open the merchant</a>,
<a href="${root}/${id}/settings">its settings</a>,
<a href="${root}/merchants">all merchants</a></p>`,
    ),
  ...{ to: '/merchants', done: 'saved' },
}

const LIST: List<ConsoleVisit, MerchantRow> = {
  ...{ path: 'merchants', title: 'Merchants', one: 'merchant' },
  live: ['data'],
  filters: [{ name: 'q', label: 'Id or name', hint: 'Id or name' }],
  columns: [
    ['Id', ({ id }) => id],
    ['Name', ({ id, name }, home) => link(name || id, `${home}/${id}`), 'first'],
    [
      'Defined in',
      ({ isGiven }) => (isGiven ? 'the start-up configuration' : 'the database'),
      'second',
    ],
  ],
  async find({ dependencies, db }, { q = '' }, { limit, offset }) {
    const found = (await findAllMerchants(db))
      .filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(q.toLowerCase()))
      .map(({ id, name }) => ({
        id,
        name,
        isGiven: dependencies.given.some((each) => each.id === id),
      }))
    return { rows: found.slice(offset, offset + limit), total: found.length }
  },
  creation: (visit) =>
    renderCreation(visit, 'New merchant', CREATE, {
      before: html`<p class="quiet">All fields are optional.
The gateway generates missing values and shows them once.</p>`,
    }),
}

interface MerchantRow {
  readonly id: number
  readonly name: string
  readonly isGiven: boolean
}

export const MERCHANT_PAGES: readonly ConsoleRoute<ConsoleVisit>[] = [
  ...listPages(LIST),
  formAct(CREATE, { show: (visit) => showList(LIST, visit) }),
]

export async function merchantChoices({ db }: ConsoleVisit) {
  const merchants = await findAllMerchants(db)
  return Object.fromEntries(merchants.map(({ id, name }) => [id, `${name} (${id})`]))
}
