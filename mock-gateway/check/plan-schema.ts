import { z } from 'zod'
import { parseList } from '../domain/schema-problems.ts'
import { CheckError } from './errors.ts'
import { ORDER_EVENTS } from './order-view.ts'

const fields = z.record(z.string(), z.string())

/** Ways to send a request or to start a program; each plan member uses one of them. */
const WAYS = ['post', 'get', 'command', 'steps'] as const

const browserStep = z.union([
  z.strictObject({ open: z.string() }),
  z.strictObject({ fill: z.string(), value: z.string() }),
  z.strictObject({ click: z.string() }),
])
const request = z.strictObject({ post: z.string(), fields: fields.optional() })
const anyWay = {
  post: z.string().optional(),
  get: z.string().optional(),
  fields: fields.optional(),
  command: parseList(z.string()).min(1).optional(),
}
const hasOneWay = (given: object) => WAYS.filter((name) => name in given).length === 1
const ONE_WAY = { error: 'needs one of "post", "get" and "command"' }
const way = z.strictObject(anyWay).refine(hasOneWay, ONE_WAY)
const buy = z
  .strictObject({ ...anyWay, steps: parseList(browserStep).min(1).optional() })
  .refine(hasOneWay, { error: 'needs one of "post", "get", "command" and "steps"' })

/** A member's name, or a condition such as `status = 'paid'`. */
const condition = z.string().min(1)
const members = {
  paid: z.union([condition, parseList(condition).min(1)]).optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  fulfilled: z.union([condition, z.record(z.string(), condition)]).optional(),
  refunded: z.string().optional(),
}
const order = z
  .strictObject({ ...members, get: z.string().optional(), command: anyWay.command })
  .refine(hasOneWay, { error: 'needs "get" or "command"' })

const seconds = (least: number) => z.number().min(least).max(600)

const planSchema = z
  .strictObject({
    buy: buy.optional(),
    retry: way.optional(),
    reserve: way.optional(),
    subscribe: way.optional(),
    change: way.optional(),
    report: request.optional(),
    pay: z
      .strictObject({
        /** Page with the form; default: no page is opened. */
        form: z.string().optional(),
        post: z.string(),
        fields,
        /** Fields that are added to store the card. */
        store: fields.optional(),
        /** Fields to pay with the stored card. */
        stored: fields.optional(),
        answers: z.record(z.string(), z.enum(['paid', 'pending', 'declined'])).optional(),
      })
      .optional(),
    order,
    /** Where the order of a subscription's charge is shown. */
    renewal: way.optional(),
    events: parseList(z.enum(ORDER_EVENTS)).min(1).optional(),
    settle: seconds(0).default(10),
    timeout: seconds(0.1).default(15),
    quiet: seconds(0).optional(),
  })
  .refine((plan) => plan.buy || plan.pay, { error: 'needs "buy", or "pay" for a form with a card' })

export type Plan = z.infer<typeof planSchema>
export type Way = z.infer<typeof way>
export type BuyWay = z.infer<typeof buy>
export type Members = Pick<Plan['order'], keyof typeof members>

/** @throws CheckError that names the wrong member */
export function parsePlan(text: string): Plan {
  const result = planSchema.safeParse(parseJson(text, 'The plan'))
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) =>
    path.length > 0 ? `"${path.join('.')}": ${message}` : message,
  )
  throw new CheckError(`The plan cannot be used: ${problems.join('; ')}.`)
}

/** @throws CheckError */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CheckError(`${what} is not JSON.`)
  }
}
