import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SETTING_NAMES } from '../../../mock-gateway/domain/merchant.ts'
import { getPresetSettings, PRESETS, type Preset } from '../../../mock-gateway/domain/presets.ts'
import {
  describeSetting,
  formatSetting,
  givenSettings,
} from '../../../mock-gateway/domain/setting-schema.ts'

const rows: readonly (readonly [string, Preset])[] = Object.entries(PRESETS)

test.each(rows)(
  'the preset %s has existing settings, and is in the documentation',
  (name, preset) => {
    expect(givenSettings.parse(preset.settings)).toEqual(preset.settings)
    const line = readFileSync('docs/reference/settings.md', 'utf8').split(
      `| \`${name}\` | ${preset.client} | `,
    )[1]
    expect(line).toBeDefined()
    const [told = ''] = line?.split(' | ') ?? []
    if (!told.startsWith('the same')) expect(told).toEqual(toldOf(preset))
  },
)

/**
 * Returns the settings of a preset in the form of the documentation, which writes lists in words.
 */
const toldOf = ({ settings }: Preset) =>
  expect.stringMatching(
    Object.entries(settings)
      .map(
        ([setting, value]) =>
          `\`${setting}\`: ${typeof value === 'object' ? '[^;]+' : `\`${value}\``}`,
      )
      .join('; '),
  )

test('without a preset, the settings are empty', () =>
  expect(getPresetSettings(undefined)).toEqual({}))

test('every setting has a sentence about its purpose', () => {
  for (const name of SETTING_NAMES)
    expect(givenSettings.shape[name].description).toMatch(/^[A-Z].{20,}\.$/)
})

test.each([
  ['strict_hash', 'choice', ['true', 'false']],
  ['three_d_secure', 'choice', ['off', 'card', 'always']],
  ['page_minutes', 'number', []],
  ['logo', 'line', []],
  ['frame_parents', 'line', []],
  ['payer_options', 'line', ['webhook', 'store_card', 'authorize', 'template_id']],
] as const)('%s is written as %s', (name, kind, choices) =>
  expect(describeSetting(name)).toEqual({ kind, choices }),
)

test.each([
  [undefined, ''],
  [false, 'false'],
  [90, '90'],
  [['webhook', 'store_card'], 'webhook, store_card'],
  [[], '[]'],
  [[{ key: 'terms', label: 'Terms' }], '[\n  {\n    "key": "terms",\n    "label": "Terms"\n  }\n]'],
])('the value %j of a setting is shown as %s', (value, text) =>
  expect(formatSetting(value as never)).toBe(text),
)

const PARENTS = ['*', 'https://*', 'https://*.example', 'shop.example', 'https://shop.example/path']
test.each<[string, unknown]>([
  ['logo', 'javascript:alert(1)'],
  ['logo', 'http://shop.example/a.png'],
  ['logo', 'data:text/html;base64,PGI+'],
  ['logo', 'https://a.example/"onerror=x'],
  ...[...PARENTS, "'self'", 'http://a; script-src *'].map((parent): [string, unknown] => [
    'frame_parents',
    [parent],
  ]),
])('the setting %s cannot be %j', (name, value) =>
  expect(givenSettings.safeParse({ [name]: value }).success).toBe(false),
)
