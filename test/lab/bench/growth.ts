import { median, type Plan, ratio, takeTurns } from './compare.ts'
import { startReferences } from './references.ts'
import { print, printFigure, printScores } from './report.ts'
import { listTen, plainCreate } from './requests.ts'
import { type Server, startGatewayWithKey } from './servers.ts'

const SMALL = 1_000
/** Number of creates at the beginning and at the end whose rates are compared. */
const STRETCH = 10_000
/** Number of creates before the measurement, until the code runs at its final speed. */
const WARM_UP = 3_000

/**
 * Measures memory, creating and listing with many transactions.
 * @returns the memory with many rows, as a multiple of a minimal Express server
 */
export async function measureGrowth(plan: Plan): Promise<number> {
  const grown = await startGatewayWithKey(plan.connections)
  const idle = grown.memory()
  await create(grown, WARM_UP)
  const rates = await createInSteps(grown, plan.creates - WARM_UP)
  const full = grown.memory()
  const steps = STRETCH / SMALL
  const [first, last] = [median(rates.slice(0, steps)), median(rates.slice(-steps))]

  print(`\n${plan.creates} creates`)
  printFigure('memory when idle', idle, 'MB')
  printFigure('memory after them', full, 'MB', { atMost: 200 })
  printFigure(`creates in the first ${STRETCH}`, first, '/s')
  printFigure(`creates in the last ${STRETCH}`, last, '/s')
  printFigure('the last as a share of the first', last / first, '', { atLeast: 0.9 })
  const times = await compareLists(plan, grown)
  await grown.stop()
  return times
}

const create = ({ load }: Server, requests: number) => load.run({ requests }, () => plainCreate())

/** Creates transactions, and returns the rate of each thousand. */
async function createInSteps(gateway: Server, count: number): Promise<number[]> {
  const rates: number[] = []
  for (let done = 0; done < count; done += SMALL)
    rates.push((await create(gateway, SMALL)).perSecond)
  return rates
}

async function compareLists(plan: Plan, grown: Server) {
  const small = await startGatewayWithKey(plan.connections)
  await create(small, SMALL)
  const references = await startReferences(plan, small, listTen)
  const next = () => listTen()
  const contestants = {
    ...references.contestants,
    'gateway, few rows': { server: small, next },
    'gateway, many rows': { server: grown, next },
  }
  const scores = await takeTurns(contestants, plan)
  const times = grown.memory() / references.echo.memory()
  await Promise.all([small.stop(), references.stop()])
  printScores(`List ten transactions of ${SMALL}, and of ${plan.creates}`, scores)
  const slower = ratio(scores['gateway, few rows'], scores['gateway, many rows'])
  printFigure('memory with many rows, in times of a bare Express echo', times, '')
  printFigure('time with many rows, in times of that with few', slower, '', { atMost: 2 })
  return times
}
