import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { listOf } from '../domain/schema-problems.ts'
import { CheckError } from './check-error.ts'
import { createLibraryShop, findOrderFields } from './library-shop.ts'
import { ORDER_EVENTS, type OrderEvent, type OrderView } from './order-view.ts'
import { createPayer, type Payer } from './payer.ts'
import { createShopBrowser } from './shop-browser.ts'
import { leaveShop, request } from './shop-calls.ts'

/** Functions with which the check buys in a shop and reads an order. */
export interface ShopUnderCheck {
  /**
   * Buys.
   * @returns the address that the shop redirects the payer to
   */
  buy(): Promise<string>
  order(paymentRef: string): Promise<OrderView>
  /** Tries to pay an order again. @returns the address of its payment page */
  retry?(paymentRef: string): Promise<string>
  /**
   * Buys with a reservation that the shop captures later. @returns the address of the payment page
   */
  reserve?(): Promise<string>
  /** Begins a subscription by month. @returns the address of the payment page */
  subscribe?(): Promise<string>
  /** Changes the amount of an order that is not paid yet. */
  change?(paymentRef: string): Promise<void>
  /** Events whose orders are all tried. Default: return, webhook, refund and webhook again. */
  readonly events?: readonly OrderEvent[]
  /** Milliseconds that a shop has to fulfil an order. */
  readonly settle: number
  /** Milliseconds that a shop has for one answer. Default: 15 seconds. */
  readonly timeout?: number
  /** Creates the payer. Default: a payer without scripts. */
  createPayer?(gatewayUrl: string): Payer
  /** Ends the browser that buys. */
  close?(): Promise<void>
}

const command = listOf(z.string()).min(1)
const members = z.strictObject({
  paid: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  fulfilled: z.string().optional(),
  refunded: z.string().optional(),
})
const way = z.union([
  z.strictObject({ post: z.string(), fields: z.record(z.string(), z.string()).optional() }),
  z.strictObject({ get: z.string() }),
  z.strictObject({ command }),
])
const browserStep = z.union([
  z.strictObject({ open: z.string() }),
  z.strictObject({ fill: z.string(), value: z.string() }),
  z.strictObject({ click: z.string() }),
])
const planSchema = z.strictObject({
  buy: z.union([way, z.strictObject({ steps: listOf(browserStep).min(1) })]),
  retry: way.optional(),
  reserve: way.optional(),
  subscribe: way.optional(),
  change: way.optional(),
  report: z
    .strictObject({ post: z.string(), fields: z.record(z.string(), z.string()).optional() })
    .optional(),
  order: z.union([members.extend({ get: z.string() }), members.extend({ command })]),
  events: listOf(z.enum(ORDER_EVENTS)).min(1).optional(),
  /** Seconds. */
  settle: z.number().min(0).max(600).default(10),
  /** Seconds. */
  timeout: z.number().min(0.1).max(600).default(15),
})

const MOST_BYTES = 1_000_000

/**
 * Reads a plan: how to buy, how to see an order.
 * @param text JSON, see docs/how-to/check-my-shop.md
 * @param shopUrl base of the plan's addresses
 * @param gatewayUrl where the payment page of a shop is that pays with the browser library
 * @throws CheckError
 */
export function readPlan(text: string, shopUrl: string, gatewayUrl: string): ShopUnderCheck {
  const { buy, order, retry, reserve, subscribe, change, report, events, ...seconds } =
    parsePlan(text)
  const [settle, timeout] = [seconds.settle * 1000, seconds.timeout * 1000]
  const browser = createShopBrowser(shopUrl, timeout)
  const library = createLibraryShop(
    gatewayUrl,
    shopUrl,
    report && {
      address: (ref) => parseAddress(insertPaymentRef(report.post, ref), shopUrl),
      fields: report.fields,
    },
  )
  const buildRequest = (
    made: { readonly post: string; readonly fields?: FormFields } | { readonly get: string },
    ref: string,
  ) =>
    'get' in made
      ? { address: parseAddress(insertPaymentRef(made.get, ref), shopUrl), init: {} }
      : {
          address: parseAddress(insertPaymentRef(made.post, ref), shopUrl),
          init: { method: 'POST', body: new URLSearchParams(made.fields) },
        }
  async function openPaymentPage(made: Way, ref = ''): Promise<string> {
    if ('command' in made) {
      const args = made.command.map((part) => insertPaymentRef(part, ref))
      return (await run(args, timeout)).trim()
    }
    const { address, init } = buildRequest(made, ref)
    return leaveShop(address, init, timeout, (answer, page) => {
      const fields = findOrderFields(answer, page)
      return fields && library.payRequest(fields)
    })
  }
  return {
    settle,
    timeout,
    ...(events && { events }),
    buy: () => ('steps' in buy ? browser.buy(buy.steps) : openPaymentPage(buy)),
    createPayer:
      'steps' in buy ? browser.createPayer : (url) => library.withReport(createPayer(url, timeout)),
    close: () => browser.close(),
    ...(retry && { retry: (paymentRef: string) => openPaymentPage(retry, paymentRef) }),
    ...(reserve && { reserve: () => openPaymentPage(reserve) }),
    ...(subscribe && { subscribe: () => openPaymentPage(subscribe) }),
    ...(change && {
      async change(paymentRef: string) {
        if ('command' in change)
          return void (await run(
            change.command.map((part) => insertPaymentRef(part, paymentRef)),
            timeout,
          ))
        const { address, init } = buildRequest(change, paymentRef)
        await request(address, init, timeout)
      },
    }),
    async order(paymentRef) {
      const insert = (part: string) => insertPaymentRef(part, paymentRef)
      const shown =
        'command' in order
          ? await run(order.command.map(insert), timeout)
          : await readOrder(parseAddress(insert(order.get), shopUrl), timeout)
      return toOrderView(parseJson(shown, 'The order'), order)
    },
  }
}

/**
 * Reads a plan without programs and browser steps: a page must not start programs on the gateway's
 * machine.
 * @throws CheckError
 */
export function readAddressPlan(text: string, shopUrl: string, gatewayUrl: string): ShopUnderCheck {
  const plan = parsePlan(text)
  const ways = ['buy', 'order', 'retry', 'reserve', 'subscribe', 'change'] as const
  const program = ways.find((name) => {
    const used = plan[name]
    return used !== undefined && !('get' in used || 'post' in used)
  })
  if (program === undefined) return readPlan(text, shopUrl, gatewayUrl)
  throw new CheckError(
    `"${program}" starts a program. Use an address, "get" or "post", or run mondido-gateway check.`,
  )
}

type Way = z.infer<typeof way>
type FormFields = Readonly<Record<string, string>> | undefined

const insertPaymentRef = (part: string, paymentRef: string): string =>
  part.replaceAll('{payment_ref}', encodeURIComponent(paymentRef))

/** @throws CheckError when the plan has something else in the place of an address */
function parseAddress(address: string, shopUrl: string): URL {
  const url = URL.parse(address, shopUrl)
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new CheckError(`The plan cannot be used: "${address}" is not an address.`)
}

function parsePlan(text: string): z.infer<typeof planSchema> {
  const read = planSchema.safeParse(parseJson(text, 'The plan'))
  if (read.success) return read.data
  throw new CheckError(
    `The plan cannot be used: ${z.prettifyError(read.error).replaceAll(/\s+/g, ' ')}`,
  )
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CheckError(`${what} is not JSON.`)
  }
}

async function readOrder(address: URL, timeout: number): Promise<string> {
  const answer = await request(address, {}, timeout)
  if (answer.status < 200 || answer.status > 299)
    throw new CheckError(`GET ${address.pathname} answered ${answer.status} instead of an order.`)
  return answer.text
}

async function run([program = '', ...args]: readonly string[], timeout: number): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { timeout, maxBuffer: MOST_BYTES })).stdout
  } catch (error) {
    const { killed, message } = error as Error & { readonly killed?: boolean }
    const lastLine = message.trim().split('\n').at(-1)
    throw new CheckError(
      `The command ${program} failed: ${killed ? 'the time is over' : lastLine}.`,
    )
  }
}

function toOrderView(shown: unknown, names: z.infer<typeof members>): OrderView {
  const text = (name: string | undefined) => {
    const value = name === undefined ? undefined : findMember(shown, name)
    return value === undefined || value === null ? undefined : String(value)
  }
  /** Reads `paid`, or `status = 'paid'`: then the value is `true` or `false`. */
  const condition = (name: string | undefined) => {
    const [path, wanted] = name?.split('=').map((part) => part.trim()) ?? []
    const value = text(path)
    return wanted === undefined || value === undefined
      ? value
      : String(value === wanted.replaceAll("'", ''))
  }
  const [paid, fulfilled] = [condition(names.paid), condition(names.fulfilled)]
  return {
    paid: paid === undefined ? undefined : paid === 'true',
    amount: text(names.amount),
    currency: text(names.currency),
    fulfilled:
      fulfilled === undefined
        ? undefined
        : Number(fulfilled === 'true' ? 1 : fulfilled === 'false' ? 0 : fulfilled),
    refunded: text(names.refunded),
  }
}

/** @param path such as `order.amount` */
const findMember = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce(
      (at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      value,
    )
