import { createPrivateKey } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { decryptValue } from '../../../mock-gateway/parsing/parameters/decrypt-value.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'
import { type Contestant, median, type Plan, ratio, type Score, takeTurns } from './compare.ts'
import { type Load, loadOn, type Span } from './load.ts'
import { startReferences } from './references.ts'
import { print, printFigure, printScores, type Scores } from './report.ts'
import {
  ENCRYPTED_FIELDS,
  encryptedCreate,
  encryptedValue,
  listTen,
  plainCreate,
  type RequestMaker,
  readOne,
} from './requests.ts'
import { type Keeping, type Server, startGatewayWithKey } from './servers.ts'

/** Measures creating a payment with unencrypted card data. Only this figure has a target. */
export async function measureCreate(plan: Plan) {
  const scores = await besideReferences('Create a payment', plan, plainCreate)
  const share = ratio(scores.gateway, scores['echo + one committed row'])
  printFigure('create, as a share of echo + row', share, '', { atLeast: 0.7 })
  return scores
}

/** Measures creating a payment with rows in memory, which leaves only the gateway's own work. */
export async function measureMemory(plan: Plan): Promise<void> {
  const scores = await besideReferences('Create a payment in memory', plan, plainCreate, {
    keeping: 'in memory',
  })
  const share = ratio(scores['bare Express echo'], scores.gateway, 'cpu')
  printFigure('CPU of a bare echo, as a share of a create', share, '', { atLeast: 0.35 })
}

/**
 * Measures payments with five encrypted card fields, on other cores than the load, and on all
 * cores.
 */
export async function measureEncrypted(plan: Plan): Promise<void> {
  await besideReferences('Create a payment with five encrypted fields', plan, encryptedCreate)
  const oneThread = decryptedPerSecond(plan.milliseconds) / ENCRYPTED_FIELDS
  const gateway = await startGatewayWithKey(plan.connections, undefined, 'on disk', 'all')
  const { everywhere } = await takeTurns(
    { everywhere: { server: gateway, next: () => encryptedCreate() } },
    plan,
  )
  await gateway.stop()
  const share = median(everywhere.map(({ perSecond }) => perSecond)) / oneThread
  const limit = availableParallelism() >= ENOUGH_CORES ? { atLeast: 1.6 } : undefined
  printFigure('on all cores, as a share of what one thread can decrypt', share, '', limit)
  if (!limit)
    print(
      `  (the limit of 1.6 applies to ${ENOUGH_CORES} cores or more: with two, other work needs half a core)`,
    )
}

/** Number of cores for two decrypting threads, the main thread, and the load. */
const ENOUGH_CORES = 4

/**
 * Measures how many values one idle core decrypts per second.
 * @param milliseconds duration of the measurement
 */
function decryptedPerSecond(milliseconds: number): number {
  const key = createPrivateKey(TEST_PRIVATE_KEY)
  const value = encryptedValue('4111111111111111')
  const start = performance.now()
  let count = 0
  for (; performance.now() - start < milliseconds; count += 1) decryptValue(value, key)
  return (count * 1_000) / milliseconds
}

const READ = 1_000

const fill = ({ load }: Server) => load.run({ requests: READ }, () => plainCreate())

/** Measures reading one of a thousand transactions. */
export async function measureGet(plan: Plan): Promise<void> {
  await besideReferences('Get one transaction', plan, readOne(READ), { prepare: fill })
}

/** Measures listing the first ten of a thousand transactions. */
export async function measureList(plan: Plan) {
  return besideReferences('List ten transactions', plan, listTen, { prepare: fill })
}

/** Number of clients that read while others create. */
const READERS = 4

/** Measures reads while other clients create payments at full speed, on all cores. */
export async function measureBusy(plan: Plan): Promise<void> {
  const before =
    plan.against === undefined ? {} : await busyContestants(plan, 'before', plan.against)
  const contestants = { ...(await busyContestants(plan, 'now')), ...before }
  const scores = await takeTurns(contestants, plan)
  await Promise.all(Object.values(contestants).map(({ server }) => server.stop()))
  print('\nGet one transaction beside others, milliseconds')
  for (const [name, score] of Object.entries(scores))
    for (const figure of ['p50', 'p99'] as const)
      printFigure(`${name}, ${figure}`, median(score.map((sample) => sample[figure])), '')
  const { [QUIET]: quiet = [], [ENCRYPTED]: beside = [] } = scores
  printFigure(
    'p99 beside encrypted ones, in times of the quiet one',
    ratio(beside, quiet, 'p99'),
    '',
    { atMost: 3 },
  )
}

const QUIET = 'now, nothing else'
const ENCRYPTED = 'now, encrypted creates'

async function busyContestants({ connections }: Plan, when: string, build?: string) {
  const gateway = await startGatewayWithKey(connections, build, 'on disk', 'all')
  await gateway.load.run({ requests: READ }, () => plainCreate())
  const readers = loadOn(gateway.port, READERS)
  const get = readOne(READ)
  const beside = (create: RequestMaker) => {
    const others = (span: Span) => gateway.load.run(span, () => create())
    const load: Load = {
      run: async (span, next) => (await Promise.all([readers.run(span, next), others(span)]))[0],
    }
    return { server: { ...gateway, load }, next: () => get() }
  }
  return {
    [`${when}, nothing else`]: { server: { ...gateway, load: readers }, next: () => get() },
    [`${when}, creates in clear`]: beside(plainCreate),
    [`${when}, encrypted creates`]: beside(encryptedCreate),
  }
}

/** Measures a new gateway and both baselines, and prints the results. */
async function besideReferences(
  title: string,
  plan: Plan,
  make: RequestMaker,
  { prepare, keeping }: { prepare?: (gateway: Server) => Promise<unknown>; keeping?: Keeping } = {},
) {
  const { connections, against } = plan
  const next = () => make()
  const gateway = await startGatewayWithKey(connections, undefined, keeping)
  const other =
    against === undefined ? undefined : await startGatewayWithKey(connections, against, keeping)
  for (const each of [gateway, other]) if (each) await prepare?.(each)
  const references = await startReferences(plan, gateway, make)
  const contestants: Record<keyof typeof references.contestants | 'gateway', Contestant> = {
    ...references.contestants,
    gateway: { server: gateway, next },
    ...(other ? { 'gateway before': { server: other, next } } : {}),
  }
  const scores = (await takeTurns(contestants, plan)) satisfies Scores
  await Promise.all([gateway.stop(), other?.stop(), references.stop()])
  printScores(title, scores)
  const before = (scores as Readonly<Record<string, Score>>)['gateway before']
  if (before) {
    printFigure('requests/s, as a share of the build before', ratio(scores.gateway, before), '')
    printFigure(
      'CPU per request, as a share of the build before',
      ratio(scores.gateway, before, 'cpu'),
      '',
    )
  }
  return scores
}
