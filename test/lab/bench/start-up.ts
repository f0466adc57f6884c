import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { median, type Plan } from './compare.ts'
import { print, printFigure } from './report.ts'
import { plainCreate } from './requests.ts'
import { DIST, freshPath, type Server, startEcho, startGateway } from './servers.ts'

const LIMIT = { atMost: 250 }
const LIMIT_IN_PROCESS = { atMost: 60 }

/** Duration and CPU time of a start in milliseconds, and memory. */
export interface Start {
  readonly time: number
  /** CPU time of all threads. */
  readonly cpu: number
  /** Resident memory after the first answer, in megabytes (10^6 bytes). */
  readonly memory: number
}

/**
 * Measures the time from the start of the process to the first payment with status 200, and the
 * same in a process that has started a gateway before.
 */
export async function measureStart(plan: Plan) {
  const builds = plan.against === undefined ? [DIST] : [DIST, plan.against]
  const starts = builds.map((dist) => ({
    dist,
    fresh: [] as Start[],
    existing: [] as Start[],
    inProcess: [] as Omit<Start, 'memory'>[],
  }))
  const echoes: Start[] = []
  for (const { dist } of starts) await inProcess(dist)
  for (let turn = 0; turn < plan.starts; turn += 1) {
    echoes.push(
      await timeStart(
        () => startEcho(1),
        () => plainCreate('/0'),
      ),
    )
    for (const { dist, ...found } of starts) {
      const folder = freshPath()
      found.fresh.push(await firstAnswer(folder, dist))
      found.existing.push(await firstAnswer(folder, dist))
      found.inProcess.push(await inProcess(dist))
    }
  }
  for (const { dist, fresh, existing, inProcess } of starts) {
    print(`\nStart to first payment${dist === DIST ? '' : `, ${dist}`}, median of ${plan.starts}`)
    printStarts('in a new folder', fresh, LIMIT)
    printStarts('with the data of a run before', existing, LIMIT)
    printFigure('  of a bare Express echo, to its first answer', medianTime(echoes), 'ms')
    printFigure('  in a new folder, in times of that', medianTime(fresh) / medianTime(echoes), '')
    printStarts('createGateway() after the first of a process', inProcess, LIMIT_IN_PROCESS)
  }
  return { fresh: starts[0]?.fresh ?? [], echoes }
}

function printStarts(
  name: string,
  starts: readonly Omit<Start, 'memory'>[],
  limit: { readonly atMost: number },
): void {
  printFigure(name, medianTime(starts), 'ms', limit)
  printFigure('  CPU', median(starts.map(({ cpu }) => cpu)), 'ms')
}

const medianTime = (starts: readonly Pick<Start, 'time'>[]) =>
  median(starts.map(({ time }) => time))

const firstAnswer = (folder: string, dist: string) =>
  timeStart(() => startGateway(1, folder, dist), plainCreate)

/**
 * Measures a server from its start to its first answer, and stops it.
 * @param next returns the text of the request
 */
export async function timeStart(
  startServer: () => Promise<Server>,
  next: () => string,
): Promise<Start> {
  const start = performance.now()
  const server = await startServer()
  await server.load.run({ requests: 1 }, next)
  const time = performance.now() - start
  const found = { time, cpu: server.cpu() / 1_000, memory: server.memory() }
  await server.stop()
  return found
}

async function inProcess(dist: string): Promise<Omit<Start, 'memory'>> {
  const { createGateway } = (await import(
    pathToFileURL(join(dist, 'gateway.js')).href
  )) as typeof import('../../../mock-gateway/gateway.ts')
  const [start, before] = [performance.now(), process.cpuUsage()]
  const gateway = await createGateway()
  const [time, { user, system }] = [performance.now() - start, process.cpuUsage(before)]
  await gateway.close()
  return { time, cpu: (user + system) / 1_000 }
}
