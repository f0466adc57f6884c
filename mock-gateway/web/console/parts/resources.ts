import { cancelStoredCard } from '../../../cards/stored-cards.ts'
import type { Plan, Subscription, Transaction } from '../../../contract/wire.ts'
import { changeCustomer, createCustomer } from '../../../customers/customers.ts'
import { formatCardType } from '../../../domain/card/card-types.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { formatAmount, hundredths } from '../../../domain/money/money.ts'
import { STATES } from '../../../domain/order/states.ts'
import { isUnpaid } from '../../../domain/subscription/dunning.ts'
import { readCreateCustomer, readUpdateCustomer } from '../../../parsing/customer.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { readCreatePlan, readUpdatePlan } from '../../../parsing/plan-terms.ts'
import {
  presentRefunds,
  presentStoredCards,
  presentSubscriptions,
  presentTransactions,
} from '../../../serializers/present.ts'
import { presentCustomer, presentPlan } from '../../../serializers/resources.ts'
import { formatWireTime } from '../../../serializers/time.ts'
import type { ViewContext } from '../../../serializers/transaction.ts'
import { countNewestPayments, OVERVIEW_ROWS } from '../../../storage/overview.ts'
import { countRows, findRows, type Row } from '../../../storage/rows.ts'
import { findSumsOfCustomers } from '../../../storage/sums.ts'
import { loadRecords } from '../../../storage/transaction-parts.ts'
import { cancelPlan, changePlan, createPlan } from '../../../subscriptions/plans.ts'
import { cancelSubscription } from '../../../subscriptions/subscriptions.ts'
import type { OpenWork } from '../../../work/work.ts'
import { createWork } from '../../http/exchange.ts'
import { maskCardNumbers } from '../../http/mask-card-numbers.ts'
import { formatDay } from '../../pages/times.ts'
import { returnedMoney } from '../payments/payment-summary.ts'
import { type MerchantVisit, nameOne, type ResourceName } from '../visit.ts'
import { findWebhookStates } from '../webhooks/attempts.ts'
import {
  type Cell,
  type CellValue,
  card,
  copied,
  formatCount,
  formatDescription,
  link,
  money,
  moneyList,
  orderLink,
  type Price,
  paymentStatus,
  presentAmount,
  quantity,
  status,
  time,
} from './cells.ts'
import { formatLabel } from './filters.ts'
import type { FormFields } from './forms.ts'
import type { Column } from './table.ts'
import { readPriceLines } from './typed-amount.ts'

export type Wire = JsonObject & { readonly id: number }

export interface Resource<Name extends ResourceName = ResourceName> {
  /** Name of a row, if each day of the list has a heading. */
  readonly days?: string
  present(
    viewing: ViewContext,
    rows: readonly Row<Name>[],
  ): Promise<readonly object[]> | readonly object[]
  readonly columns: readonly Column<Wire>[]
  /** Reads further fields for the columns, in the order of the rows. */
  more?(viewing: ViewContext, rows: readonly Row<Name>[]): Promise<readonly JsonObject[]>
  count?(
    queries: ViewContext['queries'],
    merchantId: number,
  ): Promise<Readonly<Record<string, number>>>
  /** Filters of its list, with their values if there are few. */
  readonly filters: Readonly<Record<string, readonly string[]>>
  /** Lists of related objects by name, with the column of their owner. */
  readonly parts?: Readonly<Partial<Record<ResourceName, string>>>
  readonly form?: ResourceForm
  cancel?(work: OpenWork, id: number): Promise<unknown>
}

/** The forms that create and change objects, with the fields of the API's calls. */
export interface ResourceForm {
  readonly fields: FormFields
  readonly more: FormFields
  /** Reads the form as the API reads a call, and saves the object. @param id undefined: a new one */
  save(visit: MerchantVisit, sent: Parameters, id: number | undefined): Promise<unknown>
}

const ID: Column<Wire> = ['Id', ({ id }) => copied(id), 'file']
const created = (object: Wire) => time(String(object.created_at))
const state = (object: Wire) => status(String(object.status))
const of = (name: string) => (object: Wire) => object[name] as string

/** Links an object by what people call it, or by its id if it has no name. */
const named = (resource: ResourceName, name: string) => (object: Wire, home: string) => ({
  ...link(String(object[name] || object.id), `${home}/${resource}/${object.id}`),
  wire: String(object[name] ?? ''),
})
/** Links to a related object by what people call it; a file contains its id. */
const owner =
  (resource: ResourceName, one: string, name = 'id') =>
  (object: Wire, home: string) => {
    const related = object[one] as Wire | null
    return related ? { ...named(resource, name)(related, home), wire: String(related.id) } : ''
  }

/** Links to the stored card of a subscription. */
function createCardCell({ stored_card }: Wire, home: string): CellValue {
  const stored = stored_card as Wire | null
  return stored ? { ...card(stored), to: `${home}/stored_cards/${stored.id}` } : ''
}

/** Names a refund by the order of its payment. */
function createRefundCell({ id, transaction }: Wire, home: string): Cell {
  const { id: payment, payment_ref } = transaction as Wire
  return copied(link(String(payment_ref || `Transaction ${payment}`), `${home}/refunds/${id}`))
}

/** Names an object by its person, with the reference of the customer in small text. */
const person =
  (resource: 'customers' | 'subscriptions') =>
  (object: Wire, home: string): Cell => {
    const { ref } = (object.customer ?? object) as Wire
    const { card_holder = object.name } = (object.stored_card ?? {}) as JsonObject
    const name = String(card_holder || ref || `${formatLabel(nameOne(resource))} ${object.id}`)
    return {
      ...link(name, `${home}/${resource}/${object.id}`),
      note: ref === name ? null : (ref as string),
    }
  }

/** Links the holder of a card to its customer. */
function createHolderCell({ card_holder, customer }: Wire, home: string): Cell {
  const id = String((customer as Wire | null)?.id ?? '')
  return { text: String(card_holder), to: id && `${home}/customers/${id}`, wire: id }
}

/** Shows the prices of a plan with their period: `99.00 SEK a month`. */
const createPriceCell = (object: Wire): Cell =>
  moneyList(
    Object.entries(object.prices as Plan['prices']).map(([currency, amount]) => [amount, currency]),
    ` ${object.interval === 1 ? 'a' : 'every'} ${formatInterval(object as unknown as Plan)}`,
  )

function createSubscriptionState(object: Wire): Cell {
  const subscription = object as unknown as Subscription
  if (!isUnpaid(subscription)) return state(object)
  const failed = `${formatCount(subscription.retry_count, 'charge')} failed`
  return { ...status('unpaid'), text: `Unpaid, ${failed}`, wire: subscription.status }
}

const ACTIVE = ['active', 'cancelled'] as const

const SUBSCRIPTION_PARTS = new Set(['plan', 'customer', 'stored_card'])

/** Counts payments by status, unless there are too many to count on each page. */
async function countPayments(queries: ViewContext['queries'], merchantId: number) {
  const counts = await countNewestPayments(queries, merchantId, Number.MAX_SAFE_INTEGER)
  const sum = (some: typeof counts) => some.reduce((total, { count }) => total + count, 0)
  if (sum(counts) === OVERVIEW_ROWS) return {}
  const tabs = ['approved', 'declined', '3ds pending', 'authorized'].map((state) => [
    `transactions?filter[status]=${state.replace(' ', '+')}`,
    sum(counts.filter(({ status }) => status === state)),
  ])
  return { transactions: sum(counts), ...Object.fromEntries(tabs) }
}

function describeChannel(row: Row<'transactions'>): string {
  const { subscription_id, transaction_type, payment_link_id, attempt, payment_request } = row
  if (subscription_id !== null && transaction_type === 'recurring')
    return `Subscription ${subscription_id}`
  if (payment_link_id !== null) return 'Payment link'
  if (attempt !== null) return 'Library'
  return String(payment_request.process) === 'false' ? 'Payment page' : 'API'
}

/** Shows the status of a payment; refunds and releases are no status of the API. */
function createStateCell(object: Wire): Cell {
  const returned = returnedMoney(object as unknown as Transaction)
  return returned
    ? { ...status(returned.name), wire: String(object.status) }
    : paymentStatus(String(object.status))
}

/** Shows the shop's last answer to a payment's webhooks; before the first attempt, their status. */
const createWebhookCell = ({ told, answer }: Wire): CellValue =>
  answer
    ? { text: String(answer), tone: told === 'delivered' ? 'good' : 'bad', wire: String(told) }
    : told
      ? status(told === 'dead' ? 'failed' : String(told))
      : ''

/** Gives the reason of a status: the error, what is waited for, or what was returned. */
function findReason(object: Wire): CellValue {
  const { status: state, refunds, error } = object as unknown as Transaction
  if (error) {
    const { name, description, code } = error
    const isDecline = name === 'errors.payment.declined'
    const text = isDecline ? 'by the bank' : formatDescription(description, code)
    return { text, wire: `${description} (${code})` }
  }
  if (state === '3ds pending') return 'waits for the payer'
  const last = refunds.at(-1)
  return last ? `${presentAmount(last.amount)} on ${formatDay(last.created_at)}` : ''
}

/** Names a period: `month`, `14 days`. */
const formatInterval = ({ interval, interval_unit }: Pick<Plan, 'interval' | 'interval_unit'>) =>
  interval === 1 ? interval_unit.slice(0, -1) : `${interval} ${interval_unit}`

/** Reads what customers have paid in each currency, and the payer of their newest payment. */
async function findCustomerPayments(
  { queries, merchant }: ViewContext,
  rows: readonly Row<'customers'>[],
): Promise<readonly JsonObject[]> {
  const ids = rows.map(({ id }) => id)
  const sums = await findSumsOfCustomers(queries, merchant.id, ids)
  const newestIds = [...sums.values()].map(({ newest }) => newest)
  const payments = await findRows(queries, 'transactions', merchant.id, newestIds)
  return ids.map((id) => {
    const { payments: count = 0, newest = 0, paid = [] } = sums.get(id) ?? {}
    const payment = payments.get(newest)
    const { first_name, last_name, email = null } = payment?.payment_details ?? {}
    const name = [first_name, last_name].filter(Boolean).join(' ') || (payment?.card_holder ?? null)
    return {
      ...{ name, email, count },
      paid: [...paid].map(([currency, sum]) => [formatAmount(hundredths(sum)), currency]),
      card_type: payment?.card_type ? formatCardType(payment.card_type) : null,
      card_number: payment?.card_number ?? null,
      newest_at: payment ? formatWireTime(payment.created_at) : null,
    }
  })
}

/** One currency on each line. */
const PRICE_LINES = { kind: 'json', placeholder: 'sek 99.00\neur 9.90' } as const

const PLAN_FORM: ResourceForm = {
  fields: { name: {}, interval: {}, interval_unit: {}, prices: PRICE_LINES },
  more: {
    description: { kind: 'long' },
    setup_fees: PRICE_LINES,
    periods: { usual: '0' },
    trial_length: { usual: '0' },
    status: { usual: 'active' },
  },
  save({ response }, sent, id) {
    const work = createWork(response)
    const terms = maskCardNumbers(response, readPriceLines(sent))
    return id === undefined
      ? createPlan(work, readCreatePlan(terms))
      : changePlan(work, readUpdatePlan(id, terms))
  },
}

const CUSTOMER_FORM: ResourceForm = {
  fields: { ref: {}, metadata: { kind: 'json' } },
  more: {},
  save({ response }, sent, id) {
    const work = createWork(response)
    return id === undefined
      ? createCustomer(work, maskCardNumbers(response, readCreateCustomer(sent)))
      : changeCustomer(work, maskCardNumbers(response, readUpdateCustomer(id, sent)))
  },
}

const RESOURCES: { readonly [Name in ResourceName]: Resource<Name> } = {
  transactions: {
    days: 'payment',
    present: async (viewing, rows) =>
      presentTransactions(viewing, await loadRecords(viewing.queries, rows)),
    count: countPayments,
    more: async ({ queries }, rows) => {
      const ids = rows.map(({ id }) => id)
      const webhooks = await findWebhookStates(queries, ids)
      return rows.map((row) => ({ through: describeChannel(row), ...webhooks.get(row.id) }))
    },
    columns: [
      ID,
      [
        'Order',
        ({ id, payment_ref }, home) => copied(orderLink(id, payment_ref as string, home)),
        'first',
      ],
      ['Amount', ({ amount, currency }) => money(String(amount), String(currency)), 'first-end'],
      ['Status', createStateCell, 'second'],
      ['Reason', findReason],
      ['Paid with', card],
      ['Through', of('through')],
      ['Webhook', createWebhookCell],
      ['Created', created, 'second-end'],
    ],
    filters: {
      payment_ref: [],
      status: Object.keys(STATES),
      created_at: [],
      amount: [],
      card_number: [],
      test: [],
    },
  },
  refunds: {
    days: 'refund',
    // A refund has the currency of its transaction.
    present: (viewing, rows) =>
      presentRefunds({ ...viewing, extend: new Set(['transaction']) }, rows),
    columns: [
      ID,
      ['Order', createRefundCell, 'first'],
      [
        'Amount',
        ({ amount, transaction }) =>
          money(String(amount), (transaction as { readonly currency: string }).currency),
        'first-end',
      ],
      ['Reason', of('reason'), 'second'],
      ['Transaction', owner('transactions', 'transaction'), 'file'],
      ['Created', created, 'second-end'],
    ],
    filters: { reason: [], transaction_id: [] },
  },
  subscriptions: {
    present: (viewing, rows) =>
      presentSubscriptions({ ...viewing, extend: SUBSCRIPTION_PARTS }, rows),
    columns: [
      ID,
      ['Subscription', person('subscriptions'), 'first'],
      ['Plan', owner('plans', 'plan', 'name'), 'second'],
      ['Price', ({ price, currency }) => money(String(price), String(currency)), 'second-end'],
      ['Status', createSubscriptionState, 'first-end'],
      [
        'Next charge',
        (object) => (object.status === 'active' ? time(String(object.next_at)) : ''),
        'third',
      ],
      ['Periods paid', ({ period_count }) => quantity(period_count as number)],
      ['Created', created],
      ['Customer', owner('customers', 'customer', 'ref'), 'file'],
      ['Card', createCardCell, 'file'],
      ['Every', (object) => formatInterval(object as unknown as Subscription), 'file'],
    ],
    filters: { customer_id: [], status: ACTIVE },
    cancel: cancelSubscription,
  },
  plans: {
    present: (_viewing, rows) => rows.map(presentPlan),
    more: ({ queries }, rows) =>
      Promise.all(
        rows.map(async ({ id }) => ({
          subscribers: await countRows(queries, 'subscriptions', { plan_id: id, status: 'active' }),
        })),
      ),
    columns: [
      ID,
      ['Name', named('plans', 'name'), 'first'],
      ['Price', createPriceCell, 'second'],
      ['Subscribers', ({ subscribers }) => quantity(subscribers as number), 'second-end'],
      ['Status', state, 'first-end'],
      ['Created', created],
    ],
    filters: { name: [], status: ACTIVE },
    parts: { subscriptions: 'plan_id' },
    form: PLAN_FORM,
    cancel: cancelPlan,
  },
  customers: {
    present: (_viewing, rows) => rows.map(presentCustomer),
    more: findCustomerPayments,
    columns: [
      ID,
      ['Name', person('customers'), 'first'],
      ['Ref', of('ref'), 'file'],
      ['E-mail', ({ email }) => copied(email as string | null), 'second'],
      ['Card', card, 'second-end'],
      ['Payments', ({ count }) => quantity(count as number)],
      [
        'Paid in total',
        ({ paid }) => ({ ...moneyList(paid as readonly Price[]), quantity: true }),
        'first-end',
      ],
      ['Newest payment', ({ newest_at }) => (newest_at ? time(String(newest_at)) : '')],
      ['Created', created, 'file'],
    ],
    filters: { ref: [] },
    form: CUSTOMER_FORM,
    parts: {
      transactions: 'customer_id',
      stored_cards: 'customer_id',
      subscriptions: 'customer_id',
    },
  },
  stored_cards: {
    present: presentStoredCards,
    columns: [
      ID,
      [
        'Card',
        (object, home) => ({ ...card(object), to: `${home}/stored_cards/${object.id}` }),
        'first',
      ],
      ['Holder', of('card_holder'), 'file'],
      ['Customer', createHolderCell, 'second'],
      ['Expires', ({ expires }) => String(expires).slice(0, 7), 'first-end'],
      ['Status', state, 'second-end'],
      ['Created', created],
    ],
    filters: { card_number: [], status: ACTIVE, token: [] },
    parts: { transactions: 'stored_card_id', subscriptions: 'stored_card_id' },
    cancel: cancelStoredCard,
  },
}

export const getResource = (name: ResourceName): Resource => RESOURCES[name]

export const RESOURCE_NAMES = Object.keys(RESOURCES) as ResourceName[]
