import { performance, timers } from '../domain/timers.ts'

/** The time in which a check waits. Tests pass their own, and move it by hand. */
export interface CheckTime {
  /** Milliseconds since any moment. */
  elapsed(): number
  wait(milliseconds: number): Promise<unknown>
}

export const MACHINE_TIME: CheckTime = { elapsed: () => performance.now(), wait: timers.pause }

/** Lets one case act at a time, first come, first served. While a case waits, the next one begins. */
export function createCaseQueue(time: CheckTime) {
  const waiting: (() => void)[] = []
  let isTaken = false
  async function take() {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
    isTaken = true
  }
  function pass() {
    const next = waiting.shift()
    if (next) next()
    else isTaken = false
  }
  return {
    /** Waits, and lets other cases act meanwhile. */
    async rest(milliseconds: number): Promise<void> {
      pass()
      try {
        await time.wait(milliseconds)
      } finally {
        await take()
      }
    },
    /**
     * Runs cases in their order. After a failure, no further case begins.
     * @param most number of cases that may wait at the same time
     */
    async runAll<Case>(
      cases: readonly Case[],
      most: number,
      run: (each: Case) => Promise<void>,
      isEnded: () => boolean,
    ): Promise<void> {
      const running = new Set<Promise<void>>()
      const failures: unknown[] = []
      for (const each of cases) {
        if (running.size >= most) await Promise.race(running)
        await take()
        if (isEnded() || failures.length > 0) {
          pass()
          break
        }
        const ending = run(each)
          .catch((error) => void failures.push(error))
          .finally(() => {
            pass()
            running.delete(ending)
          })
        running.add(ending)
      }
      await Promise.all(running)
      if (failures.length > 0) throw failures[0]
    },
  }
}
