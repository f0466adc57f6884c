import type { Operations } from '../../client/operations.ts'
import { timers } from '../../domain/timers.ts'
import { paint } from '../paint.ts'
import { getText, type RunVerb, UsageError } from './verb.ts'

type Row = Readonly<Record<string, string | number | boolean | null>>

/** A list of the control API. */
interface Source {
  rows(
    control: Operations,
    filter: { readonly limit: number; readonly merchant_id?: number },
  ): Promise<readonly Row[]>
  /** Columns whose values change when a row has news to print. */
  readonly watched: readonly string[]
  hasFailed(row: Row): boolean
  line(row: Row): string
}

/** Rows have only single values. */
const flattenRows = (rows: readonly object[]) => rows as readonly Row[]
const time = (at: unknown) => paint('dim', String(at).slice(11, 19))
const joinWords = (...parts: readonly unknown[]) =>
  parts.filter((part) => part !== null && part !== '').join(' ')
const paintStatus = (hasFailed: boolean, text: unknown) =>
  paint(hasFailed ? 'red' : 'green', String(text))

const SOURCES: Readonly<Record<'requests' | 'payments' | 'webhooks', Source>> = {
  requests: {
    rows: async (control, filter) => flattenRows((await control.requests.list(filter)).requests),
    watched: ['request_id'],
    hasFailed: ({ status }) => Number(status ?? 0) >= 400,
    line: (row) =>
      joinWords(
        time(row.at),
        paint('cyan', 'request'),
        row.method,
        row.route ?? 'no route',
        paintStatus(SOURCES.requests.hasFailed(row), row.status ?? 'left'),
        row.error,
        row.explain,
      ),
  },
  payments: {
    rows: async (control, filter) => flattenRows((await control.payments.list(filter)).payments),
    watched: ['id', 'payment_ref', 'status', 'error'],
    hasFailed: ({ status }) => status === 'declined' || status === 'failed',
    line: (row) =>
      joinWords(
        time(row.created_at),
        paint('magenta', 'payment'),
        row.id,
        row.payment_ref,
        row.amount,
        row.currency,
        paintStatus(SOURCES.payments.hasFailed(row), row.status),
        row.error,
      ),
  },
  webhooks: {
    rows: async (control, filter) => flattenRows(await control.deliveries.list(filter)),
    watched: ['id', 'webhook_id', 'status', 'attempts'],
    hasFailed: ({ status }) => status === 'failed' || status === 'dead',
    line: (row) =>
      joinWords(
        time(row.created_at),
        paint('blue', 'webhook'),
        row.id,
        row.trigger,
        'to',
        row.url ?? row.email,
        paintStatus(SOURCES.webhooks.hasFailed(row), row.status),
        `attempts ${row.attempts}`,
      ),
  },
}

type SourceName = keyof typeof SOURCES

const isSource = (word: string): word is SourceName => Object.hasOwn(SOURCES, word)

/** Polling interval in milliseconds. */
const POLL_MS = 400

/** Maximum rows of each list in one poll. */
const MAX_ROWS = 200

/** `mondido-gateway tail webhooks --failed`. Ends with Ctrl-C. */
export const run: RunVerb = async (given, { connect, print }) => {
  const unknown = given.words.find((word) => !isSource(word))
  if (unknown !== undefined)
    throw new UsageError(`tail prints requests, payments and webhooks, not "${unknown}".`)
  const last = Number(getText(given, 'last') ?? 0)
  if (!Number.isSafeInteger(last) || last < 0 || last > MAX_ROWS)
    throw new UsageError(`--last must be a number from 0 to ${MAX_ROWS}.`)
  const chosen = given.words.filter(isSource)
  const names: readonly SourceName[] =
    chosen.length > 0 ? chosen : ['requests', 'payments', 'webhooks']
  const { control, owner } = await connect()
  const filter = { ...owner, limit: MAX_ROWS }
  const seen = new Map(names.map((name) => [name, new Set<string>()]))

  async function printNew(name: SourceName, limit: number): Promise<void> {
    const source = SOURCES[name]
    const formatState = (row: Row) => source.watched.map((column) => row[column]).join(' ')
    const known = seen.get(name) as Set<string>
    const rows = await source.rows(control, filter)
    const fresh = rows.filter((row) => !known.has(formatState(row))).slice(0, limit)
    for (const row of rows) known.add(formatState(row))
    for (const row of fresh.toReversed()) {
      if (given.flags.failed && !source.hasFailed(row)) continue
      print(
        given.flags.json ? JSON.stringify({ kind: name.slice(0, -1), ...row }) : source.line(row),
      )
    }
  }

  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  for (const name of names) await printNew(name, last)
  if (!given.flags.json) process.stderr.write(`Waiting for ${names.join(', ')}. Ctrl-C ends.\n`)
  while (!stopping.signal.aborted) {
    for (const name of names) await printNew(name, MAX_ROWS)
    await timers.pause(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {})
  }
  return 0
}
