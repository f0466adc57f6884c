import { tell } from '../advice/tell.ts'
import { parseJson } from '../json.ts'
import { guard } from '../log.ts'
import type { MondidoOptions, MondidoStatic, Timeouts } from '../types.ts'
import { isLocale } from '../ui/messages.ts'

/** Options after defaults and attributes: what an attempt works with. */
export interface Settings extends Required<Omit<MondidoOptions, OptionalSetting | NotSettled>> {
  url: string | undefined
  merchantId: string | undefined
  publicKey: string | undefined
  mpiUrl: string | undefined
  mpiContainer: MondidoOptions['mpiContainer']
  locale: MondidoOptions['locale']
  debug: boolean | undefined
  timeouts: Timeouts
  success: MondidoOptions['success']
  error: MondidoOptions['error']
  /** Options that cannot be what they are; their defaults stand in their place. */
  wrong: readonly WrongOption[]
}

/** Its name, and its value as JSON. */
type WrongOption = Readonly<Record<'option' | 'value', string>>

type OptionalSetting =
  | 'url'
  | 'merchantId'
  | 'publicKey'
  | 'mpiUrl'
  | 'mpiContainer'
  | 'locale'
  | 'debug'
  | 'timeouts'
  | 'success'
  | 'error'
type NotSettled = 'merchant_id' | 'public_key' | 'delegate'

/** Defaults a page may change for all its forms. */
export const createDefaults = (): MondidoStatic['defaults'] => ({
  type: 'form',
  mpi: 'auto',
  mpiOpen: 'eager',
  format: false,
})

/** What holds when nobody says otherwise. */
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

/** Options with the name of another one. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ['merchant_id', 'merchantId'],
  ['public_key', 'publicKey'],
])

/**
 * Options that are a list, or chosen from words: of the kind of their default alone they need not
 * be right.
 */
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

/** What each of them must be. */
const RULES = new Map<string, (value: unknown) => boolean>(
  Object.entries({
    type: (value) => value === 'ajax' || value === 'form',
    locale: isLocale,
    validate: (value) =>
      value === false || value === 'native' || value === 'card' || typeof value === 'function',
    attributes: (value) => Array.isArray(value) && value.every((name) => isSelector(`[${name}]`)),
    mpi: (value) => value === false || /^(auto|popup|iframe|redirect)$/.test(String(value)),
    mpiOpen: (value) => value === 'eager' || value === 'lazy',
    mpiOrigins: Array.isArray,
    ignore: (value) => value === '' || isSelector(value),
    mpiContainer: (value) => value instanceof Element || isSelector(value),
  } satisfies Record<ChosenOption | 'ignore' | 'mpiContainer', (value: unknown) => boolean>),
)

/** Whether the browser takes it for a selector. */
function isSelector(value: unknown): value is string {
  try {
    new DocumentFragment().querySelector(value as string)
    return typeof value === 'string'
  } catch {
    return false
  }
}

function isRight(name: string, value: unknown): boolean {
  const standard = DEFAULTS[name as keyof Settings]
  return (
    RULES.get(name)?.(value) ??
    (standard === undefined || (value !== null && typeof value === typeof standard))
  )
}

/**
 * The settings of one attempt: options over `data-mondido-*` attributes of the form over defaults.
 * Options nobody knows are told of and have no effect; wrong ones are collected.
 */
export function resolveSettings(
  form: HTMLFormElement,
  options: MondidoOptions,
  defaults: object,
): Settings {
  const settings: Settings = { ...DEFAULTS, ...defaults }
  const wrong: WrongOption[] = []
  const isRead = guard(() => {
    for (const [key, value] of [...attributeOptions(form), ...Object.entries(options)]) {
      const name = ALIASES.get(key) || key
      if (value === undefined) continue
      if (isRight(name, value)) Object.assign(settings, { [name]: value })
      else wrong.push({ option: name, value: JSON.stringify(value) })
    }
    return true
  })
  if (!isRead) wrong.push({ option: 'options', value: 'unreadable' })
  const messages: Settings['messages'] = Object.assign(Object.create(null), settings.messages)
  return { ...settings, wrong, messages, timeouts: { ...DEFAULTS.timeouts, ...settings.timeouts } }
}

/** Tells of options that do not exist. */
export function warnOfUnknownOptions(options: object): void {
  const known = Object.keys(DEFAULTS)
  const unknown = Object.keys(options).filter((name) => !known.includes(ALIASES.get(name) || name))
  for (const option of unknown) tell('warn', 'option.unknown', { option })
}

/**
 * Options written as attributes: `data-mondido-` and the name in lower case with dashes. An empty
 * attribute is `true`; objects are JSON, and text that is none is wrong.
 */
function attributeOptions(form: HTMLFormElement): [name: string, value: unknown][] {
  const options: [string, unknown][] = []
  for (const [name, standard] of Object.entries(DEFAULTS)) {
    const text = form.getAttribute(
      `data-mondido-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    )
    if (text === null) continue
    const isPlain = typeof standard !== 'object'
    options.push([
      name,
      isPlain && /^(true|false|)$/.test(text)
        ? text !== 'false'
        : isPlain
          ? text
          : (parseJson(text) ?? text),
    ])
  }
  return options
}
