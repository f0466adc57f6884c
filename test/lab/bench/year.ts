import { connectGateway, type Shop } from '../../../mock-gateway/testing.ts'
import { median, type Plan } from './compare.ts'
import { print, printFigure } from './report.ts'
import { CONTROL_KEY } from './requests.ts'
import { DIST, type Server, startGatewayForTests } from './servers.ts'

const SUBSCRIPTIONS = 50

/** Number of charges that the bank declines; each succeeds a day later. */
const DECLINED = 20

/** Number of charges in a year that succeed. */
const CHARGES = SUBSCRIPTIONS * 12

/** Limit for the year, in milliseconds. */
const LIMIT = { atMost: 1_000 }

const DAYS = { days: 365 }

/** Ways in which a test lets a year pass. */
const WAYS: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  'one move of the clock': (shop) => shop.clock.advance(DAYS),
  'waitFor for each charge': async (shop) => {
    for (let charge = 0; charge < CHARGES; charge += 1)
      await shop.webhooks.waitFor('recurring_success', { within: DAYS })
  },
}

/**
 * Measures a year of monthly subscriptions, whose charges send three webhooks each to the test kit:
 * the time of the test, and the CPU time of the gateway.
 */
export async function measureYear({ rounds, against }: Plan): Promise<void> {
  const builds = { gateway: DIST, ...(against !== undefined && { 'gateway before': against }) }
  const servers = new Map<string, Server>()
  for (const [name, dist] of Object.entries(builds))
    servers.set(name, await startGatewayForTests(1, { dist }))
  const years = new Map<string, { readonly time: number; readonly cpu: number }[]>()
  for (let round = 0; round <= rounds; round += 1)
    for (const [way, pass] of Object.entries(WAYS))
      for (const [name, server] of servers) {
        const year = await timeYear(server, pass)
        const key = `${name}, ${way}`
        if (round > 0) years.set(key, [...(years.get(key) ?? []), year])
      }
  for (const server of servers.values()) await server.stop()
  print(`\nA year of ${SUBSCRIPTIONS} subscriptions with ${DECLINED} declined charges, in memory`)
  for (const [name, all] of years) {
    printFigure(name, median(all.map(({ time }) => time)), 'ms', LIMIT)
    printFigure('  CPU of the gateway', median(all.map(({ cpu }) => cpu)), 'ms')
  }
}

async function timeYear(server: Server, pass: (shop: Shop) => Promise<unknown>) {
  const url = `http://localhost:${server.port}`
  const kit = await connectGateway({ url, controlKey: CONTROL_KEY })
  const shop = await kit.shop()
  const terms = { interval: 1, interval_unit: 'months', prices: { sek: '99.00' } } as const
  const { id } = await shop.client.createPlan({ name: 'Box', ...terms })
  const order = { amount: '99.00', plan_id: id, store_card: true }
  await Promise.all(Array.from({ length: SUBSCRIPTIONS }, () => shop.pay(order)))
  await shop.nextOutcome('errors.payment.declined', { times: DECLINED })
  const [started, before] = [performance.now(), server.cpu()]
  await pass(shop)
  const year = { time: performance.now() - started, cpu: (server.cpu() - before) / 1000 }
  await kit.close()
  return year
}
