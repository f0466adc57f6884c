import { isLong } from './some.ts'

/** Length of the longest text: the maximum number of bytes in a request. */
const LONGEST = 256 * 1024

const LENGTHS = [16, 8, 4, 2, 1].map((part) => LONGEST / part)

/** Maximum CPU time for the longest text, in milliseconds. */
const MAX_MS = 50

/**
 * Maximum ratio of the times for a text and for a text of half the length. Linear time has the
 * ratio 2, quadratic time 4.
 */
const RATIO = 2.5

/** CPU time in milliseconds below which a ratio is not significant, and the text causes no harm. */
const LEAST = 16

/**
 * CPU time in milliseconds. If a text of a sixteenth of the length needs at most this time, only
 * the longest text is measured after it: time that grows faster than quadratically would exceed the
 * maximum there.
 */
const QUICK = 1

/**
 * Maximum number of measurements for a length that seems too slow, because one measurement can be
 * slow on a busy machine.
 */
const TRIES = 8

/**
 * Lets a reader read 256 KB of a repeated text. `npm test` asserts only that the reader ends,
 * because time depends on the machine. The full run, on a quiet machine, measures it: at most 50 ms
 * of CPU time, and at most 2.5 times as long for each doubling of the length.
 * @param unit text that is repeated
 * @returns the problem, or undefined
 */
export function problemOfLongText(
  read: (text: string) => unknown,
  unit: string,
): string | undefined {
  if (isLong) return tooCostly(read, unit)
  read(textOf(unit, LONGEST))
  return undefined
}

function tooCostly(read: (text: string) => unknown, unit: string): string | undefined {
  const [shortest = LONGEST] = LENGTHS
  const least = RATIO * LEAST
  const timeOf = (length: number, enough: number, tries = TRIES) =>
    leastOf(() => read(textOf(unit, length)), enough, tries)
  if (timeOf(shortest, QUICK, 2) <= QUICK && timeOf(LONGEST, least) <= least) return undefined
  let before = MAX_MS
  for (const length of LENGTHS) {
    const most = Math.min(MAX_MS, RATIO * Math.max(before, LEAST))
    const taken = timeOf(length, most)
    if (taken > most)
      return `${length} characters take ${taken.toFixed(1)} ms, half of them ${Math.min(before, taken).toFixed(1)} ms`
    before = taken
  }
  return undefined
}

const texts = new Map<string, string>()

/** Returns a text of this length that repeats the unit. */
function textOf(unit: string, length: number): string {
  const key = `${length} ${unit}`
  const text = texts.get(key) ?? unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  texts.set(key, text)
  return text
}

/**
 * Measures the CPU time several times. Returns the first result of at most `enough` milliseconds,
 * or the smallest result.
 */
function leastOf(work: () => unknown, enough: number, most: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < most && least > enough; tries += 1)
    least = Math.min(least, cpuOf(work))
  return least
}

/**
 * Returns the smaller of elapsed time and CPU time. Elapsed time includes other processes, and CPU
 * time includes other threads.
 */
function cpuOf(work: () => unknown): number {
  const [start, before] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(before)
  return Math.min(performance.now() - start, (user + system) / 1000)
}
