import { availableParallelism } from 'node:os'
import { startPostgres } from '../../setup/postgres.ts'
import { scratchDatabaseOn } from '../../setup/scratch-database.ts'
import { type Contestant, median, type Plan, ratio, takeTurns } from './compare.ts'
import type { Load, Sample } from './load.ts'
import { print, printFigure } from './report.ts'
import { OTHER_MERCHANT, plainCreate, plainCreateOf, type RequestMaker } from './requests.ts'
import { type Server, startGatewayOn } from './servers.ts'

/**
 * Number of cores that two gateways, their database and the load need so that they do not compete.
 */
const ENOUGH_CORES = 4

/**
 * Share of the time in which servers run on a machine with fewer cores. So two gateways leave
 * enough time for their database and the load.
 */
const SHARE = 0.2

/**
 * Compares the payments per second of two gateways on one PostgreSQL with one gateway, for one
 * merchant and for two.
 */
export async function measureSeveral(plan: Plan): Promise<void> {
  const postgres = await startPostgres()
  const databases = [
    await scratchDatabaseOn(postgres.url),
    await scratchDatabaseOn(postgres.url),
  ] as const
  const start = ({ url }: { readonly url: string }) => startGatewayOn(plan.connections / 2, url)
  const alone = await start(databases[0])
  const [left, right] = [await start(databases[1]), await start(databases[1])]
  const isHeld = availableParallelism() < ENOUGH_CORES && process.platform !== 'win32'
  for (const server of isHeld ? [alone, left, right] : []) void server.hold(SHARE)
  const others = plainCreateOf(OTHER_MERCHANT)
  const scores = await takeTurns(
    {
      one: together([alone, plainCreate], [alone, plainCreate]),
      'two, one merchant': together([left, plainCreate], [right, plainCreate]),
      'two, a merchant each': together([left, plainCreate], [right, others]),
    },
    plan,
  )
  await Promise.all([alone, left, right].map((server) => server.stop()))
  await Promise.all(databases.map((database) => database.drop()))
  await postgres.stop()
  print('\nGateways on one PostgreSQL, payments a second, and as a share of one gateway')
  if (isHeld)
    print(`  (each runs for ${SHARE * 100} % of the time: there are not cores enough for all)`)
  for (const [name, score] of Object.entries(scores)) {
    const perSecond = median(score.map((turn) => turn.perSecond)).toFixed(0)
    printFigure(
      `${name}  ${perSecond}`,
      ratio(score, scores.one),
      '',
      name === 'one' ? undefined : { atLeast: 1.6 },
    )
  }
}

/** Measures several gateways at the same time, each with its own requests. */
function together(
  ...asked: readonly (readonly [server: Server, create: RequestMaker])[]
): Contestant {
  const servers = [...new Set(asked.map(([server]) => server))]
  const load: Load = {
    run: async (span) =>
      add(
        await Promise.all(asked.map(([server, create]) => server.load.run(span, () => create()))),
      ),
  }
  return {
    server: { load, cpu: () => servers.reduce((sum, server) => sum + server.cpu(), 0) },
    next: () => '',
  }
}

function add(samples: readonly Sample[]): Sample {
  const sum = (figure: 'answers' | 'perSecond') =>
    samples.reduce((so, sample) => so + sample[figure], 0)
  const most = (figure: 'p50' | 'p99' | 'answerBytes') =>
    Math.max(...samples.map((sample) => sample[figure]))
  return {
    answers: sum('answers'),
    perSecond: sum('perSecond'),
    p50: most('p50'),
    p99: most('p99'),
    answerBytes: most('answerBytes'),
  }
}
