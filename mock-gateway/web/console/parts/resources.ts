import type { Subscription, Transaction } from '../../../contract/wire.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { STATES } from '../../../domain/order/states.ts'
import { isUnpaid } from '../../../domain/subscription/dunning.ts'
import { presentCustomer } from '../../../serializers/customer.ts'
import { presentPlan } from '../../../serializers/plan.ts'
import {
  presentRefunds,
  presentStoredCards,
  presentSubscriptions,
  presentTransactions,
} from '../../../serializers/present.ts'
import type { ViewContext } from '../../../serializers/view-context.ts'
import { newestPayments, OVERVIEW_ROWS } from '../../../storage/overview.ts'
import type { Row } from '../../../storage/rows.ts'
import type { ListedTable } from '../../../storage/tables/schema.ts'
import { loadRecords } from '../../../storage/transaction-parts.ts'
import { deliveryStatesOf } from '../../../storage/webhook-deliveries.ts'
import { returnedMoney } from '../payments/payment-summary.ts'
import {
  amountText,
  type Cell,
  card,
  copied,
  link,
  money,
  moneyText,
  paymentStatus,
  plain,
  quantity,
  status,
  time,
} from './cells.ts'
import { dayText, type Table } from './table.ts'

/** Resources listed by the console, by their names in the API and the menu. */
export type ResourceName = Exclude<ListedTable, 'webhooks'>

/** An object in the API's format. */
export type Wire = JsonObject & { readonly id: number }

/** A filter that one press sets. */
interface Chip {
  readonly text: string
  readonly field: string
  /** @param day returns `YYYYMMDD` of a day before today */
  readonly value: (day: (before: number) => string) => string
}

/** Display of a resource in the console. */
export interface Resource {
  /** Name of one object. */
  readonly one: string
  /** @param rows of its table */
  present(
    viewing: ViewContext,
    rows: readonly unknown[],
  ): Promise<readonly object[]> | readonly object[]
  /** Columns of its list, by heading. */
  readonly columns: Readonly<Record<string, (object: Wire, home: string) => Cell>>
  /** Reads further fields of listed objects, in the order of the rows. */
  more?(viewing: ViewContext, rows: readonly unknown[]): Promise<readonly JsonObject[]>
  /** Counts the rows behind the tabs of its list, by their address. */
  count?(
    queries: ViewContext['queries'],
    merchantId: number,
  ): Promise<Readonly<Record<string, number>>>
  /** Place of each column on a phone, see `Table`. */
  readonly places: NonNullable<Table['places']>
  /** Filters of its list, with their values if there are few. */
  readonly filters: Readonly<Record<string, readonly string[]>>
  /** Filters with one press; a day is written as `20260401`. */
  readonly chips: readonly Chip[]
  /** True if forms create and change objects. */
  readonly hasForms: boolean
  /** Lists of related objects by name, with the column of their owner. */
  readonly parts: Readonly<Partial<Record<ResourceName, string>>>
}

const resource = <Name extends ResourceName>(
  one: string,
  present: (
    viewing: ViewContext,
    rows: readonly Row<Name>[],
  ) => Promise<readonly object[]> | readonly object[],
  shown: Pick<Resource, 'columns' | 'places' | 'filters'> &
    Partial<Omit<Resource, 'more'>> & {
      more?(viewing: ViewContext, rows: readonly Row<Name>[]): Promise<readonly JsonObject[]>
    },
): Resource => ({
  one,
  present: present as Resource['present'],
  chips: [],
  hasForms: false,
  parts: {},
  ...(shown as Pick<Resource, 'columns' | 'places' | 'filters'> & Partial<Resource>),
})

const created = (object: Wire) => time(String(object.created_at))
const state = (object: Wire) => status(String(object.status))
const of = (name: string) => (object: Wire) => plain(object[name] as string)
/** Links to a related object by its id. */
const to = (resource: ResourceName, name: string) => (object: Wire, home: string) => {
  const related = object[name] as { readonly id: number } | null
  return related ? link(related.id, `${home}/${resource}/${related.id}`) : plain('')
}
/** Links to a related object by what people call it; a file contains its id. */
const owner =
  (resource: ResourceName, one: string, name: string) => (object: Wire, home: string) => {
    const related = object[one] as JsonObject | null
    if (!related) return plain('')
    const id = String(related.id)
    return { ...link(String(related[name] || id), `${home}/${resource}/${id}`), wire: id }
  }
/** Links an object by what people call it. */
const named = (resource: ResourceName, name: string) => (object: Wire, home: string) =>
  object[name] ? link(String(object[name]), `${home}/${resource}/${object.id}`) : plain('')
const self = (resource: ResourceName) => (object: Wire, home: string) =>
  copied(link(object.id, `${home}/${resource}/${object.id}`))
const sum = (object: Wire) => money(String(object.amount), String(object.currency ?? ''))

const ACTIVE = ['active', 'cancelled'] as const

/** A refund has the currency of its transaction. */
const WITH_TRANSACTION: ReadonlySet<string> = new Set(['transaction'])

/** Columns of a subscription that show names of other objects. */
const WITH_OWNERS: ReadonlySet<string> = new Set(['plan', 'customer'])

/** Counts payments by status, unless there are too many to count on each page. */
async function countPayments(queries: ViewContext['queries'], merchantId: number) {
  const newest = await newestPayments(queries, merchantId)
  if (newest.length === OVERVIEW_ROWS) return {}
  const of = (state: string) => newest.filter(({ status: each }) => each === state).length
  return {
    transactions: newest.length,
    'transactions?filter[status]=approved': of('approved'),
    'transactions?filter[status]=declined': of('declined'),
    'transactions?filter[status]=3ds+pending': of('3ds pending'),
    'transactions?filter[status]=authorized': of('authorized'),
  }
}

/** Names where a payment came from. */
const throughOf = (row: Row<'transactions'>): string =>
  row.subscription_id !== null && row.transaction_type === 'recurring'
    ? `Subscription ${row.subscription_id}`
    : row.payment_link_id !== null
      ? 'Payment link'
      : row.attempt !== null
        ? 'Library'
        : row.payment_request.process === 'false' || row.payment_request.process === false
          ? 'Payment page'
          : 'API'

/** Gives the reason of a status: the error, what is waited for, or what was returned. */
function reasonOf(object: Wire): string {
  const { status: state, refunds, error } = object as unknown as Transaction
  if (error) return `${error.description} (${error.code})`
  if (state === '3ds pending') return 'waits for the payer'
  if (refunds.length === 0) return ''
  const [last] = refunds.toReversed()
  return `${amountText(String(last?.amount))} on ${dayText(String(last?.created_at).slice(0, 10))}`
}

/** Every listed resource, in the order of the menu. */
export const RESOURCES: Readonly<Record<ResourceName, Resource>> = {
  transactions: resource<'transactions'>(
    'transaction',
    async (viewing, rows) => presentTransactions(viewing, await loadRecords(viewing.queries, rows)),
    {
      count: countPayments,
      more: async ({ queries }, rows) => {
        const states = await deliveryStatesOf(
          queries,
          rows.map(({ id }) => id),
        )
        return rows.map((row) => ({ through: throughOf(row), told: states.get(row.id) ?? '' }))
      },
      columns: {
        Id: self('transactions'),
        Order: (object, home) => ({
          ...copied(link(object.payment_ref as string, `${home}/transactions/${object.id}`)),
          number: true,
        }),
        Amount: sum,
        Status: (object) => {
          const returned = returnedMoney(object as unknown as Transaction)
          return returned
            ? { ...status(returned.name), wire: String(object.status) }
            : paymentStatus(String(object.status))
        },
        Reason: (object) => plain(reasonOf(object)),
        'Paid with': card,
        Through: of('through'),
        Webhook: ({ told }) =>
          told ? status(told === 'dead' || told === 'failed' ? 'failed' : String(told)) : plain(''),
        Created: created,
      },
      places: [null, 'first', 'first-end', 'second', null, null, null, null, 'second-end'],
      filters: {
        payment_ref: [],
        status: Object.keys(STATES),
        created_at: [],
        amount: [],
        card_number: [],
        test: ['true', 'false'],
      },
      chips: [
        { text: 'today', field: 'created_at', value: (day) => day(0) },
        { text: 'yesterday', field: 'created_at', value: (day) => day(1) },
        { text: 'last 7 days', field: 'created_at', value: (day) => `${day(6)}..` },
      ],
    },
  ),
  refunds: resource<'refunds'>(
    'refund',
    (viewing, rows) => presentRefunds({ ...viewing, extend: WITH_TRANSACTION }, rows),
    {
      columns: {
        Id: self('refunds'),
        Created: created,
        Amount: ({ amount, transaction }) =>
          money(String(amount), (transaction as { readonly currency: string }).currency),
        Reason: named('refunds', 'reason'),
        Transaction: to('transactions', 'transaction'),
      },
      places: [null, 'second', 'first-end', 'first', null],
      filters: { reason: [], transaction_id: [] },
    },
  ),
  subscriptions: resource<'subscriptions'>(
    'subscription',
    (viewing, rows) => presentSubscriptions({ ...viewing, extend: WITH_OWNERS }, rows),
    {
      columns: {
        Id: self('subscriptions'),
        Created: created,
        Price: (object) => money(String(object.price), String(object.currency)),
        Status: (object) => ({
          ...state(object),
          note: isUnpaid(object as unknown as Subscription) ? 'unpaid' : null,
        }),
        'Next charge': (object) =>
          object.status === 'active' ? time(String(object.next_at)) : plain(''),
        'Periods paid': ({ period_count }) => quantity(period_count as number),
        Plan: owner('plans', 'plan', 'name'),
        Customer: owner('customers', 'customer', 'ref'),
      },
      places: ['first', null, 'first-end', 'second-end', 'second', null, null, null],
      filters: { status: ACTIVE, customer_id: [] },
    },
  ),
  plans: resource<'plans'>('plan', (_viewing, rows) => rows.map(presentPlan), {
    columns: {
      Id: self('plans'),
      Created: created,
      Name: named('plans', 'name'),
      Prices: (object) => plain(prices(object.prices as Readonly<Record<string, string>>)),
      Every: (object) =>
        plain(
          object.interval === 1
            ? String(object.interval_unit).slice(0, -1)
            : `${object.interval} ${object.interval_unit}`,
        ),
      Status: state,
    },
    places: [null, null, 'first', 'first-end', 'second', 'second-end'],
    filters: { name: [], status: ACTIVE },
    hasForms: true,
    parts: { subscriptions: 'plan_id' },
  }),
  customers: resource<'customers'>('customer', (_viewing, rows) => rows.map(presentCustomer), {
    columns: { Id: self('customers'), Created: created, Ref: named('customers', 'ref') },
    places: ['first-end', 'second', 'first'],
    filters: { ref: [] },
    hasForms: true,
    parts: {
      transactions: 'customer_id',
      stored_cards: 'customer_id',
      subscriptions: 'customer_id',
    },
  }),
  stored_cards: resource<'stored_cards'>('stored card', presentStoredCards, {
    columns: {
      Id: self('stored_cards'),
      Created: created,
      Card: (object, home) => ({ ...card(object), to: `${home}/stored_cards/${object.id}` }),
      Holder: of('card_holder'),
      Expires: (object) => plain(String(object.expires).slice(0, 7)),
      Status: state,
      Customer: to('customers', 'customer'),
    },
    places: [null, null, 'first', 'second', 'first-end', 'second-end', null],
    filters: { card_number: [], status: ACTIVE, token: [] },
    parts: { transactions: 'stored_card_id', subscriptions: 'stored_card_id' },
  }),
}

export const RESOURCE_NAMES = Object.keys(RESOURCES) as ResourceName[]

const prices = (byCurrency: Readonly<Record<string, string>>) =>
  Object.entries(byCurrency)
    .map(([currency, amount]) => moneyText(amount, currency))
    .join(', ')
