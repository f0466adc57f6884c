import type { Row } from '../runs/data.ts'

/** Rule for stored data: a query finds violations, and a sentence describes them. */
interface Rule {
  readonly statement: string
  readonly says: (row: Row) => string
}

/** SQL of the refunded amount of a transaction in hundredths. */
const GIVEN_BACK = '(select coalesce(sum(amount), 0) from refunds where transaction_id = t.id)'

/**
 * Rules by name. Their queries have no results while the data are correct. They follow the
 * specification, and share no code with the gateway.
 */
export const STORED_RULES: Readonly<Record<string, Rule>> = {
  'more refunded than captured': {
    statement: `select t.id, t.amount, ${GIVEN_BACK} as back from transactions t
      where t.status = 'approved' and ${GIVEN_BACK} > t.amount`,
    says: ({ id, amount, back }) => `of ${amount} of transaction ${id} ${back} were given back`,
  },
  'captured twice': {
    statement: `select t.id, count(*) as times, sum(c.amount) as taken, t.org_auth_amount from captures c
      join transactions t on t.id = c.transaction_id group by t.id
      having count(*) > 1 or sum(c.amount) > t.org_auth_amount or sum(c.amount) <> t.amount`,
    says: ({ id, times, taken, org_auth_amount }) =>
      `${times} captures took ${taken} of the ${org_auth_amount} of transaction ${id}`,
  },
  'captured and released': {
    statement: `select t.id from transactions t join refunds r on r.transaction_id = t.id where t.status = 'authorized'
      and exists (select 1 from captures c where c.transaction_id = t.id)`,
    says: ({ id }) => `the released transaction ${id} was captured`,
  },
  'two successes of one payment_ref': {
    statement: `select merchant_id, payment_ref, count(*) as times from transactions
      where status in ('approved', 'authorized', '3ds pending', 'capture pending') group by 1, 2 having count(*) > 1`,
    says: ({ payment_ref, times }) => `${times} payments of the order ${payment_ref}`,
  },
  'a period charged twice': {
    statement: `select c.subscription_id, c.period_at, count(*) as times from subscription_charges c
      join transactions t on t.id = c.transaction_id where t.status = 'approved' group by 1, 2 having count(*) > 1`,
    says: ({ subscription_id, period_at, times }) =>
      `the period ${iso(period_at)} of subscription ${subscription_id} was paid ${times} times`,
  },
  'a charge outside of its try': {
    statement: `select subscription_id, period_at, attempt, count(*) as times from subscription_charges
      group by 1, 2, 3 having count(*) > 1`,
    says: ({ subscription_id, period_at, attempt }) =>
      `try ${attempt} of period ${iso(period_at)} of subscription ${subscription_id} was made twice`,
  },
}

export const iso = (at: unknown): string => new Date(Number(at)).toISOString()

/** Allowed next statuses (specification: States). */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  pending: ['3ds pending', 'authorized', 'approved', 'declined', 'failed'],
  '3ds pending': ['pending', 'authorized', 'approved', 'declined', 'failed'],
  authorized: ['capture pending', 'approved'],
  'capture pending': ['approved', 'failed'],
  approved: [],
  declined: ['pending', '3ds pending', 'authorized', 'approved', 'failed'],
  failed: ['pending', '3ds pending', 'authorized', 'approved', 'declined'],
}

/**
 * Returns all statuses that can follow a status, directly or over other statuses, because several
 * changes can happen between two checks.
 */
function reachable(from: string): ReadonlySet<string> {
  const reached = new Set(FOLLOWS[from])
  // Statuses added during the loop are visited too.
  for (const status of reached) for (const next of FOLLOWS[status] ?? []) reached.add(next)
  return reached
}

const LATER = new Map(Object.keys(FOLLOWS).map((status) => [status, reachable(status)]))

/** Returns true if a transaction can change from one status to another. */
export const mayFollow = (from: string, to: string): boolean =>
  from === to || (LATER.get(from)?.has(to) ?? false)
