import type { ClockMoved } from '../../testing/clock.ts'
import { paint } from '../paint.ts'
import { type RunVerb, UsageError } from './verb.ts'

interface Clock extends ClockMoved {
  readonly mode: string
  readonly next: readonly { readonly at: string; readonly kind: string; readonly what?: string }[]
}

/**
 * `mondido-gateway clock +1month`: moves the clock of all merchants, or of one with `--merchant`.
 */
export const run: RunVerb = async ({ words: [move], flags }, { connect, show }) => {
  const by = move === undefined ? undefined : readMove(move)
  const { control, merchant } = await connect()
  const owner = flags.merchant === undefined ? {} : { merchant_id: merchant.id }
  const clock = by
    ? await control<Clock>('POST', `/clock/${by.path}`, { ...owner, ...by.parameters })
    : await control<Clock>('GET', '/clock', owner)
  const events = (list: Clock['next'] = []) =>
    list.map(({ at, what, kind }) => `  ${at}  ${what ?? kind}`)
  const { happened, next } = clock
  show(clock, [
    `${paint('bold', clock.now)} (${clock.mode})`,
    ...(happened ? events(happened) : [...(next.length > 0 ? ['Due next:'] : []), ...events(next)]),
  ])
  return 0
}

/** Parameters of the control API for one of each unit. */
const UNITS: readonly (readonly [RegExp, 'seconds' | 'days' | 'months', number])[] = [
  [/^(s|secs?|seconds?)$/, 'seconds', 1],
  [/^(mins?|minutes?)$/, 'seconds', 60],
  [/^(h|hours?)$/, 'seconds', 3_600],
  [/^(d|days?)$/, 'days', 1],
  [/^(w|weeks?)$/, 'days', 7],
  [/^months?$/, 'months', 1],
  [/^(y|years?)$/, 'months', 12],
]

/**
 * Returns the call for an argument such as `+1month`.
 * @throws UsageError
 */
export function readMove(word: string) {
  const [, count, unit = ''] = /^\+(\d{1,9})([a-z]+)$/.exec(word) ?? []
  const [, name, size] = UNITS.find(([pattern]) => pattern.test(unit)) ?? []
  if (count !== undefined && name && size)
    return { path: 'advance', parameters: { [name]: Number(count) * size } }
  if (word === 'next') return { path: 'advance', parameters: { until: 'next_event' } }
  if (word === 'freeze' || word === 'resume') return { path: word, parameters: {} }
  if (/^\d{4}-\d\d-\d\d/.test(word)) return { path: 'set', parameters: { at: word } }
  throw new UsageError(
    `The move must be +1month, +3days, +12h, +5min, 2026-04-01, next, freeze or resume, not "${word}".`,
  )
}
