import { luhn } from '../../contract/typed-card.ts'
import { brandOf, maskNumber } from './card-types.ts'

/** Digits with at most one sign between two, long enough to hold a card number. */
const RUN = /\d(?:[\s.-]?\d){13,}/g

/** Shorter numbers are phone numbers and bar codes more often than cards (our decision). */
const SHORTEST = 14
const LONGEST = 19

/**
 * Masks the card numbers in a text: 14 to 19 digits of a brand that pass the Luhn check and begin and end where other
 * digits do not go on. What shops count their orders with passes all that hardly ever.
 */
export const maskCardNumbers = (text: string): string => (text.length < SHORTEST ? text : text.replace(RUN, maskRun))

function maskRun(run: string): string {
  const digits = [...run.matchAll(/\d/g)].map(({ index }) => index)
  const isStart = (at: number) => at === 0 || digits[at - 1] !== (digits[at] ?? 0) - 1
  const isEnd = (at: number) => at === digits.length - 1 || digits[at + 1] !== (digits[at] ?? 0) + 1
  for (let from = 0; from + SHORTEST <= digits.length; from += 1) {
    if (!isStart(from)) continue
    for (let last = Math.min(from + LONGEST, digits.length) - 1; last >= from + SHORTEST - 1; last -= 1) {
      if (!isEnd(last)) continue
      const [start = 0, end = 0] = [digits[from], digits[last]]
      const number = run.slice(start, end + 1).replace(/\D/g, '')
      if (luhn(number) && brandOf(number))
        return (
          run.slice(0, start) + maskNumber(number.slice(0, 6), number.slice(-4)) + maskCardNumbers(run.slice(end + 1))
        )
    }
  }
  return run
}

/**
 * Masks card numbers wherever they stand in a value: in texts, in keys of objects, in numbers of metadata. Other numbers
 * are ids and amounts; what is no list or plain object stays as it is.
 * @returns the value itself when it holds none
 */
export const withoutCardNumbers = <T>(value: T, isMetadata = false): T => masked(value, isMetadata) as T

function masked(value: unknown, isMetadata: boolean): unknown {
  if (typeof value === 'string') return maskCardNumbers(value)
  if (typeof value === 'number' && isMetadata) {
    const text = maskCardNumbers(String(value))
    return text === String(value) ? value : text
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => masked(item, isMetadata))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  return isPlain(value) ? maskedObject(value, isMetadata) : value
}

function maskedObject(value: Readonly<Record<string, unknown>>, isMetadata: boolean): unknown {
  const keys = Object.keys(value)
  const members = keys.map((key) => masked(value[key], isMetadata || key === 'metadata'))
  if (keys.every((key, index) => maskCardNumbers(key) === key && members[index] === value[key])) return value
  const entries = keys.map((key, index) => [maskCardNumbers(key), members[index]] as const)
  return Object.assign(Object.create(Object.getPrototypeOf(value)), Object.fromEntries(entries))
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && [null, Object.prototype].includes(Object.getPrototypeOf(value))
