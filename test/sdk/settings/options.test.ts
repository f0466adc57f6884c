import { afterEach, expect, test, vi } from 'vitest'
import { warnOfUnknownOptions } from '../../../sdk/form/mount.ts'
import { takeServedConfig } from '../../../sdk/settings/merchant.ts'
import { createDefaults, resolveSettings } from '../../../sdk/settings/options.ts'
import type { MondidoOptions } from '../../../sdk/types.ts'

afterEach(() => vi.restoreAllMocks())

function settingsOf(
  attributes: string,
  options: MondidoOptions = {},
  defaults: object = createDefaults(),
) {
  document.body.innerHTML = `<form ${attributes}></form>`
  return resolveSettings(document.querySelector('form') as HTMLFormElement, options, defaults)
}

test('an unset option has its documented default', () => {
  expect(settingsOf('')).toMatchObject({
    type: 'form',
    validate: 'native',
    format: false,
    lockButtons: true,
    busyClass: 'mondido-busy',
    announce: true,
    clearOnSuccess: true,
    timeouts: { before: 30_000, request: 60_000, status: 10_000, statusRetry: 1_000 },
  })
})

test('options take precedence over attributes, and attributes over changed defaults', () => {
  expect(settingsOf('', {}, { type: 'ajax' }).type).toBe('ajax')
  expect(settingsOf('data-mondido-type="form"', {}, { type: 'ajax' }).type).toBe('form')
  expect(settingsOf('data-mondido-type="form"', { type: 'ajax' }).type).toBe('ajax')
})

test.for<[string, string, unknown]>([
  ['data-mondido-busy-class="mine"', 'busyClass', 'mine'],
  ['data-mondido-format', 'format', true],
  ['data-mondido-format="true"', 'format', true],
  ['data-mondido-lock-buttons="false"', 'lockButtons', false],
  ['data-mondido-validate="card"', 'validate', 'card'],
  ['data-mondido-merchant-id="7"', 'merchantId', '7'],
  ['data-mondido-locale="sv"', 'locale', 'sv'],
])('%s sets %s to %s', ([attribute, name, value]) =>
  expect(settingsOf(attribute)).toMatchObject({ [name]: value }),
)

test.for<[string, string, unknown]>([
  [
    `data-mondido-timeouts='{"before": 5}'`,
    'timeouts',
    expect.objectContaining({ before: 5, request: 60_000 }),
  ],
  [`data-mondido-messages='{"paid": "Thanks!"}'`, 'messages', { paid: 'Thanks!' }],
  [`data-mondido-attributes='["data-secret"]'`, 'attributes', ['data-secret']],
])('%s is parsed as JSON', ([attribute, name, value]) => {
  expect(settingsOf(attribute)).toMatchObject({ wrong: [], [name]: value })
})

test.for<[string, unknown]>([
  ['type', 'AJAX'],
  ['type', null],
  ['locale', 'fi'],
  ['validate', 'luhn'],
  ['attributes', 'data-x'],
  ['timeouts', '5'],
  ['timeouts', null],
  ['messages', 7],
  ['busyClass', false],
])('%s cannot be %j: it is reported, and the default applies', ([name, value]) => {
  const settings = settingsOf('', { [name]: value } as MondidoOptions)
  expect(settings.wrong).toEqual([{ option: name, value: JSON.stringify(value) }])
  expect({ ...settings, wrong: [] }).toEqual(settingsOf(''))
})

test('invalid JSON is reported', () => {
  expect(settingsOf(`data-mondido-messages="{paid: 'x'}"`).wrong).toMatchObject([
    { option: 'messages' },
  ])
})

test.for(['locale', 'merchant-id', 'type', 'mpi', 'messages', 'validate', 'ignore', 'url'])(
  'an empty attribute %s is not set',
  (name) => expect(settingsOf(`data-mondido-${name}=""`)).toEqual(settingsOf('')),
)

test('an empty option is not set, unless an empty text has a meaning', () => {
  expect(settingsOf('', { locale: '', url: '' } as unknown as MondidoOptions)).toEqual(
    settingsOf(''),
  )
  expect(settingsOf('', { ignore: '', busyClass: '' })).toMatchObject({ ignore: '', busyClass: '' })
})

test('an option that is undefined is not set', () => {
  expect(settingsOf('', { busyClass: undefined } as unknown as MondidoOptions).busyClass).toBe(
    'mondido-busy',
  )
})

test('one timeout can be set alone', () => {
  expect(settingsOf('', { timeouts: { before: 5 } }).timeouts).toMatchObject({
    before: 5,
    request: 60_000,
  })
})

test('unknown options are reported, known ones are not', async () => {
  const { calls } = vi.spyOn(console, 'warn').mockReturnValue().mock
  warnOfUnknownOptions({
    mpi: 'auto',
    mpiSize: {},
    showWaiting: true,
    merchant_id: '1',
    type: 'ajax',
  })
  warnOfUnknownOptions({ typ: 'ajax', failure: () => undefined })
  const told = ['typ', 'failure'].map((name) => [expect.stringMatching(`option.unknown.*${name}`)])
  await vi.waitFor(() => expect(calls).toEqual(told), 60_000)
})

test.for(['ignore', 'mpiContainer'])('an invalid selector is wrong as %s', (option) => {
  expect(settingsOf('', { [option]: '[' }).wrong).toEqual([{ option, value: '"["' }])
  expect(settingsOf('', { [option]: 'input, .mine' }).wrong).toEqual([])
})

test('an impossible attribute name is rejected in the option attributes', () => {
  expect(settingsOf('', { attributes: ['data-mine', '1'] }).wrong).toMatchObject([
    { option: 'attributes' },
  ])
})

test.for([true, false])(
  'the library removes the served configuration from the page (its global can be deleted: %s)',
  (configurable) => {
    const config = { merchantId: '1' }
    const page = {}
    Object.defineProperty(page, '__mondido_config', { value: config, writable: true, configurable })
    expect(takeServedConfig(page)).toBe(config)
    expect(Object(page).__mondido_config).toBeUndefined()
  },
)
