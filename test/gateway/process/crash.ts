import { join } from 'node:path'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { until } from '../../helpers/sink.ts'
import { Ledger } from './ledger.ts'
import { payUntilGone, startGatewayProcess } from './load.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { readKept, reconcile } from './reconcile.ts'

/**
 * Starts a gateway, pays until `signal` ends the gateway at a random moment, and waits for its end.
 */
export async function runUntil(
  signal: 'SIGKILL' | 'SIGTERM',
  place: readonly string[],
  ledger: Ledger,
  receiver: Receiver,
  answers = 120,
) {
  const { url, program } = await startGatewayProcess(place)
  await payUntilGone(url, ledger, answers, receiver.url, () => void program.stop(signal))
  return { exitCode: await program.ended }
}

/**
 * Starts a gateway again, waits until it has sent every webhook, and compares its data with the
 * ledger.
 * @param waits true to wait for the leases of interrupted webhooks; otherwise they are ended
 *   immediately
 * @returns the differences
 */
export async function reconcileAfter(
  place: readonly string[],
  ledger: Ledger,
  receiver: Receiver,
  waits = false,
): Promise<string[]> {
  const { url, program } = await startGatewayProcess(place)
  try {
    await everythingSent(place, waits)
    return reconcile(ledger, await readKept(url, receiver))
  } finally {
    await program.stop()
  }
}

/**
 * Waits until the running gateway has sent every webhook.
 * @param waits true to wait for the leases of interrupted webhooks; otherwise they are ended
 *   immediately
 */
export async function everythingSent(place: readonly string[], waits = false): Promise<void> {
  const { db, write, close } = await openAt(place)
  try {
    const pending = db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('status', '=', 'pending')
      .limit(1)
    if (!waits)
      await write((queries) =>
        queries
          .updateTable('webhook_deliveries')
          .set({ lease_until: 0 })
          .where('status', '=', 'pending')
          .execute(),
      )
    await until(async () => (await pending.execute()).length === 0)
  } finally {
    await close()
  }
}

const openAt = ([flag, target = '']: readonly string[]) =>
  openDatabase(flag === '--data' ? join(target, 'gateway.db') : target)

/**
 * Returns the webhooks that a gateway was sending when it was killed: webhooks with a lease and
 * without a stored answer.
 */
async function sentMeanwhile(place: readonly string[]): Promise<readonly string[]> {
  const { db, close } = await openAt(place)
  try {
    const taken = db
      .selectFrom('webhook_deliveries')
      .select('message_id')
      .where('status', '=', 'pending')
    return (await taken.where('lease_owner', 'is not', null).execute()).map(
      ({ message_id }) => message_id,
    )
  } finally {
    await close()
  }
}

/**
 * Finds webhooks that arrived too often. The result of a webhook that a kill interrupted is
 * unknown, so it may arrive once more for each such kill.
 * @param underWay number of kills that interrupted each webhook
 * @returns one sentence for each webhook that arrived too often
 */
const tooOften = (
  again: ReadonlyMap<string, number>,
  underWay: ReadonlyMap<string, number>,
): string[] =>
  [...again]
    .filter(([event, times]) => times > (underWay.get(event) ?? 0))
    .map(
      ([event, times]) =>
        `again: ${event} came ${times} times again, and was under way at ${underWay.get(event) ?? 0} kills`,
    )

/** Result of a run in which a gateway is killed many times. */
export interface CrashReport {
  readonly rounds: number
  readonly acknowledged: ReturnType<Ledger['acknowledged']>
  /**
   * Numbers of received webhooks, of duplicates among them, and of webhooks that kills interrupted.
   */
  readonly webhooks: { readonly came: number; readonly again: number; readonly underWay: number }
  /** Differences after a round. The run stops after a round with differences. */
  readonly problems: string[]
}

/**
 * Kills a gateway under load repeatedly, and compares the data after each kill.
 * @param answers maximum number of answers in each round
 * @param patient true to wait at the end as long as a lease of a webhook lasts
 */
export async function crash(
  place: readonly string[],
  rounds: number,
  answers: number,
  patient = false,
): Promise<CrashReport> {
  const ledger = new Ledger()
  const receiver = await openReceiver()
  const underWay = new Map<string, number>()
  let report: CrashReport
  let round = 0
  do {
    round += 1
    const { exitCode } = await runUntil('SIGKILL', place, ledger, receiver, answers)
    for (const event of await sentMeanwhile(place))
      underWay.set(event, (underWay.get(event) ?? 0) + 1)
    const problems = await reconcileAfter(place, ledger, receiver, patient && round === rounds)
    problems.push(...tooOften(receiver.again, underWay))
    if (exitCode !== null) problems.push(`it ended by itself, with code ${exitCode}`)
    const webhooks = {
      came: receiver.calls(),
      again: receiver.calls() - receiver.told.size,
      underWay: [...underWay.values()].reduce((sum, times) => sum + times, 0),
    }
    report = { rounds: round, acknowledged: ledger.acknowledged(), webhooks, problems }
  } while (round < rounds && report.problems.length === 0)
  await receiver.close()
  return report
}

/** Number of answers after the database was killed that end a round. */
const GOES_ON = 20

/**
 * Kills the database of a gateway under load several times, and compares the data after each kill.
 * The gateway is not restarted: it must continue by itself.
 * @param kill kills all processes of the server, and starts it again
 * @param answers maximum number of answers before each kill
 */
export async function crashServer(
  place: readonly string[],
  kill: () => Promise<void>,
  rounds: number,
  answers: number,
  told: (report: Omit<CrashReport, 'webhooks'>) => void = () => {},
): Promise<string[]> {
  const ledger = new Ledger()
  const receiver = await openReceiver()
  const problems: string[] = []
  for (let round = 1; round <= rounds && problems.length === 0; round += 1) {
    const { url, program } = await startGatewayProcess(place)
    const over = Promise.withResolvers<void>()
    await payUntilGone(url, ledger, answers, receiver.url, () => {
      const goOn = async () => {
        await kill()
        const { creates } = ledger.acknowledged()
        await until(async () => ledger.acknowledged().creates >= creates + GOES_ON)
      }
      goOn()
        .then(over.resolve, over.reject)
        .finally(() => program.stop())
    })
    await over.promise
    const exitCode = await program.ended
    if (exitCode !== 0) problems.push(`the gateway ended with code ${exitCode}`)
    problems.push(...(await reconcileAfter(place, ledger, receiver)))
    told({ rounds: round, acknowledged: ledger.acknowledged(), problems })
  }
  await receiver.close()
  return problems
}
