import type { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Response, Router } from 'express'
import type { Counts, Labels } from '../../domain/counts.ts'
import { performance, timers } from '../../domain/timers.ts'
import type { Database } from '../../storage/database.ts'
import { countRows } from '../../storage/rows.ts'

/** Dependencies of `/metrics`, `/ready` and `/health`. */
interface MetricsDependencies {
  readonly database: Database
  /** Counts since the gateway started. */
  readonly tallies: {
    /** By method, route and status. */
    readonly requests: Counts
    /** Attempts of webhooks and mails, by type and outcome. */
    readonly attempts: Counts
  }
  /** Version of the package. */
  readonly version: () => Promise<string>
}

/** Milliseconds for the database's answer. */
const TIME_LIMIT_MS = 1_000

type Sample = readonly [labels: Labels, value: number]
type Metric = readonly [
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
]

/**
 * Serves `/metrics` for Prometheus and `/ready` for load balancers: neither contains data of
 * merchants.
 */
export function createMetricsRouter(dependencies: MetricsDependencies): Router {
  const readLag = createLagReader()
  const router = Router()
  router.get('/metrics', async (_request, response) => {
    const metrics = [
      ...(await measureDatabase(dependencies)),
      ...countMetrics('http_requests', 'HTTP requests', dependencies.tallies.requests),
      ...countMetrics('webhook_attempts', WEBHOOK_ATTEMPTS, dependencies.tallies.attempts),
      ...collectProcessMetrics(readLag()),
    ]
    sendText(response, metrics.map(formatMetric).join(''))
  })
  router.get('/ready', async (_request, response) => {
    const reason = await findOutage(dependencies.database)
    response.status(reason === undefined ? 200 : 503)
    sendText(response, `${reason ?? 'ready'}\n`)
  })
  return router
}

function sendText(response: Response, text: string): void {
  response.setHeader('Cache-Control', 'no-store, private')
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  response.end(text)
}

const WEBHOOK_ATTEMPTS = 'Attempts to deliver webhooks and mails'

async function measureDatabase({
  database,
  version,
}: MetricsDependencies): Promise<readonly Metric[]> {
  const before = performance.now()
  const isUp = (await findOutage(database)) === undefined
  const ping = (performance.now() - before) / 1000
  const waiting: readonly Sample[] = isUp
    ? [[{}, await countRows(database.db, 'webhook_deliveries', { status: 'pending' })]]
    : []
  const { dialect } = database
  const labels = { version: await version(), node: process.versions.node, database: dialect }
  return [
    ['build_info', 'gauge', 'Versions of the gateway, Node and the database', [[labels, 1]]],
    [
      'webhook_deliveries_waiting',
      'gauge',
      'Deliveries that are waiting for their next attempt',
      waiting,
    ],
    ['database_up', 'gauge', '1 if the database answers, otherwise 0', [[{}, Number(isUp)]]],
    ['database_ping_seconds', 'gauge', 'Response time of the database', [[{}, ping]]],
  ]
}

/** Returns the reason why the gateway cannot work; undefined if it can. */
async function findOutage(database: Database): Promise<string | undefined> {
  const late = Promise.withResolvers<string>()
  const timer = timers.setTimeout(
    () => late.resolve('The database did not answer within one second'),
    TIME_LIMIT_MS,
  )
  try {
    const answer = database.ping().then(
      () => undefined,
      () => 'The database does not answer',
    )
    return await Promise.race([answer, late.promise])
  } finally {
    timers.clearTimeout(timer)
  }
}

const countMetrics = (name: string, help: string, counts: Counts): readonly Metric[] => [
  [`${name}_total`, 'counter', help, counts.rows().map(({ labels, count }) => [labels, count])],
  [
    `${name}_seconds_total`,
    'counter',
    `${help}: total duration`,
    counts.rows().map(({ labels, seconds }) => [labels, seconds]),
  ],
]

const collectProcessMetrics = (lag: readonly Sample[]): readonly Metric[] => {
  const { user, system } = process.cpuUsage()
  return [
    [
      'event_loop_lag_seconds',
      'gauge',
      'Delay of timers since the last request of these metrics',
      lag,
    ],
    ['process_cpu_seconds_total', 'counter', 'CPU time', [[{}, (user + system) / 1e6]]],
    [
      'process_resident_memory_bytes',
      'gauge',
      'Resident memory',
      [[{}, process.memoryUsage.rss()]],
    ],
    ['process_uptime_seconds', 'gauge', 'Seconds since the start', [[{}, process.uptime()]]],
  ]
}

/** Starts measuring on first use, so that it costs nothing otherwise. */
function createLagReader(): () => readonly Sample[] {
  let delays: ReturnType<typeof monitorEventLoopDelay> | undefined
  return () => {
    const samples: readonly Sample[] = delays?.count
      ? [
          [{ quantile: '0.5' }, delays.percentile(50) / 1e9],
          [{ quantile: '0.99' }, delays.percentile(99) / 1e9],
          [{ quantile: '1' }, delays.max / 1e9],
        ]
      : []
    delays ??= process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 20 })
    delays.enable()
    delays.reset()
    return samples
  }
}

/** Formats one metric in Prometheus' text format, version 0.0.4. */
const formatMetric = ([name, type, help, samples]: Metric): string => {
  const lines = samples.map(
    ([labels, value]) => `mondido_${name}${formatLabels(labels)} ${value}\n`,
  )
  return `# HELP mondido_${name} ${help}\n# TYPE mondido_${name} ${type}\n${lines.join('')}`
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '\\$&')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** Serves `/health`, after checking the database. */
export function createHealthRouter({
  database,
  version,
}: Omit<MetricsDependencies, 'tallies'>): Router {
  const router = Router()
  router.get('/health', async (_request, response) => {
    await database.ping()
    response.setHeader('Cache-Control', 'no-store, private')
    response.json({ status: 'ok', version: await version(), database: database.dialect })
  })
  return router
}
