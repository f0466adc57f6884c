import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

/** An order as the shop shows it. What is undefined is not visible, and is not judged. */
export interface OrderView {
  readonly paid: boolean | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** How often the order was fulfilled. */
  readonly fulfilled: number | undefined
  readonly refunded: string | undefined
}

/** How the check buys in a shop and reads an order. */
export interface ShopUnderCheck {
  /** Buys. @returns the address to which the shop sends the payer */
  buy(): Promise<string>
  order(paymentRef: string): Promise<OrderView>
  /** Milliseconds that a shop has to fulfil an order. */
  readonly settle: number
}

/** The plan cannot be used, or the shop does not do what the plan says. */
export class CheckError extends Error {}

const command = z.array(z.string()).min(1)
const members = z.strictObject({
  paid: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  fulfilled: z.string().optional(),
  refunded: z.string().optional(),
})
const planSchema = z.strictObject({
  buy: z.union([
    z.strictObject({ post: z.string(), fields: z.record(z.string(), z.string()).optional() }),
    z.strictObject({ command }),
  ]),
  order: z.union([members.extend({ get: z.string() }), members.extend({ command })]),
  /** Seconds. */
  settle: z.number().min(0).max(600).default(10),
})

const WAIT_MS = 15_000
const MOST_BYTES = 1_000_000

/**
 * Reads a plan: how to buy, how to see an order.
 * @param text JSON, see docs/how-to/check-my-shop.md
 * @param shopUrl base of the plan's addresses
 * @throws CheckError
 */
export function readPlan(text: string, shopUrl: string): ShopUnderCheck {
  const { buy, order, settle } = parsePlan(text)
  return {
    settle: settle * 1000,
    async buy() {
      if ('command' in buy) return (await run(buy.command)).trim()
      const body = new URLSearchParams(buy.fields)
      const answer = await request(new URL(buy.post, shopUrl), { method: 'POST', body })
      const location = answer.headers.get('location')
      if (location === null)
        throw new CheckError(`POST ${buy.post} answered ${answer.status} without sending the payer to a payment page.`)
      return new URL(location, new URL(buy.post, shopUrl)).href
    },
    async order(paymentRef) {
      const insert = (part: string) => part.replaceAll('{payment_ref}', encodeURIComponent(paymentRef))
      const shown =
        'command' in order ? await run(order.command.map(insert)) : await readOrder(new URL(insert(order.get), shopUrl))
      return viewOf(parseJson(shown, 'The order'), order)
    },
  }
}

function parsePlan(text: string): z.infer<typeof planSchema> {
  const read = planSchema.safeParse(parseJson(text, 'The plan'))
  if (read.success) return read.data
  throw new CheckError(`The plan cannot be used: ${z.prettifyError(read.error).replaceAll(/\s+/g, ' ')}`)
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CheckError(`${what} is not JSON.`)
  }
}

async function readOrder(address: URL): Promise<string> {
  const answer = await request(address)
  if (!answer.ok) throw new CheckError(`GET ${address.pathname} answered ${answer.status} instead of an order.`)
  return readText(answer)
}

async function run([program = '', ...args]: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { timeout: WAIT_MS, maxBuffer: MOST_BYTES })).stdout
  } catch (error) {
    throw new CheckError(`The command ${program} failed: ${(error as Error).message}`)
  }
}

/** One request without following redirects. @throws CheckError when the shop does not answer */
export async function request(address: URL | string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(WAIT_MS), ...init })
  } catch (error) {
    const { cause } = error as Error
    throw new CheckError(`${address} did not answer: ${cause instanceof Error ? cause.message : error}.`)
  }
}

/** @throws CheckError when a body has more than a megabyte */
export async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new CheckError(`${answer.url} answered more than ${MOST_BYTES} bytes.`)
  }
  return Buffer.concat(chunks).toString()
}

function viewOf(shown: unknown, names: z.infer<typeof members>): OrderView {
  const text = (name: string | undefined) => {
    const value = name === undefined ? undefined : memberAt(shown, name)
    return value === undefined || value === null ? undefined : String(value)
  }
  const [path, wanted] = names.paid?.split('=').map((part) => part.trim()) ?? []
  const paid = text(path)
  const fulfilled = text(names.fulfilled)
  return {
    paid: paid === undefined ? undefined : paid === (wanted?.replaceAll("'", '') ?? 'true'),
    amount: text(names.amount),
    currency: text(names.currency),
    fulfilled:
      fulfilled === undefined ? undefined : Number(fulfilled === 'true' ? 1 : fulfilled === 'false' ? 0 : fulfilled),
    refunded: text(names.refunded),
  }
}

/** @param path such as `order.amount` */
const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name], value)
