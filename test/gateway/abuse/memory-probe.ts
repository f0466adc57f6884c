/**
 * Loaded into a gateway's process before it starts (`--import`): tells who forked it, each time it is asked, what the
 * process holds and what nobody caught in it.
 */

/** What the probe tells. Bytes, after the garbage was collected. */
export interface Measured {
  readonly heapUsed: number
  readonly rss: number
  /** Promises that were rejected and that nobody waited for, so far. */
  readonly rejections: readonly string[]
  /** Something wrote to the prototype of all objects. */
  readonly polluted: boolean
}

const rejections: string[] = []
process.on('unhandledRejection', (reason) => void rejections.push(String(reason)))

process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const polluted = Object.keys(Object.prototype).length > 0 || 'x' in {}
  process.send?.({ heapUsed, rss, rejections, polluted } satisfies Measured)
})
process.channel?.unref()
