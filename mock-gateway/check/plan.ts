import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { CheckError, NotCheckedError } from './errors.ts'
import { createLibraryShop, findOrderFields } from './library-shop.ts'
import type { OrderView } from './order-view.ts'
import { createPayer, type Payer } from './payer.ts'
import {
  type BuyWay,
  type OrderEvent,
  type Plan,
  parseJson,
  parsePlan,
  toOrderView,
  type Way,
} from './plan-schema.ts'
import type { CardForm, TypedCard } from './purchase.ts'
import { createShopBrowser } from './shop-browser.ts'
import { type Cookies, findForms, leaveShop, request, type ShopAnswer } from './shop-calls.ts'

/** A charge of a subscription, whose order the shop is asked for. */
export interface ChargeOrder {
  readonly paymentRef: string
  /** Id of the charge's transaction. */
  readonly id: number
  readonly subscriptionId: number
}

/** Functions with which the check buys in a shop and reads an order. */
export interface ShopUnderCheck {
  /**
   * Buys.
   * @returns the address that the shop redirects the payer to
   */
  buy?(): Promise<string>
  order(paymentRef: string): Promise<OrderView>
  /** Tries to pay an order again. @returns the address of its payment page */
  retry?(paymentRef: string): Promise<string>
  /**
   * Buys with a reservation that the shop captures later. @returns the address of the payment page
   */
  reserve?(): Promise<string>
  /** Begins a subscription by month. @returns the address of the payment page */
  subscribe?(): Promise<string>
  /** Reads the order of a charge, if the shop makes one; undefined if it has made none. */
  renewal?(charge: ChargeOrder): Promise<OrderView | undefined>
  /** Changes the amount of an order that is not paid yet. */
  change?(paymentRef: string): Promise<void>
  /** Opens the form of a shop whose server takes the card. */
  card?(): Promise<CardForm>
  /** Events whose orders are all tried. Default: return, webhook, refund and webhook again. */
  readonly events?: readonly OrderEvent[]
  /** Milliseconds that a shop has to fulfil an order. */
  readonly settle: number
  /** Milliseconds without a change before an order is judged. Default: 1 second. */
  readonly quiet?: number
  /** Milliseconds that a shop has for one answer. Default: 15 seconds. */
  readonly timeout?: number
  /** Creates the payer. Default: a payer without scripts. */
  createPayer?(gatewayUrl: string): Payer
  /** Ends the browser that buys. */
  close?(): Promise<void>
}

const MOST_BYTES = 1_000_000

/** Values of placeholders such as `{payment_ref}`. */
type Values = Readonly<Record<string, string>>

/**
 * Reads a plan: how to buy, how to see an order.
 * @param text JSON, see docs/how-to/check-my-shop.md
 * @param shopUrl base of the plan's addresses
 * @param gatewayUrl where the payment page of a shop is that pays with the browser library
 * @throws CheckError
 */
export function readPlan(text: string, shopUrl: string, gatewayUrl: string): ShopUnderCheck {
  const plan = parsePlan(text)
  const { buy, order, retry, reserve, subscribe, change, report, events, renewal, pay } = plan
  const [settle, timeout] = [plan.settle * 1000, plan.timeout * 1000]
  const browser = createShopBrowser(shopUrl, timeout)
  const library = createLibraryShop(
    gatewayUrl,
    shopUrl,
    report && {
      address: (payment_ref) => parseAddress(insert(report.post, { payment_ref }), shopUrl),
      fields: report.fields,
    },
  )
  const toRequest = ({ get, post = '', fields = {} }: Way, values: Values) => ({
    address: parseAddress(insert(get ?? post, values), shopUrl),
    init: get === undefined ? { method: 'POST', body: insertFields(fields, values) } : {},
  })
  const runCommand = (command: readonly string[], values: Values) =>
    run(
      command.map((part) => insert(part, values)),
      timeout,
    )
  async function openPaymentPage(way: Way, payment_ref = ''): Promise<string> {
    if (way.command) return (await runCommand(way.command, { payment_ref })).trim()
    const { address, init } = toRequest(way, { payment_ref })
    return leaveShop(address, init, timeout, (answer, page) => {
      const fields = findOrderFields(answer, page)
      return fields && library.payRequest(fields)
    })
  }
  /** Returns the answer to a way that shows something, and its text. */
  async function ask(way: Way, values: Values): Promise<Pick<ShopAnswer, 'status' | 'text'>> {
    if (way.command) return { status: 200, text: await runCommand(way.command, values) }
    const { address, init } = toRequest(way, values)
    return request(address, init, timeout)
  }
  const buyBy = ({ steps, ...way }: BuyWay) =>
    steps ? () => browser.buy(steps) : () => openPaymentPage(way)
  return {
    settle,
    timeout,
    ...(plan.quiet !== undefined && { quiet: plan.quiet * 1000 }),
    ...(events && { events }),
    ...(buy && { buy: buyBy(buy) }),
    createPayer: buy?.steps
      ? browser.createPayer
      : (url) => library.withReport(createPayer(url, timeout)),
    close: () => browser.close(),
    ...(retry && { retry: (paymentRef: string) => openPaymentPage(retry, paymentRef) }),
    ...(reserve && { reserve: () => openPaymentPage(reserve) }),
    ...(subscribe && { subscribe: () => openPaymentPage(subscribe) }),
    ...(change && {
      change: async (payment_ref: string) => void (await ask(change, { payment_ref })),
    }),
    ...(pay && { card: () => openCardForm(pay, shopUrl, timeout) }),
    ...(renewal && {
      async renewal({ paymentRef, id, subscriptionId }: ChargeOrder) {
        const { status, text: shown } = await ask(renewal, {
          payment_ref: paymentRef,
          transaction_id: String(id),
          subscription_id: String(subscriptionId),
        })
        if (status === 404) return undefined
        requireOrder(status, renewal.get ?? '"renewal"')
        return toOrderView(parseJson(shown, 'The order of the charge'), order)
      },
    }),
    async order(payment_ref) {
      const { status, text: shown } = await ask(order, { payment_ref })
      requireOrder(status, insert(order.get ?? '', { payment_ref }))
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
  const program = Object.entries(parsePlan(text)).find(
    ([, used]) => typeof used === 'object' && ('command' in used || 'steps' in used),
  )
  if (program === undefined) return readPlan(text, shopUrl, gatewayUrl)
  throw new CheckError(
    `"${program[0]}" starts a program. Use an address, "get" or "post", or run mondido-gateway check.`,
  )
}

/** Statuses of a shop that takes the card, unless the plan says otherwise. */
const ANSWERS = { 200: 'paid', 202: 'pending', 402: 'declined' } as const

/** Opens the form for a card in a payer's browser, which keeps its cookies. */
async function openCardForm(
  pay: NonNullable<Plan['pay']>,
  shopUrl: string,
  timeout: number,
  cookies: Cookies = new Map(),
): Promise<CardForm> {
  const answers: NonNullable<typeof pay.answers> = pay.answers ?? ANSWERS
  const purchase = randomUUID()
  const url = parseAddress(insert(pay.post, { purchase }), shopUrl)
  const hidden = new URLSearchParams()
  if (pay.form !== undefined) {
    const page = parseAddress(pay.form, shopUrl)
    const { text } = await request(page, {}, timeout, cookies)
    const form = findForms(text, page).find((each) => each.url.pathname === url.pathname)
    for (const [name, value] of form?.fields ?? []) hidden.set(name, value)
  }
  const createCardFields = (use: 'pay' | 'store' | 'stored') => {
    if (use === 'pay') return pay.fields
    return use === 'store' ? pay.store && { ...pay.fields, ...pay.store } : pay.stored
  }
  return {
    async press(use, card: TypedCard) {
      const fields = createCardFields(use)
      if (!fields) throw new NotCheckedError(`The "pay" of the plan has no "${use}".`)
      const body = new URLSearchParams(hidden)
      for (const [name, value] of insertFields(fields, { ...card, purchase })) body.set(name, value)
      const { status } = await request(url, { method: 'POST', body }, timeout, cookies)
      return { status, means: answers[status] }
    },
    again: () => openCardForm(pay, shopUrl, timeout, cookies),
  }
}

const insert = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })

/** Inserts values into the fields of a form, which encodes them itself. */
const insertFields = (fields: Values, values: Values): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).map(([name, text]) => [
      name,
      text.replaceAll(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole),
    ]),
  )

/** @throws CheckError when the plan has something else in the place of an address */
function parseAddress(address: string, shopUrl: string): URL {
  const url = URL.parse(address, shopUrl)
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new CheckError(`The plan cannot be used: "${address}" is not an address.`)
}

function requireOrder(status: number, address: string): void {
  if (status < 200 || status > 299)
    throw new CheckError(`GET ${address} answered ${status} instead of an order.`)
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
