import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsList } from '../../../mock-gateway/cli/settings-table.ts'
import { SETTING_NAMES } from '../../../mock-gateway/domain/merchant.ts'
import { DEFAULTS } from '../../../sdk/settings/options.ts'
import { sourcesLike } from '../../helpers/sources.ts'

const asWord = (name: string) => `\\b${name}\\b`

/**
 * Names that a user can set, as written in the code that reads them. Files that only declare the
 * names do not count.
 */
const NAMES = [
  [
    'setting of a merchant',
    SETTING_NAMES.map(asWord),
    ['mock-gateway/**/*.ts', /domain\/(?:merchant|setting-words|presets)\.ts$/],
  ],
  [
    'flag of the command',
    settingsList.map(({ name }) => `'${name}'`),
    ['mock-gateway/cli/**/*.ts', /settings-table\.ts$/],
  ],
  [
    'option of the library',
    Object.keys(DEFAULTS).map(asWord),
    ['sdk/**/*.ts', /(?:settings\/options|types|advice\/words)\.ts$/],
  ],
] as const

test.each(NAMES)('every %s that is accepted is also used', (_what, names, [files, aside]) => {
  const texts = sourcesLike(files)
    .filter((path) => !aside.test(path.replaceAll('\\', '/')))
    .map((path) => readFileSync(path, 'utf8'))
  expect(texts.length).toBeGreaterThan(10)
  expect(names.filter((name) => !texts.some((text) => new RegExp(name).test(text)))).toEqual([])
})
