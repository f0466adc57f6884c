import { median, type Plan } from './compare.ts'
import { print, printFigure } from './report.ts'
import { plainCreate } from './requests.ts'
import { freshPath, startGateway } from './servers.ts'

const LIMIT = { atMost: 400 }

/** From the start of the process to the first payment answered 200. */
export async function measureStart(plan: Plan): Promise<void> {
  const fresh: number[] = []
  const existing: number[] = []
  for (let turn = 0; turn < plan.starts; turn += 1) {
    const folder = freshPath()
    fresh.push(await firstAnswer(folder))
    existing.push(await firstAnswer(folder))
  }
  print(`\nStart to first payment, median of ${plan.starts}`)
  printFigure('in a new folder', median(fresh), 'ms', LIMIT)
  printFigure('with the data of a run before', median(existing), 'ms', LIMIT)
}

/** Milliseconds. */
async function firstAnswer(folder: string): Promise<number> {
  const start = performance.now()
  const gateway = await startGateway(1, folder)
  await gateway.load.run({ requests: 1 }, () => plainCreate())
  const milliseconds = performance.now() - start
  await gateway.stop()
  return milliseconds
}
