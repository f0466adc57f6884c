/**
 * `npm run lab -- simulation`: whole gateways under 20,000 seeds, each a world of its own with clients and faults. A seed
 * that fails is made smaller and told as a story. `--seeds 500 --from 1000`, or `--from 4711 --seeds 1` for one again;
 * `--turns 3` gives it the short life that it has in `npm test`. `--on postgres` gives worlds PostgreSQL in the place of
 * SQLite. `--fault <name>` puts one of `reintroduced-bugs/bugs.ts` back, which is to be found.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startPostgres, templateOn } from '../../setup/postgres.ts'
import { runSeeds } from './seeds.ts'

const number = (value: string) => ({ type: 'string', default: value }) as const
const { values } = parseArgs({
  options: {
    seeds: number('20000'),
    from: number('1'),
    turns: number('99'),
    workers: number(String(availableParallelism())),
    on: { type: 'string', default: 'sqlite' },
    fault: { type: 'string' },
  },
})
const numbers = [values.seeds, values.from, values.turns, values.workers].map(Number)
const [count, from, turns, workers] = numbers as [number, number, number, number]
const isUsable = numbers.every((value) => Number.isInteger(value) && value > 0)
if (!isUsable || !['sqlite', 'postgres'].includes(values.on)) {
  process.stderr.write(
    'Usage: npm run lab -- simulation [--seeds <number>] [--from <number>] [--turns <number>] [--workers <number>] [--on postgres] [--fault <name>]\n',
  )
  process.exit(2)
}

const EVERY = 500
const postgres = values.on === 'postgres' ? await startPostgres() : undefined
const template = postgres && (await templateOn(postgres.url))
const server = postgres && template && { url: postgres.url, template: template.name }
const print = (line: string) => void process.stdout.write(`${line}\n`)
const started = performance.now()
let done = 0
const said = await runSeeds({ from, count, workers, turns, server, fault: values.fault }, () => {
  done += 1
  if (done % EVERY === 0) print(`${done} seeds, ${Math.round((performance.now() - started) / 1000)} s`)
})
await template?.drop()
await postgres?.stop()
const failed = said.filter(({ rule }) => rule !== undefined)
for (const { story } of failed) print(`\n${story}`)
print(`\n${said.length - failed.length} seeds held, ${failed.length} failed; from ${from}`)
process.exitCode = failed.length > 0 ? 1 : 0
