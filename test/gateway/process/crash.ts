import { Ledger } from './ledger.ts'
import { payUntilGone, startGatewayProcess } from './load.ts'
import { readKept, reconcile } from './reconcile.ts'

/** Starts a gateway, pays until it is ended by `signal` at a random moment, and waits for its end. */
export async function runUntil(signal: 'SIGKILL' | 'SIGTERM', place: readonly string[], ledger: Ledger, answers = 120) {
  const { url, program } = await startGatewayProcess(place)
  let askedAt = 0
  await payUntilGone(url, ledger, answers, () => {
    askedAt = performance.now()
    void program.stop(signal)
  })
  const exitCode = await program.ended
  return { exitCode, stoppedAfter: performance.now() - askedAt }
}

/** Starts a gateway once more and holds what it has against the ledger. @returns what does not fit */
export async function reconcileAfter(place: readonly string[], ledger: Ledger): Promise<string[]> {
  const { url, program } = await startGatewayProcess(place)
  try {
    return reconcile(ledger, await readKept(url))
  } finally {
    await program.stop()
  }
}

/** What became of a gateway that was killed again and again. */
export interface CrashReport {
  readonly rounds: number
  readonly acknowledged: ReturnType<Ledger['acknowledged']>
  /** What does not fit after a round; nothing after it is tried. */
  readonly problems: readonly string[]
}

/**
 * Kills a gateway under load, again and again, and reconciles after each time.
 * @param answers of each round, at most
 */
export async function crash(
  place: readonly string[],
  rounds: number,
  answers: number,
  told: (round: number, acknowledged: CrashReport['acknowledged']) => void = () => {},
): Promise<CrashReport> {
  const ledger = new Ledger()
  for (let round = 1; round <= rounds; round++) {
    const { exitCode } = await runUntil('SIGKILL', place, ledger, answers)
    const problems = await reconcileAfter(place, ledger)
    if (exitCode !== null) problems.push(`it ended by itself, with code ${exitCode}`)
    told(round, ledger.acknowledged())
    if (problems.length > 0) return { rounds: round, acknowledged: ledger.acknowledged(), problems }
  }
  return { rounds, acknowledged: ledger.acknowledged(), problems: [] }
}
