import { memoized } from '../memoized.ts'
import { detectBrand, maskNumber } from './card-types.ts'

/** Digits with at most one separator between two, long enough for a card number. */
const RUN = /\d(?:[\s.-]?\d){13,}/g

/** Shorter numbers are phone numbers and bar codes more often than cards (decision 34). */
const SHORTEST = 14
const LONGEST = 19

/**
 * Masks the card numbers in a text: 14 to 19 digits of a known brand that pass the Luhn check and
 * are not part of a longer number. Order numbers of shops hardly ever meet all these conditions.
 * The time is linear in the length of the text, because any client may send 256 KB.
 */
export const maskCardNumbers = (text: string): string =>
  text.length < SHORTEST ? text : text.replace(RUN, maskRun)

function maskRun(run: string): string {
  const { digits, places, passes } = prepareLuhn(run)
  const isStart = (from: number) => from === 0 || places[from - 1] !== (places[from] ?? 0) - 1
  const isEnd = (last: number) =>
    last === digits.length - 1 || places[last + 1] !== (places[last] ?? 0) + 1
  const isCard = (from: number, last: number) =>
    isEnd(last) &&
    passes(from, last) &&
    hasBrand(digits.slice(from, from + 6).padEnd(last + 1 - from, '0'))
  const lastOfCard = (from: number): number => {
    let last = Math.min(from + LONGEST, digits.length) - 1
    while (last >= from + SHORTEST - 1 && !isCard(from, last)) last -= 1
    return last
  }
  let masked = ''
  let copied = 0
  for (let from = 0; from + SHORTEST <= digits.length; from += 1) {
    if (NO_BRAND.has(digits.charAt(from)) || !isStart(from)) continue
    const last = lastOfCard(from)
    if (last < from + SHORTEST - 1) continue
    masked +=
      run.slice(copied, places[from]) +
      maskNumber(digits.slice(from, from + 6), digits.slice(last - 3, last + 1))
    copied = (places[last] ?? 0) + 1
    from = last
  }
  return masked + run.slice(copied)
}

/** First digits that no brand uses. */
const NO_BRAND: ReadonlySet<string> = new Set('01789')

/**
 * Looks up the brand by the first six digits and the length, so that no full number is kept in
 * memory.
 */
const hasBrand = memoized(1_000, (number) => detectBrand(number) !== undefined)

/**
 * Prepares a run of digits: the digits, their positions, and a Luhn check for any part of the run.
 */
function prepareLuhn(run: string) {
  const digits = run.replace(/\D/g, '')
  const places = new Uint32Array(digits.length)
  // Prefix sums modulo 10: with the digits at even positions doubled, and with those at odd
  // positions.
  const [even, odd] = [new Uint8Array(digits.length + 1), new Uint8Array(digits.length + 1)]
  let number = 0
  for (let place = 0; place < run.length; place += 1) {
    const digit = run.charCodeAt(place) - ZERO
    if (digit < 0 || digit > 9) continue
    const double = digit > 4 ? 2 * digit - 9 : 2 * digit
    const isEven = number % 2 === 0
    even[number + 1] = ((even[number] ?? 0) + (isEven ? double : digit)) % 10
    odd[number + 1] = ((odd[number] ?? 0) + (isEven ? digit : double)) % 10
    places[number] = place
    number += 1
  }
  const passes = (from: number, last: number): boolean => {
    const sums = last % 2 === 0 ? odd : even
    return sums[last + 1] === sums[from]
  }
  return { digits, places, passes }
}

const ZERO = '0'.charCodeAt(0)

/**
 * Masks card numbers everywhere in a value: in texts, keys of objects and numbers of metadata.
 * Other numbers are ids and amounts; values that are neither lists nor plain objects stay as they
 * are.
 * @returns the same value if it contains no card number
 */
export const removeCardNumbers = <T>(value: T, isMetadata = false): T =>
  maskValue(value, isMetadata) as T

function maskValue(value: unknown, isMetadata: boolean): unknown {
  if (typeof value === 'string') return maskCardNumbers(value)
  if (typeof value === 'number' && isMetadata) {
    const text = maskCardNumbers(String(value))
    return text === String(value) ? value : text
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => maskValue(item, isMetadata))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  return isPlain(value) ? maskObject(value, isMetadata) : value
}

function maskObject(value: Readonly<Record<string, unknown>>, isMetadata: boolean): unknown {
  const keys = Object.keys(value)
  const members = keys.map((key) => maskValue(value[key], isMetadata || key === 'metadata'))
  if (keys.every((key, index) => maskCardNumbers(key) === key && members[index] === value[key]))
    return value
  const entries = keys.map((key, index) => [maskCardNumbers(key), members[index]] as const)
  return Object.assign(Object.create(Object.getPrototypeOf(value)), Object.fromEntries(entries))
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  [null, Object.prototype].includes(Object.getPrototypeOf(value))
