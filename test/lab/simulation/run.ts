/**
 * `npm run lab -- simulation`: runs whole gateways with clients and faults in simulated time, once
 * for each of 20,000 seeds. A run that fails is shrunk and printed as a timeline. `--seeds 500
 * --from 1000` chooses the seeds, and `--from 4711 --seeds 1` repeats one. `--turns 3` makes runs
 * as short as in `npm run test:all`.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { runSeeds } from './seeds.ts'

const number = (value: string) => ({ type: 'string', default: value }) as const
const { values } = parseArgs({
  options: {
    seeds: number('20000'),
    from: number('1'),
    turns: number('99'),
    workers: number(String(availableParallelism())),
  },
})
const numbers = [values.seeds, values.from, values.turns, values.workers].map(Number)
const [count, from, turns, workers] = numbers as [number, number, number, number]
const isUsable = numbers.every((value) => Number.isInteger(value) && value > 0)
if (!isUsable) {
  process.stderr.write(
    'Usage: npm run lab -- simulation [--seeds <number>] [--from <number>] [--turns <number>] [--workers <number>]\n',
  )
  process.exit(2)
}

const EVERY = 500
const print = (line: string) => void process.stdout.write(`${line}\n`)
const started = performance.now()
let done = 0
const said = await runSeeds({ from, count, workers, turns }, () => {
  done += 1
  if (done % EVERY === 0)
    print(`${done} seeds, ${Math.round((performance.now() - started) / 1000)} s`)
})
const failed = said.filter(({ rule }) => rule !== undefined)
for (const { story } of failed) print(`\n${story}`)
print(`\n${said.length - failed.length} seeds held, ${failed.length} failed; from ${from}`)
process.exitCode = failed.length > 0 ? 1 : 0
