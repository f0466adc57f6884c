import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { createLibraryPages, findOrderFields } from './browser-library.ts'
import { CheckError, NotCheckedError } from './errors.ts'
import type { OrderView } from './order-view.ts'
import { createPayer, type Payer } from './payer.ts'
import {
  type BuyWay,
  insert,
  insertFields,
  type OrderEvent,
  type Plan,
  parseJson,
  parsePlan,
  toOrderView,
  type Values,
  type Way,
} from './plan-schema.ts'
import type { CardForm, TypedCard } from './purchase.ts'
import { createShopBrowser } from './shop-browser.ts'
import {
  type Cookies,
  findForms,
  leaveShop,
  type PageRequest,
  request,
  type ShopAnswer,
} from './shop-calls.ts'

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
  readonly buy?: (() => Promise<string>) | undefined
  readonly order: (paymentRef: string) => Promise<OrderView>
  /** Tries to pay an order again. @returns the address of its payment page */
  readonly retry?: ((paymentRef: string) => Promise<string>) | undefined
  /**
   * Buys with a reservation that the shop captures later. @returns the address of the payment page
   */
  readonly reserve?: (() => Promise<string>) | undefined
  /** Begins a subscription by month. @returns the address of the payment page */
  readonly subscribe?: (() => Promise<string>) | undefined
  /** Reads the order of a charge, if the shop makes one; undefined if it has made none. */
  readonly renewal?: ((charge: ChargeOrder) => Promise<OrderView | undefined>) | undefined
  /** Changes the amount of an order that is not paid yet. */
  readonly change?: ((paymentRef: string) => Promise<void>) | undefined
  /** Opens the form of a shop whose server takes the card. */
  readonly card?: (() => Promise<CardForm>) | undefined
  /** Events whose orders are all tried. Default: return, webhook, refund and webhook again. */
  readonly events?: readonly OrderEvent[] | undefined
  /** Milliseconds that a shop has to fulfil an order. */
  readonly settle: number
  /** Milliseconds without a change before an order is judged. Default: 1 second. */
  readonly quiet?: number | undefined
  /** Milliseconds that a shop has for one answer. Default: 15 seconds. */
  readonly timeout?: number | undefined
  /** Creates the payer. Default: a payer without scripts. */
  createPayer?(gatewayUrl: string): Payer
  /** Ends the browser that buys. */
  close?(): Promise<void>
}

const MOST_BYTES = 1_000_000

/**
 * Reads a plan: how to buy, how to see an order.
 * @param text JSON, see docs/how-to/check-my-shop.md
 * @param shopUrl base of the plan's addresses
 * @param gatewayUrl where the payment page of a shop is that pays with the browser library
 * @throws CheckError
 */
export function readPlan(text: string, shopUrl: string, gatewayUrl: string): ShopUnderCheck {
  const plan = parsePlan(text)
  const { buy, order, retry, reserve, subscribe, change, report, renewal, pay, quiet } = plan
  const timeout = plan.timeout * 1000
  const browser = createShopBrowser(shopUrl, timeout)
  const library = createLibraryPages(
    gatewayUrl,
    shopUrl,
    report && {
      createAddress: (payment_ref) => parseAddress(insert(report.post, { payment_ref }), shopUrl),
      fields: report.fields,
    },
  )
  const toRequest = ({ get, post = '', fields = {} }: Way, values: Values): PageRequest => ({
    url: parseAddress(insert(get ?? post, values), shopUrl),
    init: get === undefined ? { method: 'POST', body: insertFields(fields, values) } : {},
  })
  /** Returns the answer to a way that shows something, and its text. */
  async function ask(way: Way, values: Values): Promise<ShownText> {
    if (way.command) return { status: 200, text: await run(way.command, values, timeout) }
    const { url, init } = toRequest(way, values)
    return request(url, init, timeout)
  }
  /** Creates the function that opens a payment page, for an order if it gets a payment_ref. */
  const openBy =
    ({ steps, ...way }: BuyWay) =>
    async (payment_ref = ''): Promise<string> => {
      if (steps) return browser.buy(steps)
      if (way.command) return (await run(way.command, { payment_ref }, timeout)).trim()
      return leaveShop(toRequest(way, { payment_ref }), timeout, (answer, page) => {
        const fields = findOrderFields(answer, page)
        return fields && library.openPaymentPage(fields)
      })
    }
  /** @throws CheckError for an answer that is not an order */
  function toOrder({ status, text: shown }: ShownText, address: string, name: string): OrderView {
    if (status >= 200 && status <= 299) return toOrderView(parseJson(shown, name), order)
    throw new CheckError(`GET ${address} answered ${status} instead of an order.`)
  }
  return {
    settle: plan.settle * 1000,
    timeout,
    quiet: quiet && quiet * 1000,
    events: plan.events,
    buy: buy && openBy(buy),
    retry: retry && openBy(retry),
    reserve: reserve && openBy(reserve),
    subscribe: subscribe && openBy(subscribe),
    change: change && (async (payment_ref) => void (await ask(change, { payment_ref }))),
    card: pay && (() => openCardForm(pay, shopUrl, timeout)),
    async order(payment_ref) {
      const values = { payment_ref }
      return toOrder(await ask(order, values), insert(order.get ?? '', values), 'The order')
    },
    renewal:
      renewal &&
      (async ({ paymentRef, id, subscriptionId }) => {
        const answer = await ask(renewal, {
          payment_ref: paymentRef,
          transaction_id: String(id),
          subscription_id: String(subscriptionId),
        })
        if (answer.status === 404) return undefined
        return toOrder(answer, renewal.get ?? '"renewal"', 'The order of the charge')
      }),
    createPayer: buy?.steps
      ? browser.createPayer
      : (url) => library.reportAtVisit(createPayer(url, timeout)),
    close: () => browser.close(),
  }
}

type ShownText = Pick<ShopAnswer, 'status' | 'text'>

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
  const fieldsByUse = {
    pay: pay.fields,
    store: pay.store && { ...pay.fields, ...pay.store },
    stored: pay.stored,
  }
  return {
    async press(use, card: TypedCard) {
      const fields = fieldsByUse[use]
      if (!fields) throw new NotCheckedError(`The "pay" of the plan has no "${use}".`)
      const body = new URLSearchParams(hidden)
      for (const [name, value] of insertFields(fields, { ...card, purchase })) body.set(name, value)
      const { status } = await request(url, { method: 'POST', body }, timeout, cookies)
      return { status, means: answers[status] }
    },
    again: () => openCardForm(pay, shopUrl, timeout, cookies),
  }
}

/** @throws CheckError when the plan has something else in the place of an address */
function parseAddress(address: string, shopUrl: string): URL {
  const url = URL.parse(address, shopUrl)
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new CheckError(`The plan cannot be used: "${address}" is not an address.`)
}

/** Runs a program, and returns what it prints. @throws CheckError */
async function run(command: readonly string[], values: Values, timeout: number): Promise<string> {
  const [program = '', ...args] = command.map((part) => insert(part, values, String))
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
