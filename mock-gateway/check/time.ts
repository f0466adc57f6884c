import { performance, timers } from '../domain/timers.ts'

/** The time in which a check waits. Tests pass their own, and move it by hand. */
export interface CheckTime {
  /** Milliseconds since any moment. */
  elapsed(): number
  wait(milliseconds: number): Promise<unknown>
}

export const MACHINE_TIME: CheckTime = { elapsed: () => performance.now(), wait: timers.pause }

/** Lets one case act at a time. */
export interface Turns {
  take(): Promise<void>
  pass(): void
}

/** Creates the turns of a check: first come, first served. */
export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let isTaken = false
  return {
    async take() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
      isTaken = true
    },
    pass() {
      const next = waiting.shift()
      if (next) next()
      else isTaken = false
    },
  }
}
