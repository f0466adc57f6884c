import { performance, timers } from '../domain/timers.ts'

/** The time in which a check waits. Tests pass their own, and move it by hand. */
export interface CheckTime {
  /** Milliseconds since any moment. */
  elapsed(): number
  wait(milliseconds: number): Promise<unknown>
}

export const MACHINE_TIME: CheckTime = { elapsed: () => performance.now(), wait: timers.pause }

/** Milliseconds between two reads of a page. */
const POLL_MS = 25

/** Reads something until it is there. @returns undefined after so many milliseconds */
export async function poll<Found>(
  find: () => Promise<Found | undefined>,
  timeout: number,
): Promise<Found | undefined> {
  for (const until = performance.now() + timeout; ; await timers.pause(POLL_MS)) {
    const found = await find()
    if (found !== undefined || performance.now() > until) return found
  }
}

/** Number of cases that wait at the same time. */
const MOST_WAITING = 8

/** Lets one case act at a time, first come, first served. While a case waits, the next one begins. */
export function createCaseQueue(time: CheckTime) {
  const waiting: (() => void)[] = []
  let isTaken = false
  async function takeTurn() {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
    isTaken = true
  }
  function passTurn() {
    const next = waiting.shift()
    if (next) next()
    else isTaken = false
  }
  return {
    /** Waits, and lets other cases act meanwhile. */
    async rest(milliseconds: number): Promise<void> {
      passTurn()
      try {
        await time.wait(milliseconds)
      } finally {
        await takeTurn()
      }
    },
    /** Runs cases in their order, those that need to be alone last. A failure ends the run. */
    async runAll<Case extends { readonly isAlone?: true }>(
      cases: readonly Case[],
      run: (each: Case) => Promise<void>,
    ): Promise<void> {
      const running = new Set<Promise<void>>()
      const failures: unknown[] = []
      const isAlone = (each: Case) => Number(each.isAlone ?? false)
      for (const each of cases.toSorted((one, other) => isAlone(one) - isAlone(other))) {
        while (running.size >= (each.isAlone ? 1 : MOST_WAITING)) await Promise.race(running)
        await takeTurn()
        if (failures.length > 0) {
          passTurn()
          break
        }
        const ending = run(each)
          .catch((error) => void failures.push(error))
          .finally(() => {
            passTurn()
            running.delete(ending)
          })
        running.add(ending)
      }
      await Promise.all(running)
      if (failures.length > 0) throw failures[0]
    },
  }
}
