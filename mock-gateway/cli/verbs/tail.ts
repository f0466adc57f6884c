import { setTimeout as wait } from 'node:timers/promises'
import { paint } from '../paint.ts'
import { type RunVerb, textOf, UsageError } from './verb.ts'

type Row = Readonly<Record<string, string | number | boolean | null>>

/** A list of the control API. */
interface Source {
  readonly path: string
  rows(answer: unknown): readonly Row[]
  /** Values that show whether a row is new or has changed since it was printed. */
  readonly marks: readonly string[]
  hasFailed(row: Row): boolean
  line(row: Row): string
}

const time = (at: unknown) => paint('dim', String(at).slice(11, 19))
const words = (...parts: readonly unknown[]) =>
  parts.filter((part) => part !== null && part !== '').join(' ')
const mark = (hasFailed: boolean, text: unknown) => paint(hasFailed ? 'red' : 'green', String(text))

const SOURCES: Readonly<Record<'requests' | 'payments' | 'webhooks', Source>> = {
  requests: {
    path: '/requests',
    rows: (answer) => (answer as { readonly requests: readonly Row[] }).requests,
    marks: ['request_id'],
    hasFailed: ({ status }) => Number(status ?? 0) >= 400,
    line: (row) =>
      words(
        time(row.at),
        paint('cyan', 'request'),
        row.method,
        row.route ?? 'no route',
        mark(SOURCES.requests.hasFailed(row), row.status ?? 'left'),
        row.error,
        row.explain,
      ),
  },
  payments: {
    path: '/payments',
    rows: (answer) => (answer as { readonly payments: readonly Row[] }).payments,
    marks: ['id', 'payment_ref', 'status', 'error'],
    hasFailed: ({ status }) => status === 'declined' || status === 'failed',
    line: (row) =>
      words(
        time(row.created_at),
        paint('magenta', 'payment'),
        row.id,
        row.payment_ref,
        row.amount,
        row.currency,
        mark(SOURCES.payments.hasFailed(row), row.status),
        row.error,
      ),
  },
  webhooks: {
    path: '/webhooks/deliveries',
    rows: (answer) => answer as readonly Row[],
    marks: ['id', 'webhook_id', 'status', 'attempts'],
    hasFailed: ({ status }) => status === 'failed' || status === 'dead',
    line: (row) =>
      words(
        time(row.created_at),
        paint('blue', 'webhook'),
        row.id,
        row.trigger,
        'to',
        row.url ?? row.email,
        mark(SOURCES.webhooks.hasFailed(row), row.status),
        `attempts ${row.attempts}`,
      ),
  },
}

type SourceName = keyof typeof SOURCES

const isSource = (word: string): word is SourceName => Object.hasOwn(SOURCES, word)

/** Milliseconds between two looks. */
const PACE = 400

/** Rows of each list at one look. */
const MOST = 200

/** `mondido-gateway tail webhooks --failed`. Ends with Ctrl-C. */
export const run: RunVerb = async (given, { connect, print }) => {
  const unknown = given.words.find((word) => !isSource(word))
  if (unknown !== undefined)
    throw new UsageError(`tail prints requests, payments and webhooks, not "${unknown}".`)
  const last = Number(textOf(given, 'last') ?? 0)
  if (!Number.isSafeInteger(last) || last < 0 || last > MOST)
    throw new UsageError(`--last must be a number from 0 to ${MOST}.`)
  const chosen = given.words.filter(isSource)
  const names: readonly SourceName[] =
    chosen.length > 0 ? chosen : ['requests', 'payments', 'webhooks']
  const { control, merchant } = await connect()
  const filter = {
    limit: MOST,
    merchant_id: given.flags.merchant === undefined ? undefined : merchant.id,
  }
  const seen = new Map(names.map((name) => [name, new Set<string>()]))

  async function printNew(name: SourceName, most: number): Promise<void> {
    const source = SOURCES[name]
    const known = seen.get(name) as Set<string>
    const rows = source
      .rows(await control('GET', source.path, filter))
      .map((row) => ({ row, mark: markOf(source, row) }))
    const fresh = rows.filter(({ mark: state }) => !known.has(state)).slice(0, most)
    for (const { mark: state } of rows) known.add(state)
    for (const { row } of fresh.toReversed()) {
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
    for (const name of names) await printNew(name, MOST)
    await wait(PACE, undefined, { signal: stopping.signal }).catch(() => {})
  }
  return 0
}

const markOf = ({ marks }: Source, row: Row): string => marks.map((name) => row[name]).join(' ')
