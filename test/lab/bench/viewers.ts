import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { ask, listenTo, logInAt } from '../../gateway/web/console/listener.ts'
import { type Plan, ratio, takeTurns } from './compare.ts'
import { print, printFigure } from './report.ts'
import { plainCreate } from './requests.ts'
import { startGatewayWithKey } from './servers.ts'

/** Number of open console pages. */
const VIEWERS = 50

/**
 * Measures how much open console pages slow down payments. Each page has a stream, and reloads
 * itself after each message.
 */
export async function measureViewers(plan: Plan): Promise<void> {
  const [quiet, watched] = await Promise.all(
    [1, 2].map(() => startGatewayWithKey(plan.connections)),
  )
  if (!quiet || !watched) throw new Error('There are no gateways')
  const viewers = await openViewers(`http://localhost:${watched.port}`)
  const next = () => plainCreate()
  const contestants = { quiet: { server: quiet, next }, watched: { server: watched, next } }
  // Pages reload only every few hundred milliseconds, so more rounds are needed: five rounds had
  // ratios from 0.94 to 1.08.
  const scores = await takeTurns(contestants, {
    ...plan,
    rounds: 3 * plan.rounds,
    milliseconds: 2 * plan.milliseconds,
  })
  const read = viewers.leave()
  await Promise.all([quiet.stop(), watched.stop()])
  print(`\nCreate a payment while ${VIEWERS} look on in the console (${read} pages read)`)
  printFigure(
    'CPU per create, as a share of one that nobody sees',
    ratio(scores.watched, scores.quiet, 'cpu'),
    '',
    {
      atMost: 1.03,
    },
  )
}

async function openViewers(url: string) {
  const home = `/console/${DEFAULT_MERCHANT.id}`
  const cookie = await logInAt(url, String(DEFAULT_MERCHANT.id), DEFAULT_MERCHANT.password)
  const streams = await Promise.all(
    Array.from({ length: VIEWERS }, () => listenTo(`${url}${home}/live`, cookie)),
  )
  let isOver = false
  let read = 0
  const view = async (stream: (typeof streams)[number]) => {
    let readAt = performance.now()
    while (!isOver) {
      const { pace } = await stream.next()
      await setTimeout(Math.max(0, readAt + pace - performance.now()))
      readAt = performance.now()
      await text(await ask(`${url}${home}/transactions`, cookie))
      read += 1
    }
  }
  for (const stream of streams) view(stream).catch(() => {})
  return {
    /**
     * Closes the pages.
     * @returns the number of page loads
     */
    leave() {
      isOver = true
      for (const stream of streams) stream.leave()
      return read
    },
  }
}
