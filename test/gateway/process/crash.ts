import { join } from 'node:path'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { until } from '../../helpers/sink.ts'
import { Ledger } from './ledger.ts'
import { payUntilGone, startGatewayProcess } from './load.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { readKept, reconcile } from './reconcile.ts'

/** Starts a gateway, pays until it is ended by `signal` at a random moment, and waits for its end. */
export async function runUntil(
  signal: 'SIGKILL' | 'SIGTERM',
  place: readonly string[],
  ledger: Ledger,
  receiver: Receiver,
  answers = 120,
) {
  const { url, program } = await startGatewayProcess(place)
  let askedAt = 0
  await payUntilGone(url, ledger, answers, receiver.url, () => {
    askedAt = performance.now()
    void program.stop(signal)
  })
  const exitCode = await program.ended
  return { exitCode, stoppedAfter: performance.now() - askedAt }
}

/**
 * Starts a gateway once more, waits until it has sent every webhook, and holds what it has against the ledger.
 * @param waits for the leases of webhooks that were being sent; otherwise they are over at once
 * @returns what does not fit
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
 * Waits until the gateway that runs on these data has sent every webhook.
 * @param waits for the leases of webhooks that were being sent; otherwise they are over at once
 */
export async function everythingSent([flag, target = '']: readonly string[], waits = false): Promise<void> {
  const { db, write, close } = await openDatabase(flag === '--data' ? join(target, 'gateway.db') : target)
  try {
    const pending = db.selectFrom('webhook_deliveries').select('id').where('status', '=', 'pending').limit(1)
    if (!waits)
      await write((queries) =>
        queries.updateTable('webhook_deliveries').set({ lease_until: 0 }).where('status', '=', 'pending').execute(),
      )
    await until(async () => (await pending.execute()).length === 0)
  } finally {
    await close()
  }
}

/** What became of a gateway that was killed again and again. */
export interface CrashReport {
  readonly rounds: number
  readonly acknowledged: ReturnType<Ledger['acknowledged']>
  /** Webhooks that came, and those of them that had come before. */
  readonly webhooks: { readonly came: number; readonly again: number }
  /** What does not fit after a round; nothing after it is tried. */
  readonly problems: string[]
}

/**
 * Kills a gateway under load, again and again, and reconciles after each time.
 * @param answers of each round, at most
 * @param patient waits at the end as long as a lease of a webhook lasts
 */
export async function crash(
  place: readonly string[],
  rounds: number,
  answers: number,
  patient = false,
  told: (report: CrashReport) => void = () => {},
): Promise<CrashReport> {
  const ledger = new Ledger()
  const receiver = await openReceiver()
  let report: CrashReport
  let round = 0
  do {
    round += 1
    const { exitCode } = await runUntil('SIGKILL', place, ledger, receiver, answers)
    const problems = await reconcileAfter(place, ledger, receiver, patient && round === rounds)
    if (exitCode !== null) problems.push(`it ended by itself, with code ${exitCode}`)
    const webhooks = { came: receiver.calls(), again: receiver.calls() - receiver.told.size }
    report = { rounds: round, acknowledged: ledger.acknowledged(), webhooks, problems }
    told(report)
  } while (round < rounds && report.problems.length === 0)
  await receiver.close()
  return report
}
