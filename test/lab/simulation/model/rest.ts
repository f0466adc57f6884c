import { callApi } from '../clients/calls.ts'
import type { Acting } from '../clients/machine.ts'
import { MERCHANTS } from '../runs/plan.ts'
import type { Simulation } from '../runs/simulation.ts'
import { hundredthsOf, type Order } from './ledger.ts'

/** Members of list items that are checked. */
interface Listed {
  readonly id: number
}

interface ListedTransaction extends Listed {
  readonly status: string
  readonly payment_ref: string
  readonly amount: string
  readonly captures: readonly { readonly amount: string }[]
}

interface ListedRefund extends Listed {
  readonly amount: string
  readonly transaction: { readonly id: number }
}

/**
 * Checks at the end that everything answered is stored, that everything stored was requested, and
 * that the totals of lists are right.
 */
export async function holdRest(simulation: Simulation): Promise<void> {
  const { model, store } = simulation
  model.step()
  model.webhooks.holdComplete(store.rows('select message_id, status, type from webhook_deliveries'))
  for (const merchant of MERCHANTS) {
    const auditor = { kind: 'shop', name: `auditor of ${merchant}`, merchant, turns: 0 } as const
    const acting = { simulation, plan: auditor, chance: simulation.chance(auditor.name) }
    const transactions = await all<ListedTransaction>(acting, 'transactions')
    const refunds = await all<ListedRefund>(acting, 'refunds')
    // Checks one of the other lists. Each run chooses a random one.
    await all(acting, acting.chance.pick(LISTS))
    await all(acting, 'transactions', `&filter[status]=${acting.chance.pick(STATUSES)}`)
    for (const order of model.ledger.orders)
      if (order.merchant === merchant) holdOrder(simulation, order, transactions, refunds)
  }
}

const LISTS = ['subscriptions', 'stored_cards', 'plans', 'customers'] as const

/** Statuses of transactions that are counted separately, each with its own list. */
const STATUSES = ['pending', 'authorized', 'approved', 'declined'] as const

const PAGE = 7

/** Reads all pages of a list, and checks the total on each page. */
async function all<Row extends Listed>(
  acting: Acting,
  list: string,
  filter = '',
): Promise<readonly Row[]> {
  const { fail } = acting.simulation
  const rows: Row[] = []
  const totals = new Set<number>()
  for (;;) {
    const path = `/v1/${list}?limit=${PAGE}&offset=${rows.length}&order_by=id:asc${filter}`
    const said = await callApi<readonly Row[]>(acting, 'GET', path)
    if (said.kind !== 'yes') return fail('rest', `the list of ${list} was not answered at rest`)
    rows.push(...said.body)
    totals.add(said.total)
    if (said.body.length < PAGE) break
  }
  if (totals.size > 1 || !totals.has(rows.length))
    fail('totals', `${rows.length} ${list}, of which the list says ${[...totals].join(' and ')}`)
  return rows
}

/** Checks a stored order against the requests of its shop. */
function holdOrder(
  { fail }: Simulation,
  order: Order,
  transactions: readonly ListedTransaction[],
  refunds: readonly ListedRefund[],
): void {
  const { paymentRef, asked } = order
  const own = transactions.filter(({ payment_ref }) => payment_ref === paymentRef)
  const of = (...what: readonly string[]) => asked.filter((each) => what.includes(each.what))
  for (const { result, id } of of('create', 'pay'))
    if (result === 'yes' && !own.some((row) => row.id === (id ?? row.id)))
      fail('lost', `${paymentRef} was answered as transaction ${id}, which is gone`)
  const [success] = own.filter(({ status }) => status === 'approved' || status === 'authorized')
  const paid = of('pay')
  if (success && paid.every(({ result }) => result === 'no'))
    fail('nobody asked', `${paymentRef} is ${success.status}, and every try was refused`)
  if (!success && paid.some(({ result }) => result === 'yes'))
    fail('lost', `the payment of ${paymentRef} is gone`)
  const captured = own.flatMap(({ captures }) => captures.map(({ amount }) => hundredthsOf(amount)))
  const captures = of('capture')
  holdAmounts(fail, `captures of ${paymentRef}`, captured, captures)
  const ids = new Set(own.map(({ id }) => id))
  const given = refunds.filter(({ transaction }) => ids.has(transaction.id))
  holdAmounts(
    fail,
    `refunds of ${paymentRef}`,
    given.map(({ amount }) => hundredthsOf(amount)),
    of('refund'),
  )
  for (const { result, id } of of('refund'))
    if (result === 'yes' && !given.some((row) => row.id === (id ?? row.id)))
      fail('lost', `refund ${id} of ${paymentRef} is gone`)
}

/**
 * Checks that each stored amount was requested exactly once, and that each answered amount is
 * stored.
 */
function holdAmounts(
  fail: Simulation['fail'],
  what: string,
  found: readonly number[],
  asked: readonly { readonly amount: number; readonly result: string }[],
): void {
  const left = asked.filter(({ result }) => result !== 'no').map(({ amount }) => amount)
  for (const amount of found) {
    const place = left.indexOf(amount)
    if (place < 0)
      fail('nobody asked', `the ${what} have ${amount} hundredths that nobody asked for`)
    left.splice(place, 1)
  }
  const sure = asked.filter(({ result }) => result === 'yes').map(({ amount }) => amount)
  const there = [...found]
  for (const amount of sure) {
    const place = there.indexOf(amount)
    if (place < 0) fail('lost', `${amount} hundredths of the ${what} are gone`)
    there.splice(place, 1)
  }
}
