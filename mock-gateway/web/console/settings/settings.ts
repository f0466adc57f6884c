import { isDeepStrictEqual } from 'node:util'
import {
  DEFAULT_SETTINGS,
  type MerchantSettings,
  SETTING_WORDS,
  type SettingName,
} from '../../../domain/merchant.ts'
import { PRESETS } from '../../../domain/presets.ts'
import { describeSetting, formatSetting } from '../../../domain/setting-schema.ts'
import { getFixedSettings } from '../../../merchants/administer.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderFacts } from '../parts/cells.ts'
import { type FormField, renderGroup } from '../parts/forms.ts'
import {
  asCommand,
  changeSettings,
  findProblem,
  formAct,
  type OperationForm,
  renderOperationForm,
  writeCommand,
} from '../parts/operation-form.ts'
import { renderEmptyState } from '../parts/problem.ts'
import type { ConsolePage, ConsoleView, FormAction, MerchantVisit } from '../visit.ts'
import { PRESET_CHOICES } from './merchants.ts'
import { choiceText, SETTING_GROUPS, settingLabel } from './setting-groups.ts'

export const SETTINGS_PAGE: ConsolePage<MerchantVisit> = { path: '/settings', show }

const idOfGroup = (group: string) => group.toLowerCase().replace(/\W+/g, '-')

/** The form of each group of settings. It changes the settings whose values differ. */
const GROUPS = Object.entries(SETTING_GROUPS).map(([group, names]) => ({
  group,
  names,
  form: {
    ...{ name: group, path: `/settings/${idOfGroup(group)}`, button: 'Save' },
    fields: {},
    run(visit) {
      const sent = visit.fields
      const changed = names.flatMap((name) => {
        const typed = text<string>(sent, name)?.trim()
        const isSent = name in sent && (typed ?? '') !== getCurrentText(visit, name)
        return isSent ? [[name, typed ?? null] as const] : []
      })
      return changeSettings(visit, Object.fromEntries(changed))
    },
    to: '/settings',
    done: 'saved',
  } satisfies OperationForm,
}))

const PRESET: OperationForm = {
  ...{ name: 'merchants.update', path: '/settings/preset', button: 'Apply' },
  fields: { preset: { label: 'Client', choices: PRESET_CHOICES, isRequired: true } },
  ...{ to: '/settings', done: 'saved' },
}

export const SETTINGS_ACTS: readonly FormAction<MerchantVisit>[] = [
  ...GROUPS.map(({ form }) => formAct(form, SETTINGS_PAGE)),
  formAct(PRESET, SETTINGS_PAGE),
]

const getCurrentText = ({ merchant }: MerchantVisit, name: SettingName) =>
  formatSetting(merchant.settings[name])

async function show(visit: MerchantVisit): Promise<ConsoleView> {
  const { home } = visit
  return {
    title: 'Settings',
    body: html`${renderGroups(visit)}
${renderGroup(
  'Settings for an old client',
  'Changes only what the client needs',
  html`${renderOperationForm(visit, PRESET)}
${renderFacts(Object.values(PRESETS).map(({ client, why }) => [client, why] as const))}`,
  findProblem(visit, PRESET.name) !== null,
)}
${asCommand(writeCommand('merchants.update', { id: visit.merchant.id, settings: '{"page_minutes":30}' }))}
<p class="quiet">Webhooks have <a href="${home}/webhook_templates">templates and signing keys</a>,
and <a href="${home}/controls#webhooks">test controls</a> for their delivery.</p>`,
  }
}

/** Renders the settings in groups, each with what is changed. A group opens to its form. */
function renderGroups(visit: MerchantVisit): SafeHtml {
  const { merchant, home, dependencies, refused } = visit
  const fixed = getFixedSettings(dependencies, merchant.id)
  const query = refused ? '' : (text<string>(visit.parameters, 'q') ?? '').trim()
  const groups = GROUPS.flatMap((each) => {
    const names = each.names.filter((name) => isFound(name, query))
    return names.length > 0 ? renderSettings(visit, { ...each, names }, query !== '') : []
  })
  const all = html`<a href="${home}/settings">Show all settings</a>`
  return html`<p class="quiet">A change takes effect immediately and is kept after a restart.
An empty field means the default.
${
  fixed &&
  html`The start-up configuration defines this merchant.
Settings of the configuration can only be changed there.`
}</p>
<form class="row filters" method="get" role="search" aria-label="Settings">
<label>Find a setting <input type="search" name="q" value="${query}"
  placeholder="page_minutes"></label>
<button class="small">Search</button>
${query && html`<a href="${home}/settings">Show all</a>`}</form>
${groups.length > 0 ? groups : renderEmptyState(`No setting matches “${query}”.`, all)}`
}

function renderSettings(
  visit: MerchantVisit,
  { group, names, form }: (typeof GROUPS)[number],
  isOpen: boolean,
): SafeHtml {
  const fixed = getFixedSettings(visit.dependencies, visit.merchant.id) ?? {}
  const fields = names.map((name) => [name, createSettingField(name, name in fixed)])
  const values = names.map((name) => [name, getCurrentText(visit, name)])
  const changed = names.filter(
    (name) => !isDeepStrictEqual(visit.merchant.settings[name], DEFAULT_SETTINGS[name]),
  )
  const shown = (changed.length > 0 ? changed : names.slice(0, 2)).map(
    (name) => `${settingLabel(name)}: ${formatFilterValue(visit.merchant.settings[name], name)}`,
  )
  const shownForm = { ...form, fields: Object.fromEntries(fields) }
  return renderGroup(
    group,
    shown.join('; '),
    renderOperationForm(visit, shownForm, { values: Object.fromEntries(values) }),
    isOpen || findProblem(visit, form.name) !== null,
  )
}

function createSettingField(name: SettingName, isFixed: boolean): FormField {
  const { kind, choices } = describeSetting(name)
  const isChoice = kind === 'choice'
  const label = settingLabel(name)
  const words = SETTING_WORDS[name].replace(`${label}. `, '')
  const isListed = isChoice || choices.every((each) => words.includes(each))
  return {
    label: html`${label} <code>${name}</code>`,
    help: isListed ? words : `${words} One or more of ${choices.join(', ')}.`,
    ...(isChoice
      ? { choices: Object.fromEntries(choices.map((each) => [each, optionText(name, each)])) }
      : kind !== 'line' && { kind }),
    isFixed,
  }
}

function optionText(name: SettingName, choice: string): string {
  const words = choiceText(name, choice)
  return ['true', 'false'].includes(choice) || words === choice ? words : `${choice}: ${words}`
}

/** Most values that a closed group shows. */
const SHORT_LIST = 5

/** Describes the value of a setting: yes, a number, a word, or a short list. */
function formatFilterValue(value: MerchantSettings[SettingName], name: SettingName): string {
  if (typeof value !== 'object' || value === null) return choiceText(name, String(value ?? 'none'))
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.keys(value)
  return values.length <= SHORT_LIST && values.every((each) => typeof each !== 'object')
    ? values.join(', ') || 'none'
    : String(values.length)
}

function isFound(name: SettingName, query: string): boolean {
  const words = `${name} ${settingLabel(name)} ${SETTING_WORDS[name]}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}
