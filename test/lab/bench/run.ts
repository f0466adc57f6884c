/**
 * `npm run bench`: measures the gateway and two baselines in the same run, because only ratios are
 * comparable between machines. `npm run bench -- create start` measures some parts, `--quick` all
 * parts in three minutes. `--connections 1` uses one
 * client. `--against <dist>` also measures another build in turns. `rows` measures at 1,000,
 * 100,000, 1,000,000 and at `--payments 10000000` payments, on one database with `--on sqlite` or
 * `--on postgres`. `others --installed <folder>` measures two mocks of another payment service that npm
 * installed in that folder. Flags of Node apply to the measured servers, too.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Plan } from './compare.ts'
import { measureConsole } from './console.ts'
import { measureGrowth } from './growth.ts'
import { measureOthers } from './others.ts'
import { print } from './report.ts'
import { measureRows } from './rows.ts'
import { keepApart } from './servers.ts'
import { measureSnapshots } from './snapshots.ts'
import {
  measureBusy,
  measureCreate,
  measureEncrypted,
  measureGet,
  measureList,
  measureMemory,
} from './speed.ts'
import { measureStart } from './start-up.ts'
import { measureTesting } from './testing.ts'
import { measureViews } from './views.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureYear } from './year.ts'

const PARTS: Readonly<Record<string, (plan: Plan) => Promise<unknown>>> = {
  start: measureStart,
  create: measureCreate,
  memory: measureMemory,
  encrypted: measureEncrypted,
  get: measureGet,
  list: measureList,
  busy: measureBusy,
  growth: measureGrowth,
  console: measureConsole,
  views: measureViews,
  webhooks: measureWebhooks,
  testing: measureTesting,
  year: measureYear,
  snapshots: measureSnapshots,
}

/** Parts that run only by name. */
const APART: Readonly<Record<string, (plan: Plan) => Promise<unknown>>> = {
  others: (given) => measureOthers(given, resolve(values.installed)),
  rows: (given) => measureRows({ ...given, sizes: [...sizesBelow(most), most] }, values.on),
}

/** Numbers of payments at which `rows` measures before the last one. */
const sizesBelow = (most: number) => [1_000, 100_000, 1_000_000].filter((size) => size < most)

const WHOLE = {
  rounds: 5,
  milliseconds: 1_500,
  starts: 7,
  creates: 100_000,
  sizes: [1_000, 100_000, 1_000_000],
}
const QUICK = { rounds: 3, milliseconds: 500, starts: 3, creates: 25_000, sizes: [1_000, 10_000] }

/**
 * Time limits of a run in minutes. `rows` needs more time, because filling a database takes longer
 * than measuring it.
 */
const LIMIT_MINUTES = { usual: 10, rows: 120 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    connections: { type: 'string', default: '32' },
    payments: { type: 'string', default: '1000000' },
    on: { type: 'string' },
    against: { type: 'string' },
    installed: { type: 'string', default: '.' },
  },
})
const against = values.against === undefined ? undefined : resolve(values.against)
const plan: Plan = {
  ...(values.quick ? QUICK : WHOLE),
  connections: Number(values.connections),
  against,
}
const most = Number(values.payments)
const unknown = positionals.find((name) => !Object.hasOwn({ ...PARTS, ...APART }, name))
if (unknown !== undefined || !(plan.connections > 0) || !(most > 100_000)) {
  print(
    `Usage: npm run bench -- [--quick] [--connections <number>] [--against <dist>] [--payments <number>] [--on sqlite | postgres] [--installed <folder>] [${Object.keys({ ...PARTS, ...APART }).join(' | ')}] ...`,
  )
  process.exit(2)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const minutes = positionals.includes('rows') ? LIMIT_MINUTES.rows : LIMIT_MINUTES.usual
setTimeout(() => {
  print(`Given up: not over after ${minutes} minutes.`)
  process.exit(1)
}, minutes * 60_000).unref()

print(
  `Node ${process.versions.node}, ${availableParallelism()} cores; ${plan.connections} connections;`,
)
if (keepApart()) print('the load has a core to itself, the servers have the others')
print(
  `${plan.rounds} rounds of ${plan.milliseconds / 1000} s for each server, in turns; figures are medians`,
)
const asked = positionals.length === 0 ? Object.keys(PARTS) : positionals
for (const [name, measure] of Object.entries({ ...PARTS, ...APART }))
  if (asked.includes(name)) await measure(plan)
