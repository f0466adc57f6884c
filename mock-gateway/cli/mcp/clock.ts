import { z } from 'zod'

const ACTIONS = ['read', 'freeze', 'set', 'advance', 'resume'] as const

/** Parameters of a clock change, as in `/_control/clock`. */
export const clockFields = {
  action: z.enum(ACTIONS).default('read'),
  at: z
    .string()
    .optional()
    .describe('For freeze and set: a time in ISO 8601, such as 2026-04-01T12:00:00Z.'),
  seconds: z.int().optional(),
  days: z.int().optional(),
  months: z.int().optional(),
  until: z
    .literal('next_event')
    .optional()
    .describe('For advance: moves to the next due event and runs it.'),
}

type ClockArguments = z.output<z.ZodObject<typeof clockFields>>

/** The call that does it. */
export const clockMove = (action: ClockArguments['action'], by: Omit<ClockArguments, 'action'>) =>
  action === 'read' ? (['GET', '/clock', {}] as const) : (['POST', `/clock/${action}`, by] as const)
