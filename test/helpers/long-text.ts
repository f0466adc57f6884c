import { isLong } from './some.ts'

/** Length of the longest text: the maximum number of bytes of a request. */
const LONGEST = 256 * 1024

const LENGTHS = [16, 8, 4, 2, 1].map((part) => LONGEST / part)

/** Processor milliseconds that the longest text may take. */
const MOST = 50

/** As many times as much a text of twice the length may take: 2 is linear, 4 quadratic. */
const RATIO = 2.5

/** Processor milliseconds below which nothing hurts, and a ratio says nothing. */
const LEAST = 16

/**
 * Processor milliseconds of the shortest text, a sixteenth, after which no length between it and
 * the longest says more: what grows faster than quadratically takes too long for the longest.
 */
const QUICK = 1

/** Number of tries for a length that seems too slow: on a busy machine, one try can be slow. */
const TRIES = 8

/**
 * Lets a reader read 256 KB of a repeated text. `npm test` asserts only that the reader ends; time
 * depends on the machine. The long form, for a quiet machine, measures it: at most 50 ms of
 * processor time, and at most 2.5 times as long for each doubling of the length.
 * @param unit is repeated
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
  let before = MOST
  for (const length of LENGTHS) {
    const most = Math.min(MOST, RATIO * Math.max(before, LEAST))
    const taken = timeOf(length, most)
    if (taken > most)
      return `${length} characters take ${taken.toFixed(1)} ms, half of them ${Math.min(before, taken).toFixed(1)} ms`
    before = taken
  }
  return undefined
}

const texts = new Map<string, string>()

/** Texts for every reader. */
function textOf(unit: string, length: number): string {
  const key = `${length} ${unit}`
  const text = texts.get(key) ?? unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  texts.set(key, text)
  return text
}

/** Processor milliseconds of the first try that takes at most `enough`, or of the quickest. */
function leastOf(work: () => unknown, enough: number, most: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < most && least > enough; tries += 1)
    least = Math.min(least, cpuOf(work))
  return least
}

/**
 * The clock also counts while others have the processor, and the processor's time also what other
 * threads do.
 */
function cpuOf(work: () => unknown): number {
  const [start, before] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(before)
  return Math.min(performance.now() - start, (user + system) / 1000)
}
