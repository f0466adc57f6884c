import type { Transaction } from '../../../contract/wire.ts'
import { isObject, type JsonObject } from '../../../domain/json.ts'
import { formatAmount, type Hundredths, readAmountFilter } from '../../../domain/money/money.ts'
import { AUTHENTICATION_RESULTS } from '../../pages/authentication-results.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { formatDay } from '../../pages/times.ts'
import {
  type CellValue,
  copied,
  type Fact,
  type Facts,
  formatMoney,
  link,
  presentAmount,
  quantity,
  renderCard,
  renderFacts,
  time,
  toCell,
} from '../parts/cells.ts'

/** Renders the facts of a payment in groups: amounts, payer, order and ids. */
export const renderPaymentFacts = (transaction: Transaction, home: string): SafeHtml =>
  html`${Object.entries({
    Amounts: listAmounts(transaction),
    Payer: listPayer(transaction, home),
    Order: listOrder(transaction, home),
    Ids: { Payment: copied(transaction.id), Bank: copied(transaction.provider_ref) },
  }).map(([title, facts]) =>
    Object.keys(facts).length > 0 ? html`<h2>${title}</h2>${renderFacts(facts)}` : null,
  )}`

function listAmounts(transaction: Transaction): readonly Fact[] {
  const { amount, currency, status, captures, refunds, cost } = transaction
  const whole = readAmountFilter(amount) ?? 0
  const fee = Math.round(Number(cost.total) * 100)
  const isTaken = status === 'approved'
  const change = (name: string, sign: string, part: Transaction['captures'][number], why = '') => {
    const note = [formatDay(part.created_at), why].filter(Boolean).join(', ')
    return [name, { ...quantity(`${sign}${presentAmount(part.amount)}`), note }] as const
  }
  const parts: readonly Fact[] = [
    ...(isTaken && captures.length === 0
      ? [['Captured', quantity(presentAmount(amount))] as const]
      : []),
    ...captures.map((capture) => change('Captured', '', capture)),
    ...refunds.map((refund) =>
      change(isTaken ? 'Refunded' : 'Released', '−', refund, refund.reason),
    ),
  ]
  if (!isTaken) return parts
  const payout = (whole - addAmounts(refunds) - fee) as Hundredths
  const payoutCell = quantity(formatMoney(formatAmount(payout), currency))
  return [
    ...parts,
    ['Fee', quantity(`−${presentAmount(formatAmount(fee as Hundredths))}`)],
    ['To be paid out', { ...payoutCell, content: html`<strong>${payoutCell.text}</strong>` }],
  ]
}

/** Lists who paid, with which card, and the result of 3-D Secure. */
function listPayer(transaction: Transaction, home: string): Facts {
  const { customer, customer_name, card_holder, card_number, card_type, card_expiry } = transaction
  return {
    Name: customer_name || card_holder,
    Card: card_number && renderCard(card_type ?? '', card_number),
    Expires: card_expiry && `${card_expiry.slice(0, 2)}/${card_expiry.slice(2)}`,
    '3-D Secure': createThreeDSecureCell(transaction),
    Customer: customer ? link(customer.id, `${home}/customers/${customer.id}`) : 'none',
  }
}

/** Items of an order on its page; all of them are in the fields of the payment. */
const SHOWN_ITEMS = 20

/** Lists the reference, the items and the subscription of an order. */
const listOrder = (
  { payment_ref, created_at, subscription, items }: Transaction,
  home: string,
): readonly Fact[] => [
  ['Reference', copied(payment_ref)],
  ['Created', time(created_at)],
  [
    'Subscription',
    subscription && link(subscription.id, `${home}/subscriptions/${subscription.id}`),
  ],
  ...items.slice(0, SHOWN_ITEMS).map(({ qty, description, artno, amount }): Fact => {
    const item = `${qty ?? 1} × ${description || artno || 'item'}`
    return [item, quantity(presentAmount(String(amount ?? '')))]
  }),
]

export const addAmounts = (parts: readonly { readonly amount: string }[]): Hundredths =>
  parts.reduce((sum, { amount }) => sum + (readAmountFilter(amount) ?? 0), 0) as Hundredths

/** Returns the last result of 3-D Secure; null for a payment without it. */
export function findThreeDSecure({ log_events }: Transaction): JsonObject | null {
  const found = log_events
    .map(({ data }) => (data as JsonObject).three_d_secure)
    .findLast((each) => isObject(each))
  return isObject(found) ? found : null
}

/** Describes 3-D Secure; empty for a payment without it. */
function createThreeDSecureCell(transaction: Transaction): CellValue {
  if (transaction.status === '3ds pending') return 'Waiting for the payer'
  const found = findThreeDSecure(transaction)
  if (!found) return ''
  const { trans_status, flow, eci, version } = found
  const result = Object.entries(AUTHENTICATION_RESULTS.en).find(([name]) => name === trans_status)
  return {
    ...toCell(result?.[1] ?? 'No answer from the bank'),
    note: `${String(flow)}, ECI ${String(eci)}, version ${String(version)}`,
  }
}
