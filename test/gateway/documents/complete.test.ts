import { describe, expect, test } from 'vitest'
import { SETTINGS_HELP } from '../../../mock-gateway/cli/help.ts'
import { TEST_CARDS } from '../../../mock-gateway/domain/card/test-cards.ts'
import {
  DEFAULT_SETTINGS,
  SETTING_NAMES,
  SETTING_WORDS,
} from '../../../mock-gateway/domain/merchant.ts'
import { describeSetting } from '../../../mock-gateway/domain/setting-schema.ts'
import { TRIGGERS } from '../../../mock-gateway/domain/webhook/triggers.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { listCalls, part } from '../../../mock-gateway/web/docs/contract.ts'
import { RETRIES, retryDelay } from '../../../mock-gateway/webhooks/schedule.ts'
import { LIBRARY_ADVICE } from '../../../sdk/shared/advice-texts.ts'
import { MESSAGES } from '../../../sdk/ui/messages.ts'
import { readContract } from '../../helpers/contract.ts'
import { blocksOf, DOCUMENTS, read } from '../../helpers/documents.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { paste } from '../contract/curl.ts'

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
      const { choices } = describeSetting(name)
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

describe('the cases of 3-D Secure', () => {
  test('only docs/reference/test-cards.md has the table of 3-D Secure cases', () => {
    const cases = (file: string) =>
      new Set(
        [...read(file).matchAll(/^\| (\d+) \| .*`4\d{15}`/gm)].map(([, number]) => Number(number)),
      )
    const known = [...TEST_CARDS.values()].flatMap(({ threeDSecure }) => threeDSecure ?? [])
    expect(cases('docs/reference/test-cards.md')).toEqual(new Set(known))
    for (const file of DOCUMENTS.filter((name) => name !== 'docs/reference/test-cards.md'))
      expect(cases(file).size, file).toBe(0)
  })

  test('docs/reference/test-cards.md has every test card once, with its case and its brand', () => {
    const [, ...tables] = read('docs/reference/test-cards.md').split(/^(?=\| (?:Case|Brand) \|)/m)
    const told = tables.flatMap((table) => {
      const [head = [], ...rows] = rowsOf(table)
      return rows.flatMap(([first = '', ...cells]) => {
        const threeDSecure = Number(first)
        const brand = threeDSecure > 0 ? head.at(-1) : first
        const card = { brand: brand?.toLowerCase(), ...(threeDSecure > 0 && { threeDSecure }) }
        return (cells.at(-1)?.match(/\d{13,16}/g) ?? []).map((number) => [number, card] as const)
      })
    })
    expect(told).toHaveLength(TEST_CARDS.size)
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(TEST_CARDS))
  })

  test('docs/reference/test-cards.md has the same results for each brand', () => {
    const [, visa = [], ...others] = read('docs/reference/test-cards.md')
      .split(/^(?=\| Case \|)/m)
      .map((table) => rowsOf(table).map(([number, result]) => `${number} ${result}`))
    expect(others).toHaveLength(6)
    for (const brand of others) expect(brand).toEqual(visa)
  })

  /** Returns the cells of the table at the start of a text. */
  const rowsOf = (table: string): string[][] =>
    (table.split('\n\n')[0]?.match(/^\|(?!-).*\|$/gm) ?? []).map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
})

describe('the schedule of webhooks', () => {
  const DOCUMENT = read('docs/reference/webhooks.md')

  test('docs/reference/webhooks.md lists every trigger, and no unknown trigger', () => {
    const section = DOCUMENT.split(/^## /m).find((part) => part.startsWith('Triggers')) ?? ''
    const [table = ''] = section.split('| `data_format`')
    const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, trigger]) => trigger)
    expect(listed.toSorted()).toEqual([...TRIGGERS].sort())
  })

  test('docs/reference/webhooks.md lists the delays between the attempts', () => {
    const listed = [...DOCUMENT.matchAll(/(?<=\| )(\d+) \| (\d+) to (\d+)/g)].map(
      ([, ...numbers]) => numbers.map(Number),
    )
    const delays = Array.from({ length: RETRIES }, (_, n) => [
      n,
      retryDelay(n, 0),
      retryDelay(n, 29),
    ])
    expect(listed.toSorted(([a = 0], [b = 0]) => a - b)).toEqual(delays)
  })
})

describe('the API', () => {
  test('docs/reference/api.md lists every call with a login', () => {
    const text = read('docs/reference/api.md')
    const calls = listCalls(readContract()).filter(
      ({ operation, path, pointer }) =>
        operation.security === undefined && pointer.startsWith(`/paths${part(path)}/`),
    )
    expect(calls.length).toBeGreaterThan(20)
    // A client of old sends a capture without an id.
    const paths = calls.map(({ path }) => path).filter((path) => !path.includes('//'))
    expect(paths.filter((path) => !text.includes(path))).toEqual([])
  })

  test('the payment at the beginning of docs/reference/api.md is approved', async () => {
    const { id, password, secret } = DEFAULT_MERCHANT
    const gateway = await sharedGateway({ merchants: [{ id, password, secret }] })
    const command = blocksOf('docs/reference/api.md').find(({ code }) => code.startsWith('curl'))
    const { body } = await paste(command?.code.trim() ?? '', gateway.browser)
    expect(body).toMatchObject({ payment_ref: 'A100', status: 'approved' })
  })
})
