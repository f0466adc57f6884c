const LOOK_MS = 500

/**
 * Calls `stop` once: when the process is asked to end, or when npm, which started it, is gone. A
 * second signal changes nothing: Ctrl-C comes from the terminal, and again from npm.
 */
export function whenToldToStop(stop: () => void): void {
  let told = false
  const tell = () => {
    if (!told) stop()
    told = true
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, tell)
  const parent = process.ppid
  const look = () => void (process.ppid === parent || tell())
  if (process.env.npm_lifecycle_event) setInterval(look, LOOK_MS).unref()
}
