import type { JsonObject } from '../../domain/json.ts'
import { SETTING_NAMES, type SettingName } from '../../domain/merchant.ts'
import { PRESETS } from '../../domain/presets.ts'
import { settingFieldOf, settingText } from '../../domain/setting-fields.ts'
import { parseSettings } from '../../domain/setting-text.ts'
import { SETTING_WORDS } from '../../domain/setting-words.ts'
import { changeMerchant, fixedOf, renewKeys } from '../../merchants/administer.ts'
import { readPreset } from '../../parsing/control/merchants.ts'
import { badFormat } from '../../parsing/control/read.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { exchangeOf } from '../http/exchange.ts'
import { html } from '../pages/html.ts'
import { fieldView, tokenField } from './design/forms.ts'
import { problemBox } from './design/problem.ts'
import { formField } from './form-field.ts'
import { labelOf } from './lists.ts'
import { type ConsoleProblem, redisplayOnError } from './refused-form.ts'
import type { ConsolePage, ConsoleView, FormAction, MerchantVisit } from './visit.ts'

const section = 'settings'

/** Settings with a page of their own, or with secrets. */
const APART: readonly SettingName[] = ['webhooks', 'webhook_delivery', 'webhook_keys']

const SHOWN = SETTING_NAMES.filter((name) => !APART.includes(name))

/** Groups of settings in the form. A setting without a group is in the last one. */
const ABOUT: Readonly<Record<string, readonly SettingName[]>> = {
  Account: ['account_currency', 'strict_hash', 'payer_options', 'error_object', 'administrators'],
  Cards: ['card_types', 'live_cards', 'stored_card_cvv', 'capture_seconds'],
  '3-D Secure and risk': [
    'three_d_secure',
    'three_d_secure_unavailable',
    'three_d_secure_question',
    'rules',
    'fraud_limit',
  ],
  'Payment page': [
    'payment_methods',
    'wallets',
    'payer_details',
    'invoice',
    'logo',
    'settings_hosted',
    'frame_parents',
    'form_in_place',
    'page_minutes',
    'page_tries',
    'page_refused',
    'page_test_helper',
  ],
  Subscriptions: ['dunning', 'dunning_end', 'missed_periods'],
}

const GROUPS: Readonly<Record<string, readonly SettingName[]>> = {
  ...ABOUT,
  Other: SHOWN.filter((name) => !Object.values(ABOUT).flat().includes(name)),
}

/** Invalid values with their problems, by setting. */
interface RefusedSettings {
  readonly problem: ConsoleProblem
  readonly problems: Readonly<Record<string, string>>
}

/** Page with a form of all settings, with the descriptions of their schema. */
export const SETTINGS_FORM_PAGE: ConsolePage<MerchantVisit> = {
  path: '/settings/change',
  section,
  show: (visit) => show(visit),
}

export const SETTINGS_FORM_ACTS: readonly FormAction<MerchantVisit>[] = [
  { path: '/settings/save', section, act: save },
  {
    path: '/settings/preset',
    section,
    act: (visit) =>
      redisplayOnError(
        visit,
        async () => {
          const preset = readPreset(visit.parameters)
          if (preset === undefined) throw badFormat('Choose a client')
          await change(visit, PRESETS[preset].settings)
          return { to: '/settings/change', done: 'saved' }
        },
        (problem) => show(visit, { problem, problems: {} }),
      ),
  },
  {
    path: '/settings/keys',
    section,
    async act({ dependencies, merchant, response }) {
      await renewKeys(dependencies, merchant.id, exchangeOf(response).now)
      return { to: '/settings', done: 'keys_renewed' }
    },
  },
]

const change = ({ dependencies, merchant, response }: MerchantVisit, settings: object) =>
  changeMerchant(dependencies, merchant.id, { settings }, exchangeOf(response).now)

/** Changes the settings whose values differ. */
function save(visit: MerchantVisit) {
  const typed = typedIn(visit)
  const changed = SHOWN.filter((name) => name in typed && typed[name] !== currentOf(visit, name))
  const { changes, problems } = parseSettings(
    Object.fromEntries(changed.map((name) => [name, typed[name] ?? ''])),
  )
  return redisplayOnError(
    visit,
    async () => {
      const [first] = Object.keys(problems)
      if (first !== undefined) throw badFormat('Nothing was saved. Correct the marked fields.')
      await change(visit, changes)
      return { to: '/settings/change', done: 'saved' }
    },
    (problem) => show(visit, { problem, problems }),
  )
}

/** Normalizes line breaks, which browsers send as two characters (HTML, form submission). */
function typedIn({ parameters }: MerchantVisit): Readonly<Record<string, string>> {
  const sent = parameters as JsonObject
  return Object.fromEntries(
    SHOWN.flatMap((name) =>
      name in sent ? [[name, (text(sent, name) ?? '').replaceAll('\r\n', '\n').trim()]] : [],
    ),
  )
}

const currentOf = ({ merchant }: MerchantVisit, name: SettingName) =>
  settingText(merchant.settings[name])

async function show(visit: MerchantVisit, refused?: RefusedSettings): Promise<ConsoleView> {
  const fixed = fixedOf(visit.dependencies, visit.merchant.id)
  const typed = refused ? typedIn(visit) : {}
  const fieldIn = (name: SettingName) =>
    formField(name, {
      ...settingFieldOf(name),
      label: html`${labelOf(name)} <code>${name}</code>`,
      help: SETTING_WORDS[name],
      value: typed[name] ?? currentOf(visit, name),
      isFixed: fixed !== undefined && name in fixed,
      problem: refused?.problems[name] ?? null,
    })
  const { home } = visit
  return {
    title: 'Change settings',
    body: html`${problemBox(refused?.problem ?? null)}
<p class="quiet">A change takes effect immediately and is kept after a restart.${fixed ? ' The start-up configuration defines this merchant. Settings of the configuration can only be changed there.' : null} An empty field means the default.</p>
<ul class="chips" aria-label="Groups of settings">${Object.keys(ABOUT).map((group) => html`<li><a href="#${idOfGroup(group)}">${group}</a></li>`)}</ul>
<form class="fields" method="post" action="${home}/settings/save">${tokenField(visit)}
${Object.entries(GROUPS)
  .filter(([, names]) => names.length > 0)
  .map(
    ([group, names]) => html`<h2 id="${idOfGroup(group)}">${group}</h2>
${names.map((name) => fieldView(fieldIn(name)))}`,
  )}<p class="save"><button>Save</button></p>
</form>
<h2>For an old client</h2>
<p class="quiet">Changes only the settings that an old client needs.</p>
<form class="filters" method="post" action="${home}/settings/preset">${tokenField(visit)}<label>Client <select name="preset" required><option value="">choose</option>${Object.entries(PRESETS).map(([name, { client }]) => html`<option value="${name}">${client}</option>`)}</select></label><button class="small">Apply</button></form>
<dl class="facts">${Object.values(PRESETS).map(({ client, why }) => html`<div><dt>${client}</dt><dd>${why}</dd></div>`)}</dl>`,
  }
}

const idOfGroup = (group: string) => group.toLowerCase().replace(/\W+/g, '-')
