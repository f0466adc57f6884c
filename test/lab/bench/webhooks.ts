import { join } from 'node:path'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { type Contestant, median, type Plan, ratio, takeTurns } from './compare.ts'
import type { Load } from './load.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { print, printFigure } from './report.ts'
import { createWithWebhook, plainCreate } from './requests.ts'
import { freshPath, type Server, startGateway } from './servers.ts'

/** Number of payments before the measurement, until the code runs at its final speed. */
const WARM_UP = 1_000

/**
 * Compares payments with one webhook and payments without, on two gateways of the same build. Also
 * measures the delay of the webhooks, and checks that answers, database and receiver have the same
 * payments.
 */
export async function measureWebhooks(plan: Plan) {
  const folder = freshPath()
  const without = await startGateway(plan.connections, freshPath())
  await without.load.run({ requests: WARM_UP }, () => plainCreate())
  const { gateway, receiver, next } = await openShop(plan, folder)
  const before =
    plan.against === undefined ? undefined : await openShop(plan, freshPath(), plan.against)
  const earlier: Readonly<Record<never, Contestant>> = before
    ? {
        'before, with one each': {
          server: { ...before.gateway, load: delivered(before.gateway, before.receiver) },
          next: before.next,
        },
      }
    : {}
  const answeredPerSecond: number[] = []
  const scores = await takeTurns(
    {
      'without webhooks': { server: without, next: () => plainCreate() },
      'with one each': {
        server: {
          ...gateway,
          load: delivered(gateway, receiver, (rate) => answeredPerSecond.push(rate)),
        },
        next,
      },
      ...earlier,
    },
    plan,
  )
  const rate = median(scores['with one each'].map(({ perSecond }) => perSecond))
  const halfLoad = await latencies(plan, gateway, receiver, rate / 2, next)
  await Promise.all([without.stop(), gateway.stop(), before?.gateway.stop()])

  print('\nPayments with one webhook each, until the last webhook has come')
  for (const [name, score] of Object.entries(scores)) {
    printFigure(`${name}, payments`, median(score.map(({ perSecond }) => perSecond)), '/s')
    printFigure(`${name}, CPU`, median(score.map(({ cpu }) => cpu)), 'us')
  }
  printFigure('payments answered while webhooks wait', median(answeredPerSecond.slice(1)), '/s')
  const share = ratio(scores['with one each'], scores['without webhooks'])
  printFigure('payments/s, as a share of those without', share, '', { atLeast: 0.6 })
  printFigure('from payment to webhook at half load, p50', quantile(halfLoad, 0.5), 'ms')
  printFigure('from payment to webhook at half load, p99', quantile(halfLoad, 0.99), 'ms', {
    atMost: 250,
  })
  await reconcile(join(folder, 'gateway.db'), receiver)
  await Promise.all([receiver.close(), before?.receiver.close()])
  return scores
}

/**
 * Starts a warm gateway, and a shop that receives its webhooks.
 * @param build another build
 */
async function openShop({ connections }: Plan, folder: string, build?: string) {
  const receiver = await openReceiver()
  const gateway = await startGateway(connections, folder, build)
  const next = createWithWebhook(receiver.url, receiver.asked)
  await delivered(gateway, receiver).run({ requests: WARM_UP }, next)
  return { gateway, receiver, next }
}

/** Extends a window until all its webhooks have arrived, so that postponed work counts, too. */
function delivered(
  { load }: Server,
  receiver: Receiver,
  answered: (perSecond: number) => void = () => {},
): Load {
  return {
    async run(span, next) {
      const start = performance.now()
      const sample = await load.run(span, next)
      answered(sample.perSecond)
      await receiver.drained()
      return { ...sample, perSecond: (sample.answers * 1000) / (performance.now() - start) }
    },
  }
}

/** Returns the milliseconds from each payment to its webhook, sorted. */
async function latencies(
  plan: Plan,
  gateway: Server,
  receiver: Receiver,
  perSecond: number,
  next: () => string,
) {
  const before = receiver.askedAt.size
  await delivered(gateway, receiver).run(
    { milliseconds: plan.milliseconds * plan.rounds, perSecond },
    next,
  )
  const asked = [...receiver.askedAt].slice(before)
  return Float64Array.from(asked, ([ref, at]) => (receiver.cameAt.get(ref) as number) - at).sort()
}

const quantile = (sorted: Float64Array, q: number) =>
  sorted[Math.floor(sorted.length * q)] ?? Number.NaN

/**
 * Checks that answers, database and receiver have the same payments. Every sent payment was
 * answered with status 200, because otherwise the load would have failed.
 */
async function reconcile(file: string, receiver: Receiver): Promise<void> {
  const { db, close } = await openDatabase(file)
  const kept = await db.selectFrom('transactions').select('payment_ref').execute()
  const sent = await db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('transactions as t', 't.id', 'd.transaction_id')
    .select('t.payment_ref')
    .where('d.status', '=', 'delivered')
    .execute()
  await close()
  const answered = new Set(receiver.askedAt.keys())
  printFigure('payments answered', answered.size, '')
  for (const [name, told] of [
    ['kept in the database', kept.map(({ payment_ref }) => payment_ref)],
    ['delivered by what the database says', sent.map(({ payment_ref }) => payment_ref)],
    ['received', [...receiver.cameAt.keys()]],
  ] as const) {
    printFigure(`answered and not ${name}`, missing(answered, new Set(told)), '', { atMost: 0 })
    printFigure(`${name} and not answered`, missing(new Set(told), answered), '', { atMost: 0 })
  }
  printFigure('received more than once', receiver.calls() - receiver.cameAt.size, '', { atMost: 0 })
}

/** Counts the members of one set that are missing in the other. */
const missing = (all: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...all].filter((ref) => !others.has(ref)).length
