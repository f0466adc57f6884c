import { paint } from '../paint.ts'
import { type RunVerb, UsageError } from './verb.ts'

/**
 * `mondido-gateway clock +1month`: moves the clock of all merchants, or of one with `--merchant`.
 */
export const run: RunVerb = async ({ words: [word] }, { connect, show }) => {
  const move = word === undefined ? undefined : readMove(word)
  const { control, owner } = await connect()
  const moved = move && (await control.clock[move.name]({ ...owner, ...move.input }))
  const view = moved ?? (await control.clock.show(owner))
  const events = moved?.happened ?? view.next
  show(view, [
    `${paint('bold', view.now)} (${view.mode})`,
    ...(move === undefined && events.length > 0 ? ['Due next:'] : []),
    ...events.map(({ at, what, kind }) => `  ${at}  ${what ?? kind}`),
  ])
  return 0
}

const UNITS = [
  [/^(s|secs?|seconds?)$/, 'seconds', 1],
  [/^(mins?|minutes?)$/, 'minutes', 1],
  [/^(h|hours?)$/, 'hours', 1],
  [/^(d|days?)$/, 'days', 1],
  [/^(w|weeks?)$/, 'days', 7],
  [/^months?$/, 'months', 1],
  [/^(y|years?)$/, 'months', 12],
] as const

interface Move {
  readonly name: 'advance' | 'set' | 'freeze' | 'resume'
  readonly input?:
    | { readonly [Unit in (typeof UNITS)[number][1]]?: number }
    | { readonly until: 'next_event' }
    | { readonly at: string }
}

/** Reads a move such as `+1month`. @throws UsageError */
function readMove(word: string): Move {
  const [, count, unit = ''] = /^\+(\d{1,9})([a-z]+)$/.exec(word) ?? []
  const [, name, size] = UNITS.find(([pattern]) => pattern.test(unit)) ?? []
  if (count !== undefined && name && size)
    return { name: 'advance', input: { [name]: Number(count) * size } }
  if (word === 'next') return { name: 'advance', input: { until: 'next_event' } }
  if (word === 'freeze' || word === 'resume') return { name: word }
  if (/^\d{4}-\d\d-\d\d/.test(word)) return { name: 'set', input: { at: word } }
  throw new UsageError(
    `The move must be +1month, +3days, +12h, +5min, 2026-04-01, next, freeze or resume, not "${word}".`,
  )
}
