/**
 * Probe that Node loads into a gateway's process before it starts (`--import`). At each request of
 * the parent process, it reports memory, uncaught errors, and the blocks of `WATCHED` sources that
 * were reached since the last report.
 */
import { readFileSync } from 'node:fs'
import { load, watchThreads } from './watched-modules.ts'

/** Report of the probe, with bytes of memory after a garbage collection. */
export interface Measured {
  readonly heapUsed: number
  readonly rss: number
  /** Unhandled promise rejections so far. */
  readonly rejections: readonly string[]
  /** True if the prototype of all objects was changed. */
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
