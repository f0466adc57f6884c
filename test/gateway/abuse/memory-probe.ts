/**
 * Loaded into a gateway's process before it starts (`--import`): tells who forked it, each time it
 * is asked, what the process holds and what nobody caught in it, and which blocks of `WATCHED`
 * sources were run since it was last asked.
 */
import { readFileSync } from 'node:fs'
import { load, watchThreads } from './watched-modules.ts'

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

const { WATCHED } = process.env
const reached = WATCHED === undefined ? () => [] : load(JSON.parse(readFileSync(WATCHED, 'utf8')))
if (WATCHED !== undefined) watchThreads(import.meta.url, { WATCHED })

function measured(): Measured {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const polluted = Object.keys(Object.prototype).length > 0 || 'x' in {}
  return { heapUsed, rss, rejections, polluted }
}

process.on(
  'message',
  (asked: 'measured' | 'reached') =>
    void process.send?.(asked === 'reached' ? reached() : measured()),
)
process.channel?.unref()
