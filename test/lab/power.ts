/**
 * `npm run lab -- power`: simulates power loss. Records the writes of the built gateway with
 * `strace` while it accepts orders (Linux; Debian: `apt-get install strace`). Then it simulates a
 * power loss at 500 crash points: any part of the unflushed data may be on the disk, in sectors of
 * 512 bytes and in any order, including names of files. The built gateway starts with the remaining
 * data. Every acknowledged payment, capture and refund must be stored with its webhooks, and the
 * gateway must continue. `--seed 7` draws other crash points, and `--points 50 --orders 100` makes
 * a shorter run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { record } from '../gateway/power/record.ts'
import { crashPointsOf, replay } from '../gateway/power/replay.ts'
import { hasStrace } from '../gateway/power/strace.ts'
import { temporaryFolder } from '../setup/temporary.ts'
import { createChance } from './simulation/runs/chance.ts'

const number = (value: string) => ({ type: 'string', default: value }) as const
const { values } = parseArgs({
  options: { points: number('500'), orders: number('600'), seed: number('1') },
})
const [points, orders, seed] = [values.points, values.orders, values.seed].map(Number) as [
  number,
  number,
  number,
]
if (![points, orders, seed].every((value) => Number.isInteger(value) && value > 0)) {
  process.stderr.write(
    'Usage: npm run lab -- power [--points <number>] [--orders <number>] [--seed <number>]\n',
  )
  process.exit(2)
}
if (!hasStrace()) {
  process.stderr.write(
    'This needs strace, which records what a process writes: on Debian, apt-get install strace.\n',
  )
  process.exit(2)
}

const BUILT = resolve('mock-gateway/dist/cli.js')

/** Number of crash points between two progress lines. */
const EVERY = 50

const print = (line: string) => void process.stdout.write(`${line}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

// The record lists the writes that would reach a disk, so the folder can be in memory.
const folder = await mkdtemp(join(temporaryFolder(), 'mondido-power-'))
const started = performance.now()
const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`
const recorded = await record(BUILT, orders, folder)
const { trace, answers } = recorded
const flushes = trace.filter(({ kind }) => kind === 'flush').length
print(
  `${seconds()}: ${answers.all.length} answers, ${trace.length} steps, ${flushes} of them flush a file`,
)
const { runGateway } = await import(pathToFileURL(BUILT).href)
let done = 0
let bad = 0
await replay(
  runGateway,
  recorded,
  crashPointsOf(trace, points, createChance(`${seed}`)),
  `${seed}`,
  folder,
  (replayed) => {
    done += 1
    if (replayed.problems.length > 0) {
      bad += 1
      print(
        `  crash point ${done}, after ${replayed.at} steps: ${replayed.problems.slice(0, 5).join('\n    ')}`,
      )
    }
    if (done % EVERY === 0)
      print(`  ${seconds()}, ${done} crash points, ${bad} of them with problems`)
  },
)
await rm(folder, { recursive: true })
print(
  `\n${seconds()}: ${done} crash points with seed ${seed}, ${bad === 0 ? 'nothing that was answered is lost, and each goes on' : `${bad} with problems`}`,
)
process.exitCode = bad === 0 ? 0 : 1
