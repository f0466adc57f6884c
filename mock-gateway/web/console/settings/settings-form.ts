import { badFormat } from '../../../domain/errors/errors.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { SettingName } from '../../../domain/merchant.ts'
import { PRESETS } from '../../../domain/presets.ts'
import { parseSettings, settingFieldOf, settingText } from '../../../domain/setting-text.ts'
import { SETTING_WORDS } from '../../../domain/setting-words.ts'
import { changeMerchant, fixedOf, renewKeys } from '../../../merchants/administer.ts'
import { preset } from '../../../operations/merchants.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html } from '../../pages/html.ts'
import { type ConsoleProblem, formField, redisplayOnError } from '../parts/form-errors.ts'
import { fieldView, option, tokenField } from '../parts/forms.ts'
import { emptyState, problemBox } from '../parts/problem.ts'
import type { ConsolePage, ConsoleView, FormAction, MerchantVisit } from '../visit.ts'
import { choiceText, FORM_SETTINGS, SETTING_GROUPS, settingLabel } from './setting-groups.ts'

const section = 'settings'

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
    async act(visit) {
      const chosen = preset.safeParse(text(visit.parameters, 'preset')).data
      if (chosen === undefined)
        throw badFormat(`preset must be one of ${Object.keys(PRESETS).join(', ')}.`)
      await change(visit, PRESETS[chosen].settings)
      return { to: '/settings/change', done: 'saved' }
    },
    again: (visit, problem) => show(visit, { problem, problems: {} }),
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
  const changed = FORM_SETTINGS.filter(
    (name) => name in typed && typed[name] !== currentOf(visit, name),
  )
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
    FORM_SETTINGS.flatMap((name) =>
      name in sent ? [[name, (text(sent, name) ?? '').replaceAll('\r\n', '\n').trim()]] : [],
    ),
  )
}

/** Names a choice as in the API, and describes it. */
function optionText(name: SettingName, choice: string): string {
  const words = choiceText(name, choice)
  return ['true', 'false'].includes(choice) || words === choice ? words : `${choice}: ${words}`
}

const currentOf = ({ merchant }: MerchantVisit, name: SettingName) =>
  settingText(merchant.settings[name])

async function show(visit: MerchantVisit, refused?: RefusedSettings): Promise<ConsoleView> {
  const fixed = fixedOf(visit.dependencies, visit.merchant.id)
  const typed = refused ? typedIn(visit) : {}
  const fieldIn = (name: SettingName) => {
    const { kind, choices } = settingFieldOf(name)
    return formField(name, {
      kind,
      ...(kind === 'choice'
        ? { words: choices.map((choice) => ({ choice, text: optionText(name, choice) })) }
        : { choices }),
      label: html`${settingLabel(name)} <code>${name}</code>`,
      help: SETTING_WORDS[name],
      value: typed[name] ?? currentOf(visit, name),
      isFixed: fixed !== undefined && name in fixed,
      problem: refused?.problems[name] ?? null,
    })
  }
  const { home } = visit
  const query = refused ? '' : (text(visit.parameters, 'q') ?? '').trim()
  const groups = Object.entries(SETTING_GROUPS)
    .map(([group, names]) => ({ group, names: names.filter((name) => isFound(name, query)) }))
    .filter(({ names }) => names.length > 0)
  return {
    title: 'Change settings',
    body: html`${problemBox(refused?.problem ?? null)}
<p class="quiet">A change takes effect immediately and is kept after a restart.
An empty field means the default.
${
  fixed
    ? html`The start-up configuration defines this merchant.
Settings of the configuration can only be changed there.`
    : null
}</p>
<form class="filters" method="get" role="search">
<label>Find a setting <input type="search" name="q" value="${query}"
  placeholder="page_minutes"></label>
<button class="small">Search</button>
${query && html`<a href="${home}/settings/change">Show all</a>`}</form>
${
  groups.length > 0
    ? html`<ul class="chips" aria-label="Groups of settings">${groups.map(
        ({ group }) => html`<li><a href="#${idOfGroup(group)}">${group}</a></li>`,
      )}</ul>
<form class="fields" method="post" action="${home}/settings/save">${tokenField(visit)}
${groups.map(
  ({ group, names }) => html`<h2 id="${idOfGroup(group)}">${group}</h2>
${names.map((name) => fieldView(fieldIn(name)))}`,
)}<p class="save"><button>Save</button></p>
</form>`
    : emptyState(
        `No setting matches “${query}”.`,
        html`<a href="${home}/settings/change">Show all settings</a>`,
      )
}
<h2>For an old client</h2>
<p class="quiet">Changes only the settings that an old client needs.</p>
<form class="filters" method="post" action="${home}/settings/preset">${tokenField(visit)}
<label>Client <select name="preset" required><option value="">choose</option>
${Object.entries(PRESETS).map(([name, { client }]) => option(name, client, ''))}</select></label>
<button class="small">Apply</button></form>
<dl class="facts">${Object.values(PRESETS).map(
      ({ client, why }) => html`<div><dt>${client}</dt><dd>${why}</dd></div>`,
    )}</dl>`,
  }
}

/** Returns true if all words are in the setting's name, label or description. */
function isFound(name: SettingName, query: string): boolean {
  const words = `${name} ${settingLabel(name)} ${SETTING_WORDS[name]}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}

const idOfGroup = (group: string) => group.toLowerCase().replace(/\W+/g, '-')
