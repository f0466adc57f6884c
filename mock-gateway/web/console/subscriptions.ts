import { entryByKey } from '../../domain/errors/errors.ts'
import { formatAmount, type Hundredths, hundredths } from '../../domain/money/money.ts'
import { comingCharges } from '../../domain/subscription/coming-charges.ts'
import { readChargeNow } from '../../parsing/control/charge-now.ts'
import { presentSubscriptions } from '../../serializers/present.ts'
import { wireTime } from '../../serializers/time.ts'
import { findRows } from '../../storage/rows.ts'
import { findFirstPayments, findNewestCharges } from '../../storage/subscription-charges.ts'
import type { SubscriptionRow } from '../../storage/tables/subscriptions.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { CHARGES_AHEAD, chargeNow } from '../../subscriptions/charge-now.ts'
import { type Cell, link, money, plain, status, time } from './cells.ts'
import { type Report, reportOf } from './clock.ts'
import { factsOf } from './details.ts'
import { OUTCOMES } from './outcomes.ts'
import { oneMerchant } from './owner.ts'
import { orAgain, type Problem } from './refused-form.ts'
import type { Wire } from './resources.ts'
import { type Act, fieldsOf, type MerchantVisit, ownRow, type Page, textsOf, type View, viewingOf } from './visit.ts'

/** What a subscription was charged, and what it will be. */
export const SUBSCRIPTION_PAGE: Page<MerchantVisit> = {
  path: '/subscriptions/:id',
  section: 'subscriptions',
  show: async (visit) => subscriptionView(visit, await ownRow(visit, 'subscriptions')),
}

/** Makes a charge to come, with a result that somebody chose: time goes on to it. */
export const CHARGE_ACT: Act<MerchantVisit> = {
  path: '/subscriptions/:id/charge',
  section: 'subscriptions',
  async act(visit) {
    const row = await ownRow(visit, 'subscriptions')
    return orAgain(
      visit,
      () => charge(visit, row),
      (problem) => subscriptionView(visit, row, null, { problem, ...textsOf(visit.parameters, ['at', 'outcome']) }),
    )
  },
}

async function charge(visit: MerchantVisit, row: SubscriptionRow): Promise<View> {
  const sent = fieldsOf(visit)
  const report = await chargeNow(visit.dependencies, row, readChargeNow(sent))
  const fields = Object.entries(sent).map(([name, value]) => ({ name, value: String(value) }))
  const shown = reportOf(oneMerchant(visit), report, { to: 'charge', fields })
  return { ...(await subscriptionView(visit, await ownRow(visit, 'subscriptions'), shown)), now: report.now }
}

/** The charge whose result was refused, by its moment, and why. */
interface Refused {
  readonly problem: Problem | null
  readonly at: string
  readonly outcome: string
}

/** @param report what time has brought about that was moved on this page */
async function subscriptionView(
  visit: MerchantVisit,
  row: SubscriptionRow,
  report: Report | null = null,
  refused: Refused = { problem: null, at: '', outcome: '' },
): Promise<View> {
  const { home, dependencies } = visit
  const [object] = await presentSubscriptions(viewingOf(visit), [row])
  const at = `${home}/subscriptions/${row.id}`
  const coming = comingOf(row)
  return {
    view: 'subscription',
    live: ['transactions', 'data'],
    title: `Subscription ${row.id}`,
    data: {
      at,
      report,
      refused,
      price: money(formatAmount(row.price), row.currency).text,
      every: row.interval === 1 ? row.interval_unit.slice(0, -1) : `${row.interval} ${row.interval_unit}`,
      status: status(row.status),
      facts: factsOf(object as unknown as Wire, home),
      cancel: row.status === 'active',
      failures: row.attempts,
      past: { heads: PAST_HEADS, rows: await pastOf(visit, row) },
      payments: `${home}/transactions?filter[subscription_id]=${row.id}`,
      coming,
      problem: coming.some(({ at: moment }) => moment === refused.at) ? null : refused.problem,
      ahead: CHARGES_AHEAD,
      can_charge: dependencies.controlKey !== undefined,
      outcomes: OUTCOMES,
    },
  }
}

/** Tries on the page; the list of transactions has the others. */
const PAST_ROWS = 24

const PAST_HEADS = ['When', 'Period', 'Try', 'Amount', 'Result', 'Refused because', 'Transaction']

const NOTHING = hundredths(0)

/** What was charged, in its order: the payment that began it, and each try of each period. */
async function pastOf(visit: MerchantVisit, { id, currency }: SubscriptionRow): Promise<Cell[][]> {
  const { db } = visit.dependencies.database
  const tries = (await findNewestCharges(db, id, PAST_ROWS)).reverse()
  const first = tries.length < PAST_ROWS ? await findFirstPayments(db, id) : []
  const ids = [...first, ...tries.flatMap(({ transaction_id }) => transaction_id ?? [])]
  const transactions = await findRows(db, 'transactions', visit.merchant.id, ids)
  const lineOf = (
    at: number,
    period: Cell,
    attempt: Cell,
    amount: Hundredths,
    transaction: TransactionRow | undefined,
  ) => [
    time(wireTime(at)),
    period,
    attempt,
    money(formatAmount(amount), currency),
    transaction ? status(transaction.status) : plain('nothing to charge'),
    plain(transaction?.error_name && entryByKey(transaction.error_name).en),
    transaction ? link(transaction.id, `${visit.home}/transactions/${transaction.id}`) : plain(''),
  ]
  return [
    ...first
      .flatMap((payment) => transactions.get(payment) ?? [])
      .map((payment) =>
        lineOf(payment.created_at, plain('the first payment'), plain(''), payment.amount ?? NOTHING, payment),
      ),
    ...tries.map(({ created_at, period_at, attempt, amount, transaction_id }) =>
      lineOf(created_at, plain(dayOf(period_at)), plain(attempt), amount, transactions.get(transaction_id ?? 0)),
    ),
  ]
}

/** What will be charged, if each is paid. */
const comingOf = (row: SubscriptionRow) =>
  comingCharges(row, CHARGES_AHEAD).map(({ at, period_at, attempt, amount }) => ({
    at: new Date(at).toISOString(),
    when: time(wireTime(at)).text,
    period: dayOf(period_at),
    attempt,
    amount: money(formatAmount(amount), row.currency).text,
    pays: amount > 0,
  }))

const dayOf = (at: number): string => wireTime(at).slice(0, 10)
