import type { JsonObject } from '../../domain/json.ts'
import { SETTING_NAMES, type SettingName } from '../../domain/merchant.ts'
import { PRESETS } from '../../domain/presets.ts'
import { fieldOf, settingText } from '../../domain/setting-fields.ts'
import { readSettingsAs } from '../../domain/setting-text.ts'
import { SETTING_WORDS } from '../../domain/setting-words.ts'
import { changeMerchant, fixedOf, renewKeys } from '../../merchants/administer.ts'
import { readPreset } from '../../parsing/control/merchants.ts'
import { badFormat } from '../../parsing/control/read.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { exchangeOf } from '../http/exchange.ts'
import { formField } from './form-field.ts'
import { orAgain, type Problem } from './refused-form.ts'
import type { Act, MerchantVisit, Page, View } from './visit.ts'

const section = 'settings'

/** Settings that have a page of their own, or are secret. */
const APART: readonly SettingName[] = ['webhooks', 'webhook_delivery', 'webhook_keys']

const SHOWN = SETTING_NAMES.filter((name) => !APART.includes(name))

/** What somebody has typed that cannot be used, and why, by the names of the settings. */
interface Refused {
  readonly problem: Problem
  readonly problems: Readonly<Record<string, string>>
}

/** Every setting of a merchant in a form, with the words of its schema. */
export const SETTINGS_FORM_PAGE: Page<MerchantVisit> = {
  path: '/settings/change',
  section,
  show: (visit) => show(visit),
}

export const SETTINGS_FORM_ACTS: readonly Act<MerchantVisit>[] = [
  { path: '/settings/save', section, act: save },
  {
    path: '/settings/preset',
    section,
    act: (visit) =>
      orAgain(
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

/** Changes what was typed otherwise than it is. */
function save(visit: MerchantVisit) {
  const typed = typedIn(visit)
  const changed = SHOWN.filter((name) => name in typed && typed[name] !== currentOf(visit, name))
  const { changes, problems } = readSettingsAs(Object.fromEntries(changed.map((name) => [name, typed[name] ?? ''])))
  return orAgain(
    visit,
    async () => {
      const [first] = Object.keys(problems)
      if (first !== undefined) throw badFormat('Nothing was saved: see what is said beside the fields')
      await change(visit, changes)
      return { to: '/settings/change', done: 'saved' }
    },
    (problem) => show(visit, { problem, problems }),
  )
}

/** As a browser sends it: every end of a line is two characters there (HTML, form submission). */
function typedIn({ parameters }: MerchantVisit): Readonly<Record<string, string>> {
  const sent = parameters as JsonObject
  return Object.fromEntries(
    SHOWN.flatMap((name) => (name in sent ? [[name, (text(sent, name) ?? '').replaceAll('\r\n', '\n').trim()]] : [])),
  )
}

const currentOf = ({ merchant }: MerchantVisit, name: SettingName) => settingText(merchant.settings[name])

async function show(visit: MerchantVisit, refused?: Refused): Promise<View> {
  const fixed = fixedOf(visit.dependencies, visit.merchant.id)
  const typed = refused ? typedIn(visit) : {}
  return {
    view: 'settings_form',
    title: 'Change settings',
    data: {
      problem: refused?.problem ?? null,
      given: fixed !== undefined,
      presets: Object.entries(PRESETS).map(([name, { client, why }]) => ({ name, client, why })),
      fields: SHOWN.map((name) =>
        formField(name, {
          ...fieldOf(name),
          help: SETTING_WORDS[name],
          value: typed[name] ?? currentOf(visit, name),
          isFixed: fixed !== undefined && name in fixed,
          problem: refused?.problems[name] ?? null,
        }),
      ),
    },
  }
}
