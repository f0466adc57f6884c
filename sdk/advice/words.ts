import { ALIASES, type ChosenOption, DEFAULTS } from '../settings/options.ts'
import { NEW_TRANSACTION_PARAMETERS } from '../shared/payment-parameters.ts'
import type { MondidoEvents, MondidoTwinName } from '../types.ts'
import { MESSAGES } from '../ui/messages.ts'

/** Names of all options. */
export const OPTION_NAMES: readonly string[] = [
  ...Object.keys(DEFAULTS).filter((name) => name !== 'wrong'),
  ...ALIASES.keys(),
  'delegate',
]

/** Values of options, if the type of the default does not describe them. */
const CHOICES: Readonly<Record<string, string>> = {
  type: 'ajax or form',
  locale: Object.keys(MESSAGES).join(' or '),
  validate: 'native, card, false or a function',
  mpi: 'auto, popup, iframe, redirect or false',
  mpiOpen: 'eager or lazy',
  attributes: 'a list of attribute names',
  mpiOrigins: 'a list of origins',
  timeouts: 'an object with values in milliseconds',
  messages: 'an object with texts',
  mpiSize: 'an object with width and height',
  ignore: 'a selector',
  mpiContainer: 'an element or a selector',
} satisfies Record<
  ChosenOption | 'timeouts' | 'messages' | 'mpiSize' | 'ignore' | 'mpiContainer',
  string
>
const KINDS: Readonly<Record<string, string>> = { boolean: 'true or false', string: 'a text' }

/** Describes the allowed values of an option. */
export const describeAllowedValues = (option: string): string =>
  CHOICES[option] ??
  KINDS[typeof Object.getOwnPropertyDescriptor(DEFAULTS, option)?.value] ??
  'see the table of options'

const EVENTS = {
  'payment:before': 'mondido:before',
  'payment:success': 'mondido:success',
  'payment:fail': 'mondido:fail',
  'payment:state': 'mondido:state',
  'card:brand': 'mondido:brand',
  'mpi:open': 'mondido:mpi-open',
  'mpi:blocked': 'mondido:mpi-blocked',
  'mpi:close': 'mondido:mpi-close',
} as const satisfies { [Name in keyof MondidoEvents]: MondidoTwinName<Name> }

/** Names of all events, and of the corresponding native events. */
export const EVENT_NAMES: readonly string[] = [...Object.keys(EVENTS), ...Object.values(EVENTS)]

/** Parameters a payment must have (specification: Create transaction). */
export const REQUIRED: readonly string[] = ['amount', 'currency', 'payment_ref', 'hash']

export const CARD_PARAMETERS: readonly string[] = [
  'card_number',
  'card_expiry',
  'card_cvv',
  'card_holder',
  'card_type',
]

/** Parameters that the library itself sends. */
const SENT_BY_LIBRARY: readonly string[] = ['mondido_attempt', 'ref', 'eci', 'provider_ref']

/** Parameters that a form may send (specification: Create transaction). */
export const PARAMETERS: readonly string[] = [
  ...NEW_TRANSACTION_PARAMETERS.filter((name) => !SENT_BY_LIBRARY.includes(name)),
  'locale',
  'customer_id',
]
