import { describe, expect, test } from 'vitest'
import { SETTINGS_HELP } from '../../../mock-gateway/cli/help.ts'
import { DEFAULT_SETTINGS, SETTING_NAMES } from '../../../mock-gateway/domain/merchant.ts'
import { settingFieldOf } from '../../../mock-gateway/domain/setting-fields.ts'
import { SETTING_WORDS } from '../../../mock-gateway/domain/setting-words.ts'
import { LIBRARY_ADVICE } from '../../../sdk/shared/advice-texts.ts'
import { MESSAGES } from '../../../sdk/ui/messages.ts'
import { read } from '../../helpers/documents.ts'

/**
 * Returns the member names of an interface.
 * @throws Error if the file has none with this name
 */
function membersOf(file: string, name: string): string[] {
  const [, body] = new RegExp(`^export interface ${name} {\n(.*?)^}`, 'ms').exec(read(file)) ?? []
  if (body === undefined) throw new Error(`${file} has no interface ${name}`)
  return [...body.matchAll(/^ {2}(?:readonly )?'?([\w:]+)'?\??[:(<]/gm)].map(
    ([, member = '']) => member,
  )
}

/** Returns the names that a document does not contain in backticks. */
function missingIn(document: string, names: readonly string[]): string[] {
  const spans = [...read(document).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  const isIn = (name: string, span: string) =>
    new RegExp(`(?<![\\w-])${name}(?![\\w:-])`).test(span)
  return names.filter((name) => !spans.some((span) => isIn(name, span)))
}

describe('docs/reference/library.md names', () => {
  for (const [what, name] of [
    ['every option', 'MondidoOptions'],
    ['every waiting time', 'Timeouts'],
    ['every event', 'MondidoEvents'],
    ['every field of an error', 'MondidoError'],
    ['everything a controller can do', 'MondidoController'],
    ['everything of $.mondido', 'MondidoStatic'],
  ] as const)
    test(what, () => {
      const names = membersOf('sdk/types.ts', name)
      expect(names.length).toBeGreaterThan(5)
      expect(missingIn('docs/reference/library.md', names)).toEqual([])
    })
})

/** Escapes a text of the console like a document. */
const written = (text: string) => text.replaceAll('<', '&lt;')

/** Returns the codes of errors that the library itself causes. */
function faultCodes(): string[] {
  const [, type = ''] = /^export type FaultCode =\n(.*?)^$/ms.exec(read('sdk/types.ts')) ?? []
  return [...type.matchAll(/\| [`']([\w.]+)(?:\$\{([^}]+)\})?[`']/g)].flatMap(
    ([, start = '', ends = "''"]) => ends.split(' | ').map((end) => start + end.slice(1, -1)),
  )
}

describe('docs/reference/library.md has a row for each item of these lists, and no other row:', () => {
  test('every error code of the library', () => {
    const known = faultCodes()
    expect(known).toContain('config.public_key_weak')
    expect(missingIn('docs/reference/library.md', known)).toEqual([])
    const told = [
      ...read('docs/reference/library.md').matchAll(
        /`((?:integration|form|config|validation|crypto|mpi|network|api)\.\w+)`/g,
      ),
    ]
    expect(
      told
        .map(([, code]) => code)
        .filter((code = '') => !known.includes(code) && !(code in LIBRARY_ADVICE)),
    ).toEqual([])
  })

  test('every message on the console, with the target of its link', () => {
    const rows = Object.entries(LIBRARY_ADVICE).map(
      ([code, [wrong, right]]) =>
        `| <a id="library-${code}"></a>\`${code}\` | ${written(wrong)} | ${written(right)} |`,
    )
    const told = read('docs/reference/library-messages.md').match(/^\| <a id="library-.*$/gm)
    expect(told).toEqual(rows)
  })

  test('every text that a page can replace', () => {
    const [, keys = ''] =
      /^\| `messages` \|.*own texts, by key: (.*) \|$/m.exec(read('docs/reference/library.md')) ??
      []
    expect([...keys.matchAll(/`(\w+)`/g)].map(([, key]) => key)).toEqual(Object.keys(MESSAGES.en))
  })
})

/**
 * Maximum length of an enumeration that the document lists. Currencies, for example, are not
 * listed.
 */
const MOST_CHOICES = 10

describe('docs/reference/settings.md names', () => {
  test('every flag and variable of help settings', () => {
    const names = SETTINGS_HELP.replaceAll(/JSON|API/g, '').match(/--[a-z-]+|\b[A-Z_]{3,}\b/g) ?? []
    expect(names).toContain('LOG_LEVEL')
    expect(missingIn('docs/reference/settings.md', names)).toEqual([])
  })

  test('every setting of a merchant', () => {
    expect(missingIn('docs/reference/settings.md', SETTING_NAMES)).toEqual([])
  })

  test('defaults and other values of settings', () => {
    const rows = [
      ...read('docs/reference/settings.md').matchAll(/^\| `(\w+)` \| ([^|]*) \| (.*) \|$/gm),
    ]
    for (const name of SETTING_NAMES) {
      const [, , told = '', meaning = ''] = rows.find(([, setting]) => setting === name) ?? []
      const value = DEFAULT_SETTINGS[name]
      if (value !== undefined && typeof value !== 'object')
        expect([name, told.replaceAll('`', '')]).toEqual([name, String(value)])
      const { choices } = settingFieldOf(name)
      if (typeof value === 'boolean' || choices.length > MOST_CHOICES) continue
      expect([
        name,
        choices.filter((choice) => !`${told} ${meaning}`.includes(`\`${choice}\``)),
      ]).toEqual([name, []])
    }
  })

  test("every setting with the console's texts and links", () => {
    const rows = [
      ...read('docs/reference/settings.md').matchAll(/^\| `(\w+)` \|[^|]*\| (.*) \|$/gm),
    ]
    const words = new Map(
      rows.map(([, name, meaning = '']) => [
        name,
        meaning
          .replace(/ See \[.*$/, '')
          .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replaceAll('`', ''),
      ]),
    )
    for (const [name, text] of Object.entries(SETTING_WORDS))
      expect([name, words.get(name)]).toEqual([name, text.replaceAll(/[“”]/g, '')])
  })

  test('every option of createGateway', () => {
    expect(
      missingIn(
        'docs/reference/embedding.md',
        membersOf('mock-gateway/gateway/options.ts', 'GatewayOptions'),
      ),
    ).toEqual([])
  })
})
