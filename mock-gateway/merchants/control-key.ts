import { hash, timingSafeEqual } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { describeLogin } from '../storage/login-failures.ts'
import { createGuesses } from './guesses.ts'

/** The administrator's user name. */
export const ADMINISTRATOR = 'admin'

/** Access to the control API, and to the console as administrator. */
export type ControlKey = ReturnType<typeof createControlKey>

/** @param machine epoch milliseconds of the machine: a lock by a stopped clock would never end */
export function createControlKey(database: Database, key: string, machine: () => number) {
  const expected = digest(key)
  const takeGuess = createGuesses(database)
  return {
    /**
     * Returns true if a text is the control key. Wrong keys are counted and locked like passwords, by
     * address.
     * @throws errors.account.locked (207)
     */
    isKey(sent: string, address: string): Promise<boolean> {
      const guess = {
        who: describeLogin(ADMINISTRATOR, address),
        clock: ADMINISTRATOR,
        now: machine(),
        unlocks: 'restart the gateway',
      }
      const isRight = () => timingSafeEqual(digest(sent), expected)
      return takeGuess(guess, isRight, async () => false)
    },
  }
}

/** Hashes any text to a fixed length. */
const digest = (text: string) => hash('sha256', text, 'buffer')
