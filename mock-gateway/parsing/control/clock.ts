import { TRIGGERS } from '../../domain/webhook/triggers.ts'
import type { ClockMove } from '../../scheduler/clock-moves.ts'
import type { MoveOptions } from '../../scheduler/scheduler.ts'
import { type Parameters, text, yesOrNo } from '../parameters/parameters.ts'
import { badFormat, pickOnly, readMerchantId, readMoment, wholeNumber } from './read.ts'

/** Parameters of a clock change. */
export const MOVE_FIELDS = {
  freeze: ['at', 'force'],
  set: ['at', 'force'],
  advance: ['seconds', 'days', 'months', 'until', 'force'],
  resume: ['real', 'force'],
} as const

export type MoveName = keyof typeof MOVE_FIELDS

export interface MoveClock {
  readonly move: ClockMove
  readonly options: MoveOptions
}

/** About 8,000 years in seconds, days and months; the clock's own limit is lower. */
const MAX_MOVE = { seconds: 250_000_000_000, days: 3_000_000, months: 96_000 } as const

/** @throws errors.request.bad_format, errors.merchant.not_found */
export function readMove(name: MoveName, parameters: Parameters): MoveClock {
  const force = yesOrNo(pickOnly(parameters, MOVE_FIELDS[name]), 'force')
  return {
    move: MOVES[name](parameters),
    options: { merchantId: readMerchantId(parameters), force },
  }
}

const MOVES: Readonly<Record<MoveName, (parameters: Parameters) => ClockMove>> = {
  freeze: (parameters) => ({ kind: 'freeze', at: readMoment(parameters, 'at') }),
  set(parameters) {
    const at = readMoment(parameters, 'at')
    if (at === undefined) throw badFormat('at is missing. Send the new time of the clock.')
    return { kind: 'set', at }
  },
  advance(parameters) {
    const until = text(parameters, 'until')
    const by = {
      seconds: wholeNumber(parameters, 'seconds', { least: 0, most: MAX_MOVE.seconds }),
      days: wholeNumber(parameters, 'days', { least: 0, most: MAX_MOVE.days }),
      months: wholeNumber(parameters, 'months', { least: 0, most: MAX_MOVE.months }),
    }
    const isSpan = Object.values(by).some((part) => part !== undefined)
    if (until === 'next_event' && !isSpan) return { kind: 'next' }
    const trigger = TRIGGERS.find((name) => name === until)
    if (isSpan && trigger === until) return { kind: 'advance', by, until: trigger }
    throw badFormat(
      'Send the distance in seconds, days and months, or until=next_event. With a distance, until can be the trigger of a webhook.',
    )
  },
  resume: (parameters) => ({ kind: 'resume', real: yesOrNo(parameters, 'real') }),
}
