import pino, { type Logger } from 'pino'
import { makePrintable } from '../domain/characters.ts'
import { timers } from '../domain/timers.ts'
import type { PaymentLine } from '../serializers/payment-line.ts'
import type { AttemptLine } from '../webhooks/attempt-line.ts'
import { paint, type Style } from './paint.ts'

/** A terminal, or its replacement in a test. */
export interface Terminal {
  write(text: string): unknown
}

/**
 * Creates a log of lines for people on a terminal, or of JSON on the standard output if there is no
 * terminal.
 * @param level of pino
 */
export function createLogger(level: string, terminal: Terminal | undefined): Logger {
  if (!terminal) return pino({ level }, writeInTurns(pino.destination({ sync: true })))
  return pino({ level }, { write: (line) => void terminal.write(`${formatLine(line)}\n`) })
}

/**
 * Writes the lines of one turn of the event loop together, at its end. Under load a dozen requests
 * end in one turn, and a system call for each line costs a tenth of a GET. Lines are written before
 * the next turn and when the process exits; a process that is killed loses the lines of its turn
 * (our decision: the log need not be complete).
 */
export function writeInTurns(out: Terminal): Terminal {
  let lines = ''
  const write = () => {
    process.off('exit', write)
    out.write(lines)
    lines = ''
  }
  return {
    write(line) {
      if (lines === '') {
        timers.setImmediate(write)
        process.once('exit', write)
      }
      lines += line
    },
  }
}

/** Parsed line of the log, of a request or another event. */
interface Entry {
  readonly level: number
  /** Epoch milliseconds. */
  readonly time: number
  readonly method?: string
  /** Pattern of the route; null if no route fits. */
  readonly route?: string | null
  /** Status of the answer; null if the client disconnected. */
  readonly status?: number | null
  readonly error?: string | null
  readonly explain?: string | null
  readonly duration_ms?: number
  readonly payment?: PaymentLine
  readonly webhook?: AttemptLine
  readonly msg?: string
  readonly err?: { readonly stack?: string }
}

/**
 * Formats an entry as one line: time, route, result, reason and duration. Coloured on a terminal,
 * unless NO_COLOR is set.
 */
function formatLine(json: string): string {
  const entry: Entry = JSON.parse(json)
  const time = paint('dim', new Date(entry.time).toTimeString().slice(0, 8))
  const payment = entry.payment && formatPayment(entry.payment)
  if (entry.method === undefined) {
    const text =
      payment ??
      (entry.webhook && formatWebhook(entry.webhook)) ??
      [entry.msg, entry.err?.stack].filter((part) => part !== undefined).join('\n')
    return `${time} ${entry.level >= ERROR ? paint('red', text) : text}`
  }
  const { method, route, status, error, explain, duration_ms = 0 } = entry
  const parts = [
    time,
    method.padEnd(6),
    route ?? (status === 404 ? 'no route' : 'rejected before its route'),
    status ? paint(getColour(status), String(status)) : paint('yellow', 'left'),
    error && paint('bold', error),
    explain,
    payment,
    paint('dim', `${Math.round(duration_ms)} ms`),
  ]
  return parts.filter((part) => part).join(' ')
}

/** Formats one attempt of a webhook, with the time of the next. */
function formatWebhook({
  trigger,
  target,
  attempt,
  status,
  error,
  duration_ms,
  next_try,
}: AttemptLine): string {
  const answer =
    status === null
      ? paint('yellow', makePrintable(error ?? ''))
      : paint(getColour(status), String(status))
  const again = next_try === null ? '' : ` retry at ${next_try}`
  return `webhook ${makePrintable(`${trigger} to ${target}`)} ${answer} attempt ${attempt}${again} ${paint('dim', `${duration_ms} ms`)}`
}

const formatPayment = ({ id, payment_ref, amount, currency, outcome }: PaymentLine): string =>
  `payment ${makePrintable([id, payment_ref, amount, currency, outcome].join(' '))}`

/** Levels of pino from here on are errors. */
const ERROR = 50

/** Colours by the first digit of the status. */
const COLOURS: Readonly<Record<string, Style>> = { 2: 'green', 3: 'cyan', 4: 'yellow' }
const getColour = (status: number): Style => COLOURS[String(status)[0] as string] ?? 'red'
