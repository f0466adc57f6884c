import nodeTimers from 'node:timers'
import promises from 'node:timers/promises'

/**
 * Node's timers as they were when the gateway was loaded. Test suites replace the global ones, and a
 * gateway in the same process would wait forever.
 */
export const timers = {
  setTimeout: nodeTimers.setTimeout,
  clearTimeout: nodeTimers.clearTimeout,
  setInterval: nodeTimers.setInterval,
  clearInterval: nodeTimers.clearInterval,
  setImmediate: nodeTimers.setImmediate,
  queueMicrotask: globalThis.queueMicrotask,
  /** Resolves after some milliseconds. */
  pause: promises.setTimeout,
  /** Resolves in the next turn of the event loop. */
  nextTurn: promises.setImmediate,
}

/** Measures durations, like the global object of this name. */
export const { performance } = globalThis
