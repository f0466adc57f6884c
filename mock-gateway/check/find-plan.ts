import { NoReportError } from './browser-library.ts'
import { CheckError } from './errors.ts'
import { type CheckedGateway, logIn, toCheckError } from './gateway.ts'
import { suspendState } from './gateway-state.ts'
import { readPlan } from './plan.ts'
import { flattenMembers, ORDER_MEMBERS } from './plan-schema.ts'
import type { Purchase } from './purchase.ts'
import { findForms, request } from './shop-calls.ts'
import { createStage, QUIET_MS, type Stage } from './stage.ts'
import { buy, OPTIONAL_MEMBERS, openReturn, pay, planLine } from './steps/payer.ts'
import { refundPart } from './steps/staff.ts'
import * as webhooks from './steps/webhooks.ts'
import { type CheckTime, MACHINE_TIME } from './time.ts'

/** Ways to buy that many shops have. Forms of the home page are tried first. */
const USUAL_WAYS = [
  { post: '/buy' },
  { post: '/orders' },
  { post: '/checkout' },
  { post: '/pay' },
  { get: '/buy' },
  { get: '/checkout' },
  { get: '/' },
] as const

/** Addresses of an order that many shops have. */
const USUAL_ORDERS = [
  '/orders/{payment_ref}.json',
  '/orders/{payment_ref}',
  '/api/orders/{payment_ref}',
  '/order/{payment_ref}.json',
  '/orders.php?ref={payment_ref}',
  '/order.php?ref={payment_ref}',
] as const

/** Address to which the page of a shop may report a payment by the browser library. */
const USUAL_REPORT = { post: '/orders/{payment_ref}/result' }

/** Plan that was found, and its missing parts. */
export interface FoundPlan {
  readonly plan: object
  /** Sentences about members that were not found. */
  readonly missing: readonly string[]
}

/**
 * Finds how to buy in a shop and how to see an order: buys once, pays, refunds the half, and
 * compares the order before and after. Measures how long the shop takes to fulfil the order.
 * @throws CheckError when no way to buy leads to a payment page
 */
export async function findPlan(
  checked: CheckedGateway,
  shopUrl: string,
  time: CheckTime = MACHINE_TIME,
): Promise<FoundPlan> {
  const gateway = await logIn(checked)
  const state = await suspendState(gateway, time)
  const openStage = (plan: object) => {
    const shop = readPlan(JSON.stringify(plan), shopUrl, gateway.url)
    return createStage({ gateway, shop, state, time, rest: time.wait })
  }
  try {
    const { ways, purchase, stage } = await findWayToBuy(openStage, shopUrl, gateway)
    const order = await findOrder(shopUrl, purchase)
    if (!order) return planWithoutOrder(ways)
    const read = async () => (await readOrder(order.get, shopUrl, purchase)) ?? order.shown
    await pay(stage, purchase)
    const watch = (before: OrderMembers) => watchOrder(before, read, time)
    const isFulfilling = await webhooks.deliver(stage, purchase)
    const shown = isFulfilling ? await watch(order.shown) : undefined
    await openReturn(stage, purchase)
    const { seen: paid, took } = await watch(shown?.seen ?? order.shown)
    let refunded = paid
    if ((await webhooks.ifAny(refundPart(0.5))(stage, purchase)) !== false) {
      await webhooks.deliver(stage, purchase)
      refunded = (await watch(paid)).seen
    }
    const found = findMembers(order.shown, paid, refunded, purchase)
    const quiet = Math.max(QUIET_MS, 3 * (shown?.took || took))
    return describePlan(ways, order.get, found, Math.ceil(quiet / 100) / 10)
  } catch (error) {
    throw toCheckError(error)
  } finally {
    await state.restore()
  }
}

const planWithoutOrder = (ways: Ways): FoundPlan => ({
  plan: {
    ...ways,
    order: { get: USUAL_ORDERS[0], paid: 'paid', amount: 'amount', fulfilled: 'fulfilled' },
  },
  missing: [
    `The shop shows no order as JSON at ${USUAL_ORDERS[0]}. docs/how-to/check-my-shop.md has the lines for it.`,
  ],
})

function describePlan(ways: Ways, get: string, found: FoundMembers, quiet: number): FoundPlan {
  const replacesCounter = found.fulfilled === undefined && found.paid !== undefined
  const members = replacesCounter ? { ...found, fulfilled: [found.paid].flat()[0] } : found
  const missing = Object.keys(ORDER_MEMBERS).filter((name) => !(name in members))
  return {
    plan: { ...ways, order: { get, ...members }, quiet },
    missing: [
      ...('report' in ways
        ? ['Write at "report" the address to which the page reports a payment.']
        : []),
      ...(replacesCounter
        ? [
            'The order does not show how often the goods were sent. The plan uses "paid", so the check cannot see goods that were sent twice.',
          ]
        : []),
      ...missing.map((name) => `The order does not show "${name}": its cases are not checked.`),
      ...(Object.keys(OPTIONAL_MEMBERS) as (keyof typeof OPTIONAL_MEMBERS)[])
        .filter((name) => !(name in ways))
        .map((name) => `Not found: ${planLine(name)} checks ${OPTIONAL_MEMBERS[name][0]}.`),
    ],
  }
}

type Ways = { readonly buy: object; readonly report?: object }

async function findWayToBuy(
  openStage: (plan: object) => Stage,
  shopUrl: string,
  { merchantId, url }: { readonly merchantId: number; readonly url: string },
) {
  const { text: home } = await request(shopUrl)
  const forms = findForms(home, new URL(shopUrl)).filter(({ method }) => method === 'POST')
  const own = forms.map((form) => ({
    post: form.url.pathname + form.url.search,
    ...(form.fields.size > 0 && { fields: Object.fromEntries(form.fields) }),
  }))
  for (const way of [...own, ...USUAL_WAYS])
    for (const ways of [{ buy: way }, { buy: way, report: USUAL_REPORT }]) {
      const stage = openStage({ ...ways, order: { get: '/' } })
      try {
        return { ways, purchase: await buy(stage), stage }
      } catch (error) {
        if (!(error instanceof CheckError)) throw error
        if (!(error instanceof NoReportError)) break
      }
    }
  throw new CheckError(
    `No way to buy in ${shopUrl} led to a payment page of merchant ${merchantId} at ${url}. Write "buy" into the plan.`,
  )
}

/** Milliseconds between two reads, without a change before an order is final, and in all. */
const [POLL_MS, FINAL_MS, LONGEST_MS] = [50, 1_500, 20_000]

/** Reads an order until it does not change any more. @returns the milliseconds to its last change */
async function watchOrder(
  before: OrderMembers,
  read: () => Promise<OrderMembers>,
  time: CheckTime,
): Promise<{ readonly seen: OrderMembers; readonly took: number }> {
  const started = time.elapsed()
  let seen = before
  let changedAt = started
  while (time.elapsed() - changedAt < FINAL_MS && time.elapsed() - started < LONGEST_MS) {
    const now = await read()
    if (JSON.stringify([...now]) !== JSON.stringify([...seen])) {
      seen = now
      changedAt = time.elapsed()
    }
    await time.wait(POLL_MS)
  }
  return { seen, took: changedAt - started }
}

/** Members of an order by name, such as `order.status`. */
type OrderMembers = ReadonlyMap<string, unknown>

async function findOrder(shopUrl: string, purchase: Purchase) {
  for (const get of USUAL_ORDERS) {
    const shown = await readOrder(get, shopUrl, purchase)
    if (shown) return { get, shown }
  }
  return undefined
}

async function readOrder(
  get: string,
  shopUrl: string,
  { payment_ref }: Purchase,
): Promise<OrderMembers | undefined> {
  try {
    const address = new URL(get.replace('{payment_ref}', encodeURIComponent(payment_ref)), shopUrl)
    const answer = await request(address, { headers: { accept: 'application/json' } })
    const order: unknown = JSON.parse(answer.text)
    return answer.status === 200 && typeof order === 'object' && order !== null
      ? new Map(flattenMembers(order))
      : undefined
  } catch (error) {
    if (error instanceof CheckError || error instanceof SyntaxError) return undefined
    throw error
  }
}

type FoundMembers = Readonly<Record<string, string | readonly string[]>>

/** Compares an order before its payment, after it, and after a refund. */
function findMembers(
  before: OrderMembers,
  after: OrderMembers,
  refunded: OrderMembers,
  { amount, currency }: Purchase,
): FoundMembers {
  const find = (name: RegExp, fits: (value: unknown, member: string) => boolean) =>
    [...after].find(([member, value]) => name.test(member) && fits(value, member))?.[0]
  const hasChanged = (value: unknown, member: string) => value !== before.get(member)
  const paid = find(/paid|status|state/i, hasChanged)
  const conditions = [after, refunded].map((order) => `${paid} = '${order.get(paid ?? '')}'`)
  const [condition = '', ...others] = [...new Set(conditions)]
  const isFlag = paid === undefined || after.get(paid) === true
  const found = {
    paid: isFlag ? paid : others.length > 0 ? [condition, ...others] : condition,
    amount: find(/amount|total|sum|price/i, (text) => Number(text) === Number(amount)),
    currency: find(/currency/i, (text) => String(text).toLowerCase() === currency.toLowerCase()),
    fulfilled: find(/fulfil|ship|deliver|sent/i, () => true),
    refunded: find(/refund/i, () => true),
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, member]) => (member ? [[name, member]] : [])),
  )
}
