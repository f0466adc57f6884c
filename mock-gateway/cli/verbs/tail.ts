import type { Operations } from '../../client/operations.ts'
import { timers } from '../../domain/timers.ts'
import { paint, type Style } from '../paint.ts'
import { getText, type RunVerb, UsageError } from './verb.ts'

type Row = Readonly<Record<string, string | number | boolean | null>>

/** A list of the control API. */
interface Source {
  rows(
    control: Operations,
    filter: { readonly limit: number; readonly merchant_id?: number },
  ): Promise<readonly object[]>
  /** Columns whose values change when a row has news to print. */
  readonly watched: readonly string[]
  readonly colour: Style
  hasFailed(row: Row): boolean
  /** Values of a line: before its status, the status, and after it. */
  values(
    row: Row,
  ): readonly [before: readonly unknown[], status: unknown, after: readonly unknown[]]
}

const SOURCES: Readonly<Record<'requests' | 'payments' | 'webhooks', Source>> = {
  requests: {
    rows: async (control, filter) => (await control.requests.list(filter)).requests,
    watched: ['request_id'],
    colour: 'cyan',
    hasFailed: ({ status }) => Number(status ?? 0) >= 400,
    values: ({ method, route, status, error, explain }) => [
      [method, route ?? 'no route'],
      status ?? 'left',
      [error, explain],
    ],
  },
  payments: {
    rows: async (control, filter) => (await control.payments.list(filter)).payments,
    watched: ['id', 'payment_ref', 'status', 'error'],
    colour: 'magenta',
    hasFailed: ({ status }) => status === 'declined' || status === 'failed',
    values: ({ id, payment_ref, amount, currency, status, error }) => [
      [id, payment_ref, amount, currency],
      status,
      [error],
    ],
  },
  webhooks: {
    rows: (control, filter) => control.deliveries.list(filter),
    watched: ['id', 'webhook_id', 'status', 'attempts'],
    colour: 'blue',
    hasFailed: ({ status }) => status === 'failed' || status === 'dead',
    values: ({ id, trigger, url, email, status, attempts }) => [
      [id, trigger, 'to', url ?? email],
      status,
      [`attempts ${attempts}`],
    ],
  },
}

/** Formats a row as one line: time, kind, values and status. */
function formatRow(kind: string, { colour, hasFailed, values }: Source, row: Row): string {
  const [before, status, after] = values(row)
  const time = paint('dim', String(row.at ?? row.created_at).slice(11, 19))
  const result = paint(hasFailed(row) ? 'red' : 'green', String(status))
  return [time, paint(colour, kind), ...before, result, ...after]
    .filter((value) => value !== null && value !== '')
    .join(' ')
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
    // Rows have only single values.
    const rows = (await source.rows(control, filter)) as readonly Row[]
    const fresh = rows.filter((row) => !known.has(formatState(row))).slice(0, limit)
    for (const row of rows) known.add(formatState(row))
    for (const row of fresh.toReversed()) {
      if (given.flags.failed && !source.hasFailed(row)) continue
      const kind = name.slice(0, -1)
      print(given.flags.json ? JSON.stringify({ kind, ...row }) : formatRow(kind, source, row))
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
