/**
 * `npm run lab -- against <folder>`: sends the same 50,000 requests to the build in
 * `mock-gateway/dist` and to another build, whose `gateway.js` is in the folder. Compares answers
 * and webhooks byte by byte, and lists the differences by their kind. `--seed 7` repeats
 * a run, `--requests 1000` shortens it, and `--build <folder>` replaces the build in
 * `mock-gateway/dist`.
 */
import { parseArgs } from 'node:util'
import { against, type Group } from '../gateway/against/against.ts'
import { intendedOf } from '../gateway/against/intended.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    build: { type: 'string', default: 'mock-gateway/dist' },
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
  },
})
const [folder] = positionals
const [requests, seed] = [Number(values.requests), Number(values.seed)]
if (folder === undefined || !(requests >= 1 && Number.isSafeInteger(seed))) {
  process.stderr.write(
    'Usage: npm run lab -- against <folder of a build> [--build <folder>] [--requests <number>] [--seed <number>]\n',
  )
  process.exit(2)
}

/** Number of requests between two progress lines. */
const EVERY = 5_000

/** Maximum number of printed characters of an answer. */
const SHOWN = 300

const print = (line: string) => void process.stdout.write(`${line}\n`)
const started = performance.now()
const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`
let next = EVERY
const { sent, succeeded, groups } = await against({
  builds: [values.build, folder],
  requests,
  seed,
  told(report) {
    if (report.sent < next) return
    next += EVERY
    print(`  ${seconds()}, ${report.sent} sent, ${report.groups.size} kinds of differences`)
  },
})

const sorted = [...groups].sort(([, one], [, other]) => other.count - one.count)
const intended = sorted.filter(([shape]) => intendedOf(shape))
const unforeseen = sorted.filter(([shape]) => !intendedOf(shape))

function show(shape: string, { count, sent: { method, address, body }, first }: Group) {
  print(`\n${count} × ${shape}`)
  print(`  first of ${method} ${address.slice(0, SHOWN)} ${body?.slice(0, SHOWN) ?? ''}`)
  print(`  here   ${first.one.slice(0, SHOWN)}`)
  print(`  there  ${first.other.slice(0, SHOWN)}`)
}

for (const [shape, { count }] of intended) print(`${count} × ${shape}: ${intendedOf(shape)}`)
for (const [shape, group] of unforeseen) show(shape, group)
print(`\n${seconds()}: ${sent} requests with seed ${seed}, ${succeeded} of them answered with 200`)
print(`${intended.length} kinds of differences are intended, ${unforeseen.length} are not`)
process.exitCode = unforeseen.length === 0 ? 0 : 1
