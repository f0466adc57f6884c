/** Writes to the integrator's console, never with card data. No other file writes to it. */
export function log(level: 'debug' | 'warn' | 'error', text: string, cause?: unknown): void {
  try {
    // biome-ignore lint/suspicious/noConsole: the integrator's place to look
    console[level](`mondido.js: ${text}`, ...(cause === undefined ? [] : [cause]))
  } catch {
    // There is no other place to report it.
  }
}

/**
 * Runs optional work of a payment; errors go to the console.
 * @returns the result; undefined after an error
 */
export function guard<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (thrown) {
    log('error', 'The payment continues without this.', thrown)
    return undefined
  }
}

/** Guards each of the functions. */
export function guarded<T extends object>(functions: T): T {
  const get =
    (target: object, name: PropertyKey) =>
    (...given: unknown[]) =>
      guard(() => Reflect.get(target, name)(...given))
  return new Proxy<T>(functions, { get })
}
