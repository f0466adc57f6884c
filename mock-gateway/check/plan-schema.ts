import { z } from 'zod'
import { parseList } from '../domain/schema-problems.ts'
import { CheckError } from './errors.ts'
import type { OrderView } from './order-view.ts'

/** Events of one payment. The case `every-order` tries all their orders. */
export const ORDER_EVENTS = [
  'return',
  'webhook',
  'refund',
  'webhook again',
  'second click',
  'late decline',
] as const

export type OrderEvent = (typeof ORDER_EVENTS)[number]

const fields = z.record(z.string(), z.string())

/** Ways to reach the shop: a request, a program, or steps in a browser. */
const WAYS = ['post', 'get', 'command', 'steps'] as const

/** Step of a purchase in a browser, with CSS selectors or Playwright's own. */
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
const member = z.string().optional()
/** Members of an order with their contents. */
export const ORDER_MEMBERS = {
  paid: z
    .union([condition, parseList(condition).min(1)])
    .optional()
    .describe('whether the order is paid'),
  amount: member.describe('the amount of the order'),
  currency: member.describe('the currency of the order'),
  fulfilled: z
    .union([condition, z.record(z.string(), condition)])
    .optional()
    .describe('how often the goods were sent'),
  refunded: member.describe('the refunded amount'),
}
const order = z
  .strictObject({ ...ORDER_MEMBERS, get: z.string().optional(), command: anyWay.command })
  .refine(hasOneWay, { error: 'needs "get" or "command"' })

const seconds = (least: number) => z.number().min(least).max(600)

/** The plan. Its members are explained in docs/reference/check.md. */
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
        form: z.string().optional(),
        post: z.string(),
        fields,
        store: fields.optional(),
        stored: fields.optional(),
        answers: z.record(z.string(), z.enum(['paid', 'pending', 'declined'])).optional(),
      })
      .optional(),
    order,
    renewal: way.optional(),
    events: parseList(z.enum(ORDER_EVENTS)).min(1).optional(),
    settle: seconds(0).default(10),
    timeout: seconds(0.1).default(15),
    quiet: seconds(0).optional(),
  })
  .refine((plan) => plan.buy || plan.pay, { error: 'needs "buy", or "pay" for a form with a card' })

export type Plan = z.infer<typeof planSchema>
export type BrowserStep = z.infer<typeof browserStep>
export type Way = z.infer<typeof way>
export type BuyWay = z.infer<typeof buy>
type Members = Pick<Plan['order'], keyof typeof ORDER_MEMBERS>

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

/**
 * Reads the members of an order that the plan names.
 * @param shown the order as JSON
 * @throws CheckError if the order does not have a member, or the member cannot be the named value
 */
export function toOrderView(shown: unknown, names: Members): OrderView {
  const text = (path: string | undefined, name: string) => {
    if (path === undefined) return undefined
    const value = findMember(shown, path)
    if (value === undefined)
      throw new CheckError(
        `The plan is wrong: the order has no member "${path}", which the plan names at "${name}". It has ${listMembers(shown).join(', ')}.`,
      )
    return value === null ? undefined : String(value)
  }
  /** Reads a name such as `paid`, or a condition such as `status = 'paid'`, which is true or false. */
  const condition = (written: string, name: string) => {
    // The wanted value can contain "=".
    const [path, ...rest] = written.split('=')
    const wanted = rest.length === 0 ? undefined : rest.join('=').trim()
    const value = text(path?.trim(), name)
    return wanted === undefined || value === undefined
      ? value
      : String(value === wanted.replaceAll("'", ''))
  }
  /** Reads a number, or a text that means yes or no. */
  const count = (written: string, name: string) => {
    const value = condition(written, name) ?? '0'
    const number = COUNTS[value.toLowerCase()] ?? Number(value)
    if (Number.isInteger(number)) return number
    throw new CheckError(
      `The plan is wrong: "${written}" of the order is ${value}, and "${name}" needs a number, true or false. Write a condition, such as "${written} = '${value}'".`,
    )
  }
  const countAll = (written: NonNullable<Members['fulfilled']>) =>
    typeof written === 'string'
      ? count(written, 'fulfilled')
      : Object.fromEntries(
          Object.entries(written).map(([part, each]) => [part, count(each, `fulfilled.${part}`)]),
        )
  const { paid, fulfilled, refunded } = names
  return {
    paid: paid === undefined ? undefined : [paid].flat().some((each) => count(each, 'paid') > 0),
    amount: text(names.amount, 'amount'),
    currency: text(names.currency, 'currency'),
    fulfilled: fulfilled === undefined ? undefined : countAll(fulfilled),
    refunded: refunded === undefined ? undefined : (text(refunded, 'refunded') ?? '0'),
  }
}

/** Numbers for texts that mean yes or no. */
const COUNTS: Readonly<Record<string, number>> = { true: 1, yes: 1, false: 0, no: 0 }

/** @param path such as `order.amount` */
const findMember = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce(
      (at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      value,
    )

/** Lists the names of an order's values, such as `order.amount`. */
export const flattenMembers = (value: object, path = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    typeof inner === 'object' && inner !== null
      ? flattenMembers(inner, `${path}${name}.`)
      : [[path + name, inner]],
  )

const listMembers = (shown: unknown): readonly string[] =>
  typeof shown === 'object' && shown !== null
    ? flattenMembers(shown).map(([name]) => name)
    : ['no members']

/** Values of placeholders such as `{payment_ref}`. */
export type Values = Readonly<Record<string, unknown>>

/** Inserts values into an address. @param encode default: for a part of an address */
export const insert = (
  text: string,
  values: Values,
  encode: (value: string) => string = encodeURIComponent,
): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encode(String(values[name] ?? '')) : whole,
  )

/** Inserts values into the fields of a form, which encodes them itself. */
export const insertFields = (
  fields: Readonly<Record<string, string>>,
  values: Values,
): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).map(([name, text]) => [name, insert(text, values, String)]),
  )
