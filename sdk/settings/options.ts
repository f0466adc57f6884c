import { log } from '../log.ts'
import type { MondidoOptions, MondidoStatic, Timeouts } from '../types.ts'

/** Options after defaults and attributes: what an attempt works with. */
export interface Settings extends Required<Omit<MondidoOptions, OptionalSetting | NotSettled>> {
  url: string | undefined
  merchantId: string | undefined
  publicKey: string | undefined
  locale: MondidoOptions['locale']
  debug: boolean | undefined
  timeouts: Timeouts
}

type OptionalSetting = 'url' | 'merchantId' | 'publicKey' | 'locale' | 'debug' | 'timeouts'
type NotSettled = 'merchant_id' | 'public_key' | 'delegate' | NotYetOffered
type NotYetOffered = 'mpi' | 'mpiOpen' | 'mpiUrl' | 'mpiOrigins' | 'mpiSize' | 'mpiContainer' | 'showWaiting'

/** Defaults a page may change for all its forms. */
export const createDefaults = (): MondidoStatic['defaults'] => ({
  type: 'form',
  mpi: 'auto',
  mpiOpen: 'eager',
  format: false,
})

const DEFAULTS: Settings = {
  type: 'form',
  url: undefined,
  merchantId: undefined,
  publicKey: undefined,
  attributes: ['data-encrypt-attribute', 'data-encrypted-attribute'],
  ignore: '[data-mondido-ignore]',
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
  clearOnSuccess: true,
  locale: undefined,
  messages: {},
  debug: undefined,
}

/** Options with the name of another one. */
const ALIASES: Readonly<Record<string, string>> = { merchant_id: 'merchantId', public_key: 'publicKey' }

/** Options that are accepted and not read: those of 3-D Secure. */
const UNREAD = /^mpi(Open|Url|Origins|Size|Container)?$|^showWaiting$/

/** The settings of one attempt: options over `data-mondido-*` attributes of the form over defaults. Options nobody knows
 * are told of and have no effect. */
export function resolveSettings(form: HTMLFormElement, options: MondidoOptions, defaults: object): Settings {
  const settings = { ...DEFAULTS, ...defaults, ...attributeOptions(form) }
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) Object.assign(settings, { [ALIASES[name] ?? name]: value })
  }
  return { ...settings, timeouts: { ...DEFAULTS.timeouts, ...options.timeouts } }
}

/** Tells of options that do not exist. */
export function warnOfUnknownOptions(options: object): void {
  const unknown = Object.keys(options).filter((name) => !((ALIASES[name] ?? name) in DEFAULTS || UNREAD.test(name)))
  if (unknown.length) log.warn(`There is no option ${unknown.join(', ')}.`)
}

/** Options written as attributes: `data-mondido-` and the name in lower case with dashes. An empty attribute is `true`. */
function attributeOptions(form: HTMLFormElement): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const name of Object.keys(DEFAULTS)) {
    const text = form.getAttribute(`data-mondido-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    if (text !== null) options[name] = /^(true|false|)$/.test(text) ? text !== 'false' : text
  }
  return options
}
