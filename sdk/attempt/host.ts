import type { Emit } from '../form/events.ts'
import type { Configs } from '../settings/merchant.ts'
import type { Settings } from '../settings/options.ts'
import type { Locale, MondidoError, MondidoState, Transaction } from '../types.ts'
import type { MessageKey } from '../ui/messages.ts'

/** What an attempt needs to know and may do. */
export interface AttemptHost {
  id: string
  form: HTMLFormElement
  settings: Settings
  configs: Configs
  submitter: HTMLElement | null
  emit: Emit
  text(key: MessageKey): string
  /** Language of the texts. */
  lang(): Locale
  /** Current state of the form. */
  state(): MondidoState
  move(to: MondidoState): void
  /** Shows that the form is busy and says so; harmless when done twice. */
  lock(): void
  unlock(): void
  /** Tells of the payment that ended the attempt. */
  succeed(transaction: Transaction): void
  /** Tells of the error that ended the attempt. */
  report(error: MondidoError): void
  say(key: MessageKey): void
}
