import { onTestFinished, vi } from 'vitest'
import { performance, timers } from '../../mock-gateway/domain/timers.ts'

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

/** Replaces the timers of the gateway by those of `vi`, until the end of the test. */
export function fakeTimers(options?: Parameters<typeof vi.useFakeTimers>[0]): void {
  vi.useFakeTimers(options)
  const real = { ...timers }
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis
  Object.assign(timers, { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate })
  const faked = globalThis.performance
  const spy = vi.spyOn(performance, 'now')
  if (faked !== performance) spy.mockImplementation(() => faked.now())
  onTestFinished(() => {
    Object.assign(timers, real)
    spy.mockRestore()
    vi.useRealTimers()
  })
}

/** Pauses of the gateway that only the test ends. */
export interface Pauses {
  /** Returns the durations of the pending pauses in milliseconds, in the order of their start. */
  readonly asked: () => readonly number[]
  /** Ends all pending pauses. */
  end(): void
}

/** Lets pauses of the gateway wait until the test ends them. */
export function pausesByHand(): Pauses {
  let waiting: { readonly milliseconds: number; readonly end: () => void }[] = []
  const pause = (milliseconds = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({ milliseconds, end: () => resolve(value) })
      const abort = () => reject(signal?.reason)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
  const spy = vi.spyOn(timers, 'pause').mockImplementation(pause as typeof timers.pause)
  onTestFinished(() => {
    spy.mockRestore()
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
