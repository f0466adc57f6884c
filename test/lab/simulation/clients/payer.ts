import { type Asked, amountOf, ask, type Order } from '../model/ledger.ts'
import type { Answered } from '../runs/gateways.ts'
import { type Fields, form, signed, URLS } from '../runs/merchants.ts'
import { type Acting, type Acts, step, type Table } from './machine.ts'

type State = 'comes' | 'at the page' | 'at the bank' | 'has an answer'
type Act =
  | 'open'
  | 'payAtOnce'
  | 'pay'
  | 'payTwice'
  | 'look'
  | 'code'
  | 'wrongCode'
  | 'goOn'
  | 'goOnTwice'
  | 'leave'

/** Actions of payers by their page. A payer who has paid or left returns with another order. */
const VISIT: Table<State, Act> = {
  comes: { open: 3, payAtOnce: 2 },
  'at the page': { pay: 5, payTwice: 2, look: 1, leave: 1 },
  'at the bank': { code: 6, wrongCode: 1, look: 1, leave: 1 },
  'has an answer': { goOn: 4, goOnTwice: 2, look: 1, leave: 1 },
}

/** Payer on the gateway's own pages, with a browser without scripts. */
interface Visit {
  state: string
  order?: Order | undefined
  /** Path of the payer's open page, at the gateway or the bank. */
  at?: string | undefined
  /** Signed answer of the bank, which the browser brings back. */
  answer?: string | undefined
  /** Running attempt to pay. */
  asked?: Asked | undefined
}

const OWN = 'http://localhost:4400'
const SHOP: Fields = { ...URLS }

/** Cards by their result: paid immediately, or a challenge with a code. */
const CARDS = { '4111111111111111': 3, '4000000000001091': 4 }
const CVV = { 200: 8, 201: 1, '': 1 }

/** Correct code of the simulated bank. */
const CODE = '1234'
const WRONG = '0000'

const card = ({ chance }: Acting): Fields => ({
  card_number: chance.weighed(CARDS),
  card_holder: 'Anna Andersson',
  card_expiry: '1230',
  card_cvv: chance.weighed(CVV),
})

/**
 * Sends a request like a browser and follows its redirects.
 * @returns undefined if an answer was lost
 */
async function browse(
  acting: Acting,
  method: string,
  path: string,
  fields?: Fields,
): Promise<Seen | undefined> {
  const { simulation, plan, chance } = acting
  const headers: Record<string, string> = fields
    ? { 'content-type': 'application/x-www-form-urlencoded' }
    : {}
  const heard = await simulation.send(plan.name, chance, {
    method,
    path,
    headers,
    body: fields && form(fields),
  })
  if (heard.lost) return undefined
  const next = heard.headers.get('location')
  if (next?.startsWith(OWN)) return browse(acting, 'GET', next.slice(OWN.length))
  return { ...heard, path, shop: next === null ? undefined : new URL(next).searchParams }
}

/** Page that the payer sees. */
interface Seen extends Answered {
  readonly path: string
  /** Query of the redirect to the shop, if there was one. */
  readonly shop: URLSearchParams | undefined
}

/** Error after which the result is unknown, because the database did not answer. */
const UNKNOWN = 'errors.service_not_available'

const IS_PAID = ['approved', 'authorized']

/** Records the page of a payer, and its address. */
function see(visit: Visit, seen: Seen | undefined): State {
  if (!seen) return visit.state as State
  const { path, shop, status, text } = seen
  if (shop) return leadBack(visit, shop)
  visit.at = path
  visit.answer = /name="cres" value="([^"]*)"/.exec(text)?.[1]
  if (visit.answer !== undefined) return 'has an answer'
  if (/data-testid="bank-code"/.test(text)) return 'at the bank'
  if (/id="mondidopayform"/.test(text)) return atForm(visit, seen)
  return status === 200 ? (visit.state as State) : endVisit(visit)
}

/** Returns the state of a payer who sees the form again, which means that nothing was paid. */
function atForm({ asked }: Visit, { status, path }: Seen): State {
  if (asked && (status === 422 || path.includes('error_name='))) asked.result = 'no'
  return 'at the page'
}

function leadBack(visit: Visit, shop: URLSearchParams): State {
  const { asked } = visit
  const isPaid = IS_PAID.includes(shop.get('status') ?? '')
  if (asked && isPaid)
    Object.assign(asked, { result: 'yes', id: Number(shop.get('transaction_id')) })
  if (asked && shop.has('error_name') && shop.get('error_name') !== UNKNOWN) asked.result = 'no'
  return endVisit(visit)
}

/** Ends the visit. Its order becomes `unknown`, so the shop looks it up and refunds it. */
function endVisit(visit: Visit): State {
  if (visit.order) visit.order.state = 'unknown'
  visit.order = undefined
  visit.asked = undefined
  visit.at = undefined
  return 'comes'
}

function newOrder({ chance, plan, simulation }: Acting): Order {
  const { ledger } = simulation.model
  return ledger.add({
    merchant: plan.merchant,
    paymentRef: `order-${ledger.orders.length + 1}`,
    amount: 100 + chance.below(5_000),
    authorize: chance.happens(0.3),
    state: 'at the payer’s',
  })
}

/** Leads the payer from the shop to the gateway, with an order that the shop has signed. */
async function come(acting: Acting, visit: Visit, paid?: Fields): Promise<State> {
  const order = newOrder(acting)
  visit.order = order
  const { merchant, paymentRef, amount, authorize } = order
  const asked = ask(order, paid ? 'pay' : 'create', amount)
  if (paid) visit.asked = asked
  const fields = {
    payment_ref: paymentRef,
    amount: amountOf(amount),
    currency: 'sek',
    test: true,
    authorize,
    ...SHOP,
  }
  const all = { merchant_id: merchant, ...fields, webhook: webhookOf(merchant), ...paid }
  const seen = await browse(acting, 'POST', '/v1/form', signed(merchant, all))
  return seen ? see(visit, seen) : endVisit(visit)
}

const webhookOf = (merchant: number) =>
  JSON.stringify({
    trigger: 'payment',
    url: `http://shop-${merchant}.example/hook`,
    http_method: 'post',
    data_format: 'json',
  })

async function pay(acting: Acting, visit: Visit): Promise<Seen | undefined> {
  if (visit.order) visit.asked = ask(visit.order, 'pay', visit.order.amount)
  return browse(acting, 'POST', visit.at ?? '', card(acting))
}

const goOn = (acting: Acting, { answer }: Visit) =>
  browse(acting, 'POST', '/v1/mpi_js/return', { cres: answer })

/** Clicks twice. The browser shows the answer that arrives last. */
const twice =
  (press: typeof pay) =>
  async (acting: Acting, visit: Visit): Promise<State> => {
    const [one, other] = await Promise.all([press(acting, visit), press(acting, visit)])
    // The second click can reach a payment that was made already, so the first answer counts for
    // the order.
    return see(visit, one?.shop ? one : other)
  }

const ACTS: Acts<State, Act, Visit> = {
  open: come,
  payAtOnce: (acting, visit) => come(acting, visit, card(acting)),
  pay: async (acting, visit) => see(visit, await pay(acting, visit)),
  payTwice: twice(pay),
  look: async (acting, visit) => see(visit, await browse(acting, 'GET', visit.at ?? '')),
  code: async (acting, visit) =>
    see(visit, await browse(acting, 'POST', visit.at ?? '', { action: 'code', code: CODE })),
  wrongCode: async (acting, visit) =>
    see(visit, await browse(acting, 'POST', visit.at ?? '', { action: 'code', code: WRONG })),
  goOn: async (acting, visit) => see(visit, await goOn(acting, visit)),
  goOnTwice: twice(goOn),
  leave: async (_acting, visit) => endVisit(visit),
}

export const newVisit = (): Visit => ({ state: 'comes' })

/** Runs a turn of a payer. */
export const payerTurn = (visit: Visit) => (acting: Acting) => step(VISIT, ACTS, acting, visit)
