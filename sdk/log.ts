/**
 * Writes to the integrator's console. The only file that does; never card data. A console that
 * fails fails alone.
 */
export function log(level: 'warn' | 'error', text: string, cause?: unknown): void {
  try {
    // biome-ignore lint/suspicious/noConsole: the integrator's place to look
    console[level](`mondido.js: ${text}`, ...(cause === undefined ? [] : [cause]))
  } catch {
    // There is nobody else to tell.
  }
}

/** Runs what a payment can do without; what is thrown goes to the console.
 * @returns what it gives; undefined when it failed */
export function guard<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (thrown) {
    log('error', 'The payment continues without this.', thrown)
    return undefined
  }
}

/** The same functions, each guarded. */
export function guarded<T extends object>(functions: T): T {
  const get =
    (target: object, name: PropertyKey) =>
    (...given: unknown[]) =>
      guard(() => Reflect.get(target, name)(...given))
  return new Proxy<T>(functions, { get })
}
