import { expect, test } from 'vitest'
import { settingFieldOf, settingText } from '../../../mock-gateway/domain/setting-fields.ts'

test.each([
  ['strict_hash', 'choice', ['true', 'false']],
  ['three_d_secure', 'choice', ['off', 'card', 'always']],
  ['page_minutes', 'number', []],
  ['logo', 'line', []],
  ['frame_parents', 'line', []],
  ['payer_options', 'line', ['webhook', 'store_card', 'authorize', 'template_id']],
] as const)('%s is written as %s', (name, kind, choices) =>
  expect(settingFieldOf(name)).toEqual({ kind, choices }),
)

test.each([
  [undefined, ''],
  [false, 'false'],
  [90, '90'],
  [['webhook', 'store_card'], 'webhook, store_card'],
  [[], '[]'],
  [[{ key: 'terms', label: 'Terms' }], '[\n  {\n    "key": "terms",\n    "label": "Terms"\n  }\n]'],
])('the value %j of a setting is shown as %s', (value, text) =>
  expect(settingText(value as never)).toBe(text),
)
