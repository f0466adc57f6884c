import { CheckError } from './check-error.ts'
import { createStage } from './create-stage.ts'
import { NoReportError } from './library-shop.ts'
import { readPlan } from './plan.ts'
import { findForms, request } from './shop-calls.ts'
import type { CheckedGateway, Purchase } from './stage.ts'

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
 * Finds how to buy in a shop and how to see an order: buys once, pays, and compares the order
 * before and after.
 * @throws CheckError when no way to buy leads to a payment page
 */
export async function findPlan(gateway: CheckedGateway, shopUrl: string): Promise<FoundPlan> {
  const { ways, purchase, stage } = await findWayToBuy(gateway, shopUrl)
  const order = await findOrder(shopUrl, purchase)
  if (!order)
    return {
      plan: {
        ...ways,
        order: { get: USUAL_ORDERS[0], paid: 'paid', amount: 'amount', fulfilled: 'fulfilled' },
      },
      missing: [
        `The shop shows no order as JSON at ${USUAL_ORDERS[0]}. docs/how-to/check-my-shop.md has the lines for it.`,
      ],
    }
  await stage.visit(await stage.pay(purchase))
  const after = await readOrder(order.get, shopUrl, purchase)
  const found = findMembers(order.shown, after ?? order.shown, purchase)
  const replacesCounter = found.fulfilled === undefined && found.paid !== undefined
  const members = replacesCounter ? { ...found, fulfilled: found.paid } : found
  const missing = ['paid', 'amount', 'currency', 'fulfilled', 'refunded'].filter(
    (name) => !(name in members),
  )
  return {
    plan: { ...ways, order: { get: order.get, ...members } },
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
    ],
  }
}

async function findWayToBuy(gateway: CheckedGateway, shopUrl: string) {
  const { text: home } = await request(shopUrl)
  const forms = findForms(home, new URL(shopUrl)).filter(({ method }) => method === 'POST')
  const own = forms.map(({ url, fields }) => ({
    post: url.pathname + url.search,
    ...(fields.size > 0 && { fields: Object.fromEntries(fields) }),
  }))
  for (const buy of [...own, ...USUAL_WAYS])
    for (const ways of [{ buy }, { buy, report: USUAL_REPORT }]) {
      const plan = JSON.stringify({ ...ways, order: { get: '/' } })
      const stage = createStage(gateway, readPlan(plan, shopUrl, gateway.url))
      try {
        return { ways, purchase: await stage.buy(), stage }
      } catch (error) {
        if (!(error instanceof CheckError)) throw error
        if (!(error instanceof NoReportError)) break
      }
    }
  throw new CheckError(
    `No way to buy in ${shopUrl} led to a payment page of merchant ${gateway.merchant.id} at ${gateway.url}. Write "buy" into the plan.`,
  )
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
  { paymentRef }: Purchase,
): Promise<OrderMembers | undefined> {
  try {
    const address = new URL(get.replace('{payment_ref}', encodeURIComponent(paymentRef)), shopUrl)
    const answer = await request(address, { headers: { accept: 'application/json' } })
    const order: unknown = JSON.parse(answer.text)
    return answer.status === 200 && typeof order === 'object' && order !== null
      ? new Map(membersOf(order))
      : undefined
  } catch (error) {
    if (error instanceof CheckError || error instanceof SyntaxError) return undefined
    throw error
  }
}

const membersOf = (value: object, path = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    typeof inner === 'object' && inner !== null
      ? membersOf(inner, `${path}${name}.`)
      : [[path + name, inner]],
  )

/** Compares an order before and after its payment. */
function findMembers(
  before: OrderMembers,
  after: OrderMembers,
  { amount, currency }: Purchase,
): Record<string, string> {
  const find = (name: RegExp, fits: (value: unknown, member: string) => boolean) =>
    [...after].find(([member, value]) => name.test(member) && fits(value, member))?.[0]
  const hasChanged = (value: unknown, member: string) => value !== before.get(member)
  const paid = find(/paid|status|state/i, hasChanged)
  const value = paid === undefined ? undefined : after.get(paid)
  const found = {
    paid: value === true ? paid : paid && `${paid} = '${value}'`,
    amount: find(/amount|total|sum|price/i, (text) => Number(text) === Number(amount)),
    currency: find(/currency/i, (text) => String(text).toLowerCase() === currency.toLowerCase()),
    fulfilled: find(/fulfil|ship|deliver|sent/i, () => true),
    refunded: find(/refund/i, () => true),
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, member]) => (member ? [[name, member]] : [])),
  )
}
