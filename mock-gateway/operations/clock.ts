import { z } from 'zod'
import { badFormat } from '../domain/errors/errors.ts'
import { TRIGGERS, type Trigger } from '../domain/webhook/triggers.ts'
import {
  addTimeSpan,
  type ClockMove,
  type ClockReport,
  type ClockView,
  type TimeSpan,
} from '../scheduler/clock-moves.ts'
import type { DueResult } from '../scheduler/due.ts'
import type { DueItem } from '../storage/due.ts'
import { operation, type Subject } from './operation.ts'
import { at, formatMoment, moment, wholeNumber, whose } from './shapes.ts'

const due = z
  .looseObject({
    at: moment,
    kind: z.string(),
    merchant_id: z.int(),
    id: z.int(),
    what: z.string().optional().describe('The result.'),
  })
  .meta({ id: 'Due', description: 'An event that is due, with the fields of its kind.' })

const view = z.object({
  merchant_id: whose,
  mode: z.enum(['real', 'offset', 'frozen']),
  now: moment,
  next: z.array(due),
})
const clock = view.meta({ id: 'Clock' })
const moved = view
  .extend({
    from: moment,
    happened: z.array(due),
    quiet: z
      .boolean()
      .describe(
        'false: the call reached a limit before everything was done. Repeat it to continue.',
      ),
    seconds_left: z
      .int()
      .optional()
      .describe('Seconds to the end of the distance, if a trigger or a limit stopped the clock.'),
  })
  .meta({ id: 'ClockMoved' })

const force = z.boolean().default(false).meta({
  id: 'Force',
  description: 'true: also allows moving back in time when there are data.',
})

const presentDue = ({
  at: when,
  kind,
  merchantId,
  id,
  what,
  facts,
}: DueItem & Partial<DueResult>) => ({
  at: formatMoment(when),
  kind,
  merchant_id: merchantId,
  id,
  ...(what === undefined ? {} : { what }),
  ...facts,
})

const presentView = ({ merchantId, mode, now, next }: ClockView) => ({
  merchant_id: merchantId ?? null,
  mode,
  now: formatMoment(now),
  next: next.map(presentDue),
})

/** Presents what a move of a clock caused. */
export const presentReport = ({ from, happened, quiet, ...rest }: ClockReport, move: ClockMove) => {
  const { next, ...shown } = presentView(rest)
  const end =
    move.kind === 'advance' ? addTimeSpan(from, move.by) : 'at' in move ? (move.at ?? 0) : 0
  const left = end - rest.now
  return {
    ...shown,
    from: formatMoment(from),
    happened: happened.map(presentDue),
    quiet,
    ...(left >= 1000 && { seconds_left: Math.floor(left / 1000) }),
    next,
  }
}

/** About 8,000 years in each unit; the clock's own limit is lower. */
const span = (most: number) => wholeNumber(0, most).optional()

/** Input of each clock change, and the change that it means. */
const MOVES = {
  freeze: {
    does: 'Stops a clock, now or at a given time',
    input: { at: at.optional() },
    createMove: (sent: { at?: number | undefined }): ClockMove => ({ kind: 'freeze', at: sent.at }),
  },
  set: {
    does: 'Moves a clock to a given time; a running clock continues to run',
    input: { at: at.optional() },
    createMove(sent: { at?: number | undefined }): ClockMove {
      if (sent.at === undefined) throw badFormat('at is missing. Send the new time of the clock.')
      return { kind: 'set', at: sent.at }
    },
  },
  advance: {
    does: 'Moves a clock forward, and runs everything that becomes due on the way',
    input: {
      seconds: span(250_000_000_000),
      minutes: span(4_000_000_000),
      hours: span(70_000_000),
      days: span(3_000_000),
      months: span(96_000),
      until: z
        .enum(['next_event', ...TRIGGERS])
        .optional()
        .describe(
          'next_event moves to the next event, without a duration. A trigger stops the clock at its first webhook, or after the duration.',
        ),
    },
    createMove: readAdvance,
  },
  resume: {
    does: 'Starts a stopped clock',
    input: {
      real: z.boolean().optional().describe("true: returns to the machine's time."),
    },
    createMove: ({ real }: { real?: boolean | undefined }): ClockMove => ({ kind: 'resume', real }),
  },
}

const MOVE_NAMES = Object.keys(MOVES) as (keyof typeof MOVES)[]

interface AdvanceInput extends TimeSpan {
  readonly until?: 'next_event' | Trigger | undefined
}

function readAdvance({ until, ...by }: AdvanceInput): ClockMove {
  const isSpan = Object.values(by).some((part) => part !== undefined)
  if (until === 'next_event' && !isSpan) return { kind: 'next' }
  if (until !== 'next_event' && isSpan) return { kind: 'advance', by, until }
  throw badFormat(
    'Send the distance in seconds, minutes, hours, days and months, or until=next_event. With a distance, until can be the trigger of a webhook.',
  )
}

const CLOCK_MOVES = MOVE_NAMES.map((name) =>
  operation({
    name: `clock.${name}`,
    route: `POST /clock/${name}`,
    does: MOVES[name].does,
    input: z.object({ ...MOVES[name].input, force }),
    output: moved,
    async run({ timeline, merchantId }, { force: isForced, ...sent }) {
      const move = MOVES[name].createMove(sent)
      return presentReport(await timeline.move(move, { force: isForced, merchantId }), move)
    },
  }),
)

export const CLOCK: Subject = {
  title: 'Clock',
  about: 'Time for merchants, and for everything that has a due date.',
  operations: [
    operation({
      name: 'clock.show',
      route: 'GET /clock',
      does: 'Shows a clock and the next events that are due',
      output: clock,
      run: async ({ timeline, merchantId }) => presentView(await timeline.view(merchantId)),
    }),
    ...CLOCK_MOVES,
  ],
}
