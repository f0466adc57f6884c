import { median, type Plan } from './compare.ts'
import type { Sample } from './load.ts'
import { print, printFigure } from './report.ts'
import { controlPost, plainCreate } from './requests.ts'
import { type Server, startEcho, startGatewayForTests } from './servers.ts'

/** Number of payments that a reset deletes. */
const PAYMENTS = 10

/** Number of measurements of each kind in a round. */
const TIMES = 20

/** Limit for the preparation of a test, in milliseconds. */
const AT_MOST = 2

/**
 * Measures the preparation of a test by one client: creating a merchant, or resetting the existing
 * one.
 */
export async function measureTesting({ rounds }: Plan): Promise<void> {
  const [gateway, echo] = [await startGatewayForTests(1), await startEcho(1)]
  const once = ({ load }: Server, next: () => string) => load.run({ requests: 1 }, next)
  const resetOfPayments = async () => {
    await gateway.load.run({ requests: PAYMENTS }, () => plainCreate())
    return once(gateway, () => controlPost('/_control/reset?merchant_id=1'))
  }
  const measured: Readonly<Record<string, () => Promise<Sample>>> = {
    'bare Express echo': () => once(echo, () => controlPost('/200')),
    'fresh merchant': () => once(gateway, () => controlPost('/_control/merchants')),
    [`reset of ${PAYMENTS} payments`]: resetOfPayments,
  }
  const times = new Map(Object.keys(measured).map((name): [string, number[]] => [name, []]))
  for (let round = 0; round <= rounds * TIMES; round += 1)
    for (const [name, measure] of Object.entries(measured)) {
      const { p50 } = await measure()
      if (round >= TIMES) times.get(name)?.push(p50)
    }
  await Promise.all([gateway.stop(), echo.stop()])
  print('\nBefore each test, in memory, milliseconds')
  const bare = median(times.get('bare Express echo') ?? [])
  for (const [name, each] of times) {
    const isReference = name === 'bare Express echo'
    printFigure(name, median(each), '', isReference ? undefined : { atMost: AT_MOST })
    if (!isReference) printFigure('  in times of the echo', median(each) / bare, '')
  }
}
