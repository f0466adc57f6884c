/** Console of the integrator. The only file that writes there; never card data. */
export const log = {
  warn(text: string, cause?: unknown): void {
    // biome-ignore lint/suspicious/noConsole: the integrator's place to look
    console.warn(...lineOf(text, cause))
  },
  error(text: string, cause?: unknown): void {
    // biome-ignore lint/suspicious/noConsole: the integrator's place to look
    console.error(...lineOf(text, cause))
  },
}

const lineOf = (text: string, cause: unknown): unknown[] => [
  `mondido.js: ${text}`,
  ...(cause === undefined ? [] : [cause]),
]
