/** Console of the integrator. The only file that writes there; never card data. */
export const log = {
  warn(text: string): void {
    // biome-ignore lint/suspicious/noConsole: the integrator's place to look
    console.warn(`mondido.js: ${text}`)
  },
  error(text: string, cause?: unknown): void {
    // biome-ignore lint/suspicious/noConsole: the integrator's place to look
    console.error(`mondido.js: ${text}`, ...(cause === undefined ? [] : [cause]))
  },
}
