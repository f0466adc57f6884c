import { GatewayError } from '../domain/errors/errors.ts'
import type { Database } from '../storage/database.ts'
import { countLoginFailure, forgetLoginFailures } from '../storage/login-failures.ts'
import { deleteRows, findOne, updateRows } from '../storage/rows.ts'
import type { Queries } from '../storage/tables/schema.ts'

/** Wrong guesses in a row that lock a login (our decision; PCI DSS 8.3.4 allows at most ten). */
export const LOCK_AFTER = 10
/** Milliseconds a login stays locked (specification: Authentication, 4). */
export const LOCK_MS = 30 * 60_000
/** Milliseconds by which the clocks of gateways and of parallel requests can differ. */
const SKEW_MS = 60_000

/** Client that sends a secret. */
interface SecretAttempt {
  /** See `describeLogin`. */
  readonly who: string
  /**
   * Pattern of LIKE for the names whose failures follow the same clock. Other clocks must not
   * delete them.
   */
  readonly clock: string
  /** Epoch milliseconds. */
  readonly now: number
  /** How to end a lock early, for the explanation. */
  readonly unlocks: string
}

/**
 * Allows ten wrong guesses in a row for each name and address, then none for half an hour. A guess
 * counts as wrong in the database before it is checked, so neither parallel guesses nor several
 * gateways can exceed the limit.
 */
export function createGuesses(database: Database) {
  const queues = createQueues()

  const count = ({ who, clock, now, unlocks }: SecretAttempt) =>
    database.write(async (queries: Queries) => {
      await forgetLoginFailures(queries, clock, now - LOCK_MS)
      const { failures, locked_until } = await countLoginFailure(queries, who, now)
      refuseLocked(locked_until, now, unlocks)
      if (failures % LOCK_AFTER === 0)
        await updateRows(
          queries,
          'login_failures',
          { username: who },
          { locked_until: now + LOCK_MS },
        )
    })

  /**
   * @param isKnown true if the secret was verified before, which costs nothing
   * @returns whether it is correct
   * @throws errors.account.locked (207)
   */
  return (
    guess: SecretAttempt,
    isKnown: () => boolean | Promise<boolean>,
    isRight: () => Promise<boolean>,
  ): Promise<boolean> =>
    queues.add(guess.who, async () => {
      const before = await findOne(database.db, 'login_failures', { username: guess.who })
      refuseLocked(before?.locked_until, guess.now, guess.unlocks)
      const known = await isKnown()
      if (!known) {
        await count(guess)
        if (!(await isRight())) return false
      }
      if (before || !known)
        await database.write((queries) =>
          deleteRows(queries, 'login_failures', { username: guess.who }),
        )
      return true
    })
}

/**
 * A lock that starts more than a minute in the future was made before the clock was set back, and
 * does not count: it would last longer.
 * @throws errors.account.locked (207)
 */
export function refuseLocked(until: number | null | undefined, now: number, unlocks: string): void {
  if (!until || until <= now || until - LOCK_MS > now + SKEW_MS) return
  throw new GatewayError('errors.account.locked', {
    explain: `This login is locked until ${new Date(until).toISOString()}, after ${LOCK_AFTER} failed logins in a row from this address. To unlock it earlier, ${unlocks}.`,
  })
}

/**
 * Handles one guess at a time for each name and address: after the first correct guess, the others
 * are not checked again.
 */
function createQueues() {
  const last = new Map<string, Promise<unknown>>()
  return {
    add<T>(name: string, work: () => Promise<T>): Promise<T> {
      const added = (last.get(name) ?? Promise.resolve()).then(work, work)
      last.set(name, added)
      const leave = () => {
        if (last.get(name) === added) last.delete(name)
      }
      added.then(leave, leave)
      return added
    },
  }
}
