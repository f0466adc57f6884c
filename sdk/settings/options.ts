import { parseJson } from '../json.ts'
import { guard } from '../log.ts'
import type { MondidoOptions, MondidoStatic, Timeouts } from '../types.ts'
import { isLocale } from '../ui/messages.ts'

/** Settings of an attempt: options with defaults and attributes. */
export type Settings = Required<Omit<MondidoOptions, OptionalSetting | UnresolvedSetting>> & {
  [Name in Exclude<OptionalSetting, 'timeouts'>]: MondidoOptions[Name] | undefined
} & {
  timeouts: Timeouts
  /** Invalid options; their defaults are used instead. */
  wrong: readonly WrongOption[]
}

type OptionalSetting =
  | `${'url' | 'merchantId' | 'publicKey' | 'mpiUrl' | 'mpiContainer'}`
  | `${'locale' | 'debug' | 'success' | 'error' | 'timeouts'}`
type UnresolvedSetting = 'merchant_id' | 'public_key' | 'delegate'

/** Name of an invalid option, and its value as JSON. */
type WrongOption = Readonly<Record<'option' | 'value', string>>

/** Creates the defaults that a page may change for all its forms. */
export const createDefaults = (): MondidoStatic['defaults'] => ({
  type: 'form',
  mpi: 'auto',
  mpiOpen: 'eager',
  format: false,
})

/** Built-in defaults. */
export const DEFAULTS: Settings = {
  type: 'form',
  url: undefined,
  merchantId: undefined,
  publicKey: undefined,
  attributes: ['data-encrypt-attribute', 'data-encrypted-attribute'],
  ignore: '[data-mondido-ignore]',
  mpi: 'auto',
  mpiOpen: 'eager',
  mpiUrl: undefined,
  mpiOrigins: [],
  mpiSize: { width: 500, height: 600 },
  mpiContainer: undefined,
  showWaiting: true,
  timeouts: {
    before: 30_000,
    request: 60_000,
    status: 10_000,
    statusRetry: 1_000,
    leave: 5_000,
    mpi: 600_000,
    closeGrace: 1_500,
    closePoll: 250,
  },
  validate: 'native',
  format: false,
  lockButtons: true,
  busyClass: 'mondido-busy',
  announce: true,
  showMessages: false,
  clearOnSuccess: true,
  locale: undefined,
  messages: {},
  debug: undefined,
  success: undefined,
  error: undefined,
  wrong: [],
}

/** Other names of options. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ['merchant_id', 'merchantId'],
  ['public_key', 'publicKey'],
])

/** Options that are lists or words: the type of their default does not check them. */
export type ChosenOption = {
  [Name in keyof Settings]-?: true extends IsChosen<Settings[Name]> ? Name : never
}[Exclude<keyof Settings, 'wrong'>]

type IsChosen<Value> = Value extends readonly unknown[]
  ? true
  : Value extends string
    ? string extends Value
      ? false
      : true
    : never

/** Checks of these options. */
const RULES = new Map<string, (value: unknown) => boolean>(
  Object.entries({
    type: (value) => /^(ajax|form)$/.test(String(value)),
    locale: isLocale,
    validate: (value) =>
      value === false || typeof value === 'function' || /^(native|card)$/.test(String(value)),
    attributes: (value) => Array.isArray(value) && value.every((name) => isSelector(`[${name}]`)),
    mpi: (value) => value === false || /^(auto|popup|iframe|redirect)$/.test(String(value)),
    mpiOpen: (value) => /^(eager|lazy)$/.test(String(value)),
    mpiOrigins: Array.isArray,
    ignore: (value) => value === '' || isSelector(value),
    mpiContainer: (value) => value instanceof Element || isSelector(value),
  } satisfies Record<ChosenOption | 'ignore' | 'mpiContainer', (value: unknown) => boolean>),
)

/** Returns true if the browser accepts a value as a selector. */
function isSelector(value: unknown): value is string {
  try {
    new DocumentFragment().querySelector(value as string)
    return typeof value === 'string'
  } catch {
    return false
  }
}

/** Options for which an empty text has a meaning. For others it means: not set. */
const CAN_BE_EMPTY = /^(ignore|busyClass)$/

function isValid(name: string, value: unknown): boolean {
  const standard = DEFAULTS[name as keyof Settings]
  return (
    RULES.get(name)?.(value) ??
    (standard === undefined || (value !== null && typeof value === typeof standard))
  )
}

/**
 * Resolves the settings of an attempt: options, then the form's `data-mondido-*` attributes, then
 * defaults. Unknown options are reported and ignored; invalid ones are collected.
 */
export function resolveSettings(
  form: HTMLFormElement,
  options: MondidoOptions,
  defaults: object,
): Settings {
  const settings: Settings = { ...DEFAULTS, ...defaults }
  const wrong: WrongOption[] = []
  const isRead = guard(() => {
    for (const [key, value] of [...readAttributeOptions(form), ...Object.entries(options)]) {
      const name = ALIASES.get(key) || key
      if (value === undefined || (value === '' && !CAN_BE_EMPTY.test(name))) continue
      if (isValid(name, value)) Object.assign(settings, { [name]: value })
      else wrong.push({ option: name, value: JSON.stringify(value) })
    }
    return true
  })
  if (!isRead) wrong.push({ option: 'options', value: 'unreadable' })
  const messages: Settings['messages'] = Object.assign(Object.create(null), settings.messages)
  return { ...settings, wrong, messages, timeouts: { ...DEFAULTS.timeouts, ...settings.timeouts } }
}

/**
 * Reads options written as attributes: `data-mondido-` and the name in lower case with dashes. An
 * empty attribute is `true` for an option that is true or false, and otherwise not set. Objects are
 * JSON, and invalid JSON makes the option invalid.
 */
function readAttributeOptions(form: HTMLFormElement): [name: string, value: unknown][] {
  const options: [string, unknown][] = []
  for (const [name, standard] of Object.entries(DEFAULTS)) {
    const text = form.getAttribute(`data-mondido-${name.replace(/[A-Z]/g, '-$&')}`)
    const isFlag = typeof standard === 'boolean' || name === 'debug'
    if (text === null || !(text || isFlag)) continue
    const isWord = typeof standard !== 'object' && !/^(true|false|)$/.test(text)
    options.push([name, isWord ? text : isFlag ? text !== 'false' : (parseJson(text) ?? text)])
  }
  return options
}
