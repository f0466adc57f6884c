/**
 * `npm run lab -- soak --minutes 60`: sends payments, captures and refunds to a gateway at a steady
 * rate (Linux). Its memory, file descriptors and journal must level off, and all acknowledged data
 * must be stored.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { reconcileAfter } from '../gateway/process/crash.ts'
import { Ledger } from '../gateway/process/ledger.ts'
import { placeOrder, startGatewayProcess } from '../gateway/process/load.ts'
import { openReceiver } from '../gateway/process/receiver.ts'
import { temporaryFolder } from '../setup/temporary.ts'

type Sample<Name extends string> = Readonly<Record<Name, number>>

/**
 * Returns the increase of the mean from the middle third of the samples to the last third. A leak
 * causes an increase; memory that is allocated once does not.
 * @param samples at equal intervals; at least three
 * @returns a negative number if the mean decreased
 */
function growthOf<Name extends string>(samples: readonly Sample<Name>[], name: Name): number {
  const third = Math.floor(samples.length / 3)
  const mean = (part: readonly Sample<Name>[]) =>
    part.reduce((sum, sample) => sum + sample[name], 0) / part.length
  return mean(samples.slice(-third)) - mean(samples.slice(-2 * third, -third))
}

/**
 * Describes each value that increases by more than allowed.
 * @param most allowed increase of each value
 */
function rising<Name extends string>(
  samples: readonly Sample<NoInfer<Name>>[],
  most: Sample<Name>,
): string[] {
  return (Object.keys(most) as Name[])
    .filter((name) => growthOf(samples, name) > most[name])
    .map(
      (name) =>
        `${name} rose by ${Math.round(growthOf(samples, name))} from the middle third of the run to the last`,
    )
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  process.stderr.write('Usage: npm run lab -- soak [--minutes <number>]\n')
  process.exit(2)
}

/** Milliseconds between two orders. */
const PACE_MS = 50
const LOOKS = 60

/** Maximum increase from the second third of a run to the last third. */
const MAX_INCREASE = { memory: 40_000_000, descriptors: 10, journal: 17_000_000 } as const

const folder = await mkdtemp(join(temporaryFolder(), 'mondido-soak-'))
const place = ['--data', folder]
const ledger = new Ledger()
const receiver = await openReceiver()
const { url, program } = await startGatewayProcess(place)
const webhook = JSON.stringify({ trigger: 'payment', url: receiver.url })

async function look() {
  const status = await readFile(`/proc/${program.pid}/status`, 'utf8')
  return {
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
    descriptors: (await readdir(`/proc/${program.pid}/fd`)).length,
    journal: (await stat(join(folder, 'gateway.db-wal'))).size,
  }
}

const samples: Awaited<ReturnType<typeof look>>[] = []
const end = performance.now() + minutes * 60_000
async function pay() {
  while (performance.now() < end) {
    await placeOrder(url, ledger.newOrder(), webhook, () => {})
    await pause(PACE_MS)
  }
}
async function watch() {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    await pause((minutes * 60_000) / LOOKS)
    const sample = await look()
    samples.push(sample)
    if (looks % 10 !== 9) continue
    const [memory, journal] = [sample.memory, sample.journal].map((bytes) =>
      (bytes / 1e6).toFixed(1),
    )
    const { creates } = ledger.acknowledged()
    process.stdout.write(
      `  ${creates} payments: ${memory} MB, ${sample.descriptors} descriptors, journal ${journal} MB\n`,
    )
  }
}
await Promise.all([pay(), watch()])
await program.stop()
const problems = [
  ...rising(samples, MAX_INCREASE),
  ...(await reconcileAfter(place, ledger, receiver)),
]
await receiver.close()
await rm(folder, { recursive: true })
for (const problem of problems) process.stdout.write(`  ${problem}\n`)
process.stdout.write(
  `  ${problems.length === 0 ? 'all levels off, nothing lost' : `${problems.length} problems`}\n`,
)
process.exitCode = problems.length === 0 ? 0 : 1
