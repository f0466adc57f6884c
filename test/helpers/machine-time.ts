import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'

const now = performance.now.bind(performance)
let later = 0

/**
 * Moves the machine's monotonic clock, with which the gateway measures durations, ahead until the
 * test ends. Timers do not run.
 */
export function machineTimePasses(milliseconds: number): void {
  later += milliseconds
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  onTestFinished(() => {
    spy.mockRestore()
    later = 0
  })
}

/**
 * Stops all `setTimeout` timers that are set from now on, until `vi.advanceTimersByTimeAsync` or
 * the end of the test.
 */
export function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Pauses of `node:timers/promises` that only the test ends. */
export interface Pauses {
  /** Returns the durations of the pending pauses in milliseconds, in the order of their start. */
  readonly asked: () => readonly number[]
  /** Ends all pending pauses. */
  end(): void
}

/** Lets pauses of `node:timers/promises` wait until the test ends them. */
export function pausesByHand(): Pauses {
  let waiting: { readonly milliseconds: number; readonly end: () => void }[] = []
  const pause = (milliseconds = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({ milliseconds, end: () => resolve(value) })
      const abort = () => reject(signal?.reason)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
  const spy = vi.spyOn(timers, 'setTimeout').mockImplementation(pause as typeof timers.setTimeout)
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
    for (const { end } of waiting) end()
  })
  return {
    asked: () => waiting.map(({ milliseconds }) => milliseconds),
    end() {
      const ended = waiting
      waiting = []
      for (const { end } of ended) end()
    },
  }
}
