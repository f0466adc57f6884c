import { sql } from 'kysely'
import type { Currency } from '../domain/money/currencies.ts'
import { byIds } from './prepared.ts'
import type { Queries } from './tables/schema.ts'

/** Money of one day in one currency. */
export interface DaySum {
  /** Number of the day since 1970-01-01 (UTC). */
  readonly day: number
  readonly currency: Currency
  readonly payments: number
  /** Hundredths. */
  readonly captured: number
  readonly refunds: number
  /** Hundredths. */
  readonly refunded: number
  /** Thousandths: each payment's fee is rounded to them, as in `cost.total`. */
  readonly fees: number
}

/** Payments that `findSumsByDay` adds up. */
interface Period {
  readonly merchantId: number
  /** Epoch milliseconds; the end is not included. */
  readonly from: number
  readonly to: number
  /**
   * SQL factors of the fees: thousandths of an amount in the account's and in another currency, and
   * whole thousandths a payment.
   */
  readonly fees: {
    readonly account: Currency
    readonly rate: number
    readonly foreignRate: number
    readonly fixed: number
  }
}

const DAY = 24 * 60 * 60_000

/** Number of a day since 1970. @param column in epoch milliseconds */
const selectDay = (column: string) =>
  sql<number | string>`${sql.ref(column)} / ${sql.lit(DAY)}`.as('day')

/** Adds up without overflow: SQLite fails above 64 bits, PostgreSQL returns a decimal number. */
const selectExactSum = (column: string) => sql<number | string>`sum(${sql.ref(column)} * 1.0)`

/**
 * Adds up captured and refunded money and fees by day and currency. A capture counts on the day on
 * which the money was taken. The refund of an authorized payment only cancels it, so that it does
 * not count.
 */
export async function findSumsByDay(
  queries: Queries,
  { merchantId, from, to, fees }: Period,
): Promise<DaySum[]> {
  const { account, rate, foreignRate, fixed } = fees
  const rateOfRow = sql`case when currency = ${account} then ${sql.lit(rate)} else ${sql.lit(foreignRate)} end`
  // An integer division; 50 rounds half up.
  const fee = sql`(amount * (${rateOfRow}) + ${sql.lit(fixed * 100 + 50)}) / 100`
  const captured = await queries
    .selectFrom('transactions')
    .select(({ fn }) => [
      selectDay('processed_at'),
      'currency',
      fn.countAll<number | string>().as('payments'),
      selectExactSum('amount').as('captured'),
      sql<number | string>`sum(${fee} * 1.0)`.as('fees'),
    ])
    .where('merchant_id', '=', merchantId)
    .where('status', '=', 'approved')
    .where('processed_at', '>=', from)
    .where('processed_at', '<', to)
    .groupBy(['day', 'currency'])
    .execute()
  const refunded = await queries
    .selectFrom('refunds')
    .innerJoin('transactions', 'transactions.id', 'refunds.transaction_id')
    .select(({ fn }) => [
      selectDay('refunds.created_at'),
      'transactions.currency',
      fn.countAll<number | string>().as('refunds'),
      selectExactSum('refunds.amount').as('refunded'),
    ])
    .where('refunds.merchant_id', '=', merchantId)
    .where('transactions.status', '=', 'approved')
    .where('refunds.created_at', '>=', from)
    .where('refunds.created_at', '<', to)
    .groupBy(['day', 'transactions.currency'])
    .execute()
  const sums = new Map<string, DaySum>()
  const add = (day: number, currency: Currency, part: Partial<DaySum>) => {
    const key = `${day} ${currency}`
    sums.set(key, { ...(sums.get(key) ?? nothingOn(day, currency)), ...part })
  }
  for (const row of captured)
    add(Number(row.day), row.currency, {
      payments: Number(row.payments),
      captured: Number(row.captured),
      fees: Number(row.fees),
    })
  for (const row of refunded)
    add(Number(row.day), row.currency, {
      refunds: Number(row.refunds),
      refunded: Number(row.refunded),
    })
  // Not by localeCompare, whose first use loads Node's data of all languages.
  return [...sums.values()].sort((one, other) =>
    one.currency === other.currency ? one.day - other.day : one.currency < other.currency ? -1 : 1,
  )
}

/** Adds up captured and refunded money of one currency, in hundredths, as `findSumsByDay` does. */
export async function findSums(
  queries: Queries,
  merchantId: number,
  currency: Currency,
  { from, to }: Pick<Period, 'from' | 'to'>,
): Promise<Pick<DaySum, 'captured' | 'refunded'>> {
  const { rows } = await sql<Record<'captured' | 'refunded', number | null>>`
    select (select ${selectExactSum('amount')} from transactions
        where merchant_id = ${merchantId} and status = 'approved' and currency = ${currency}
        and processed_at >= ${from} and processed_at < ${to}) as captured,
      (select ${selectExactSum('refunds.amount')} from refunds
        join transactions on transactions.id = refunds.transaction_id
        where refunds.merchant_id = ${merchantId}
        and transactions.status = 'approved' and transactions.currency = ${currency}
        and refunds.created_at >= ${from} and refunds.created_at < ${to}) as refunded
    `.execute(queries)
  return { captured: Number(rows[0]?.captured), refunded: Number(rows[0]?.refunded) }
}

/** Number and sum of a customer's payments. */
export interface CustomerSum {
  readonly payments: number
  /** Id of the newest payment. */
  readonly newest: number
  /** Money by currency, in hundredths, without refunds. */
  readonly paid: ReadonlyMap<Currency, number>
}

/** Adds up the payments of customers, by customer; customers without payments are left out. */
export async function findSumsOfCustomers(
  queries: Queries,
  merchantId: number,
  customerIds: readonly number[],
): Promise<ReadonlyMap<number, CustomerSum>> {
  const payments = (ids: readonly number[]) =>
    queries
      .selectFrom('transactions')
      .where('transactions.merchant_id', '=', merchantId)
      .where('transactions.customer_id', 'in', ids)
      .groupBy(['customer_id', 'currency'])
      .orderBy('currency')
      .select(['customer_id', 'currency'])
  const captured = await byIds(customerIds, (ids) =>
    payments(ids)
      .select(({ fn }) => [
        fn.countAll<number | string>().as('payments'),
        fn.max('transactions.id').as('newest'),
        sql<number | string>`sum(case when status = 'approved' then amount * 1.0 end)`.as('sum'),
      ])
      .execute(),
  )
  const refunded = await byIds(customerIds, (ids) =>
    payments(ids)
      .innerJoin('refunds', 'refunds.transaction_id', 'transactions.id')
      .where('transactions.status', '=', 'approved')
      .select(selectExactSum('refunds.amount').as('sum'))
      .execute(),
  )
  const getKey = (of: (typeof refunded)[number]) => `${of.customer_id} ${of.currency}`
  const refunds = new Map(refunded.map((row) => [getKey(row), Number(row.sum)]))
  const byCustomer = Map.groupBy(captured, ({ customer_id }) => Number(customer_id))
  return new Map(
    [...byCustomer].map(([id, rows]) => [
      id,
      {
        payments: rows.reduce((sum, row) => sum + Number(row.payments), 0),
        newest: Math.max(...rows.map(({ newest }) => Number(newest))),
        paid: new Map(
          rows
            .filter(({ sum }) => sum !== null)
            .map((row) => [row.currency, Number(row.sum) - (refunds.get(getKey(row)) ?? 0)]),
        ),
      },
    ]),
  )
}

const nothingOn = (day: number, currency: Currency): DaySum => ({
  day,
  currency,
  payments: 0,
  captured: 0,
  refunds: 0,
  refunded: 0,
  fees: 0,
})
