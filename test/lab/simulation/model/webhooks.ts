import type { Called, Mailed, Told } from '../faults/outside.ts'
import type { Row, Store } from '../runs/data.ts'
import { mayFollow } from './stored.ts'

/**
 * Milliseconds for which no other gateway may send a delivery, whatever fails (see webhooks:
 * leases).
 */
const FOR_ITSELF_MS = 5_000

/** Time limit of a call in milliseconds (see webhooks). */
const LONGEST_MS = 90_000

/** Parts of a run that the model observes. */
export interface Watching {
  readonly store: Store
  /** Ends the run. */
  readonly fail: (rule: string, message: string) => never
  /** Returns the milliseconds since the start of the run. */
  readonly now: () => number
  /**
   * Returns the time of the last jump of the machine's clock, in milliseconds of the run. Leases
   * follow this clock.
   */
  readonly jumpedAt: () => number
}

/**
 * Creates the model for webhooks and mails: they must have a real event, be in order, and be
 * repeated only with a reason.
 */
export function createWebhookModel({ store, fail, now, jumpedAt }: Watching) {
  const calls: Told[] = []
  const byId = new Map<string, Told[]>()
  /** Events of a transaction that a listener has received, each at its first arrival. */
  const events = new Map<string, readonly Event[]>()

  function heard(told: Told) {
    calls.push(told)
    const before = byId.get(told.id) ?? []
    byId.set(told.id, [...before, told])
    holdAlone(told, before)
    if ('to' in told) return holdMail(told)
    holdHappened(told)
    if (before.length === 0) holdOrder(told)
  }

  /** Checks that a mail names its merchant's event. */
  function holdMail({ id, to, text }: Mailed) {
    const [row] = store.rows(`select d.email, t.payment_ref from webhook_deliveries d
      join transactions t on t.id = d.transaction_id where d.message_id = '${id}'`)
    if (!row || row.email !== to || !text.includes(String(row.payment_ref)))
      fail('mail of nothing', `${id} to ${to} tells of ${row?.payment_ref ?? 'nothing'}: ${text}`)
  }

  /** Checks that each message has a stored event. */
  function holdHappened({ id, body }: Called) {
    const [row] = store.rows(
      `select id, status, payment_ref from transactions where id = ${Number(body.id)}`,
    )
    if (!row || row.payment_ref !== body.payment_ref)
      fail('webhook of nothing', `${id} tells of transaction ${body.id}, which there is not`)
    else if (!mayFollow(String(body.status), String(row.status)))
      fail(
        'webhook of nothing',
        `${id} tells that ${body.id} is ${body.status}, and it is ${row.status}`,
      )
  }

  /**
   * Checks that two gateways do not send one delivery at the same time, unless a clock jump ended
   * the lease of a pending send.
   */
  function holdAlone(told: Told, before: readonly Told[]) {
    for (const other of before) {
      const isRecent = now() - other.at < FOR_ITSELF_MS && now() - jumpedAt() > FOR_ITSELF_MS
      if (isRecent && other.process !== told.process && other.answeredAt === undefined)
        fail(
          'webhook sent by two',
          `${told.id} was sent by ${told.process} while ${other.process} was at it`,
        )
    }
  }

  /**
   * Checks that first attempts follow the order of events, unless a clock that was set back changed
   * their dates.
   */
  function holdOrder({ id, url, body }: Called) {
    const [row] = store.rows(`select created_at from webhook_deliveries where message_id = '${id}'`)
    const event: Event = { ...progressOf(body), date: Number(row?.created_at) }
    const key = `${url} ${body.id}`
    const before = events.get(key) ?? []
    events.set(key, [...before, event])
    if (before.some((other) => isLater(other, event) && other.date >= event.date))
      fail(
        'webhooks out of order',
        `${id} of transaction ${body.id} came after what happened later`,
      )
  }

  /** Checks at the end that every event was sent, as far as the shop accepted it. */
  function holdComplete(rows: readonly Row[]) {
    for (const { message_id, status } of rows) {
      const told = byId.get(String(message_id)) ?? []
      if (told.length === 0)
        fail('webhook never sent', `${message_id} is ${status} and was never sent`)
      const delivered = told.some(({ answer }) => answer === 200 || answer === 250)
      if (status === 'delivered' && !delivered)
        fail('webhook never taken', `${message_id} counts as delivered, and nobody has taken it`)
      if (status === 'pending') fail('webhook never ends', `${message_id} is pending at rest`)
    }
  }

  /** Returns true if at least one shop has not answered yet. */
  const areUnderWay = () =>
    calls.some(({ at, answeredAt }) => answeredAt === undefined && now() - at < LONGEST_MS)

  return { heard, holdComplete, areUnderWay }
}

/** State of a transaction, with its date by the merchant's clock. */
interface Event {
  readonly captures: number
  readonly refunds: number
  readonly date: number
}

const isLater = (one: Event, other: Event): boolean =>
  one.captures > other.captures || one.refunds > other.refunds

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)
const progressOf = ({ captures, refunds }: Called['body']) => ({
  captures: lengthOf(captures),
  refunds: lengthOf(refunds),
})
