import type { Told } from '../faults/outside.ts'
import type { Row, Store } from '../world/store.ts'
import { mayFollow } from './stored.ts'

/** Milliseconds for which whoever sends has a delivery for itself, whatever else goes wrong (see webhooks: leases). */
const FOR_ITSELF_MS = 5_000

/** Milliseconds that a call may take (see webhooks). */
const LONGEST_MS = 90_000

/** What a model sees of its world. */
export interface Watching {
  readonly store: Store
  /** Ends the run. */
  readonly fail: (rule: string, message: string) => never
  /** Milliseconds of the world. */
  readonly now: () => number
  /** How many share the store. */
  readonly gateways: number
  /** How often the machine's clock has jumped: leases hang on it. */
  readonly jumps: () => number
  /** Whether the machine's clock was ever set back: what happens then bears an earlier date than what happened before. */
  readonly wentBack: () => boolean
}

interface Heard extends Told {
  readonly jumps: number
}

/** What shops hear: only what happened, in its order, and nothing twice without a reason. */
export function createWebhookModel({ store, fail, now, gateways, jumps, wentBack }: Watching) {
  const calls: Heard[] = []
  const byId = new Map<string, Heard[]>()
  /** How far a transaction had come in the newest event that its listener heard for the first time. */
  const progress = new Map<string, Progress>()

  function heard(told: Told) {
    const call = Object.assign(told, { jumps: jumps() })
    calls.push(call)
    const before = byId.get(told.id) ?? []
    byId.set(told.id, [...before, call])
    holdHappened(told)
    holdAlone(told, before)
    if (before.length === 0) holdOrder(told)
  }

  /** Nothing is told that is not kept. */
  function holdHappened({ id, body }: Told) {
    const [row] = store.rows(`select id, status, payment_ref from transactions where id = ${Number(body.id)}`)
    if (!row || row.payment_ref !== body.payment_ref)
      fail('webhook of nothing', `${id} tells of transaction ${body.id}, which there is not`)
    else if (!mayFollow(String(body.status), String(row.status)))
      fail('webhook of nothing', `${id} tells that ${body.id} is ${body.status}, and it is ${row.status}`)
  }

  /** Two gateways do not send one delivery at the same time. */
  function holdAlone(told: Told, before: readonly Heard[]) {
    for (const other of before) {
      const isRecent = now() - other.at < FOR_ITSELF_MS && other.jumps === jumps()
      if (isRecent && other.process !== told.process && other.answeredAt === undefined)
        fail('webhook sent by two', `${told.id} was sent by ${told.process} while ${other.process} was at it`)
    }
  }

  /** First attempts go out in the order of what happened. */
  function holdOrder({ id, url, body }: Told) {
    const key = `${url} ${body.id}`
    const known = progress.get(key)
    const reached = progressOf(body)
    const isBehind = known && (reached.captures < known.captures || reached.refunds < known.refunds)
    // Gateways that share a clock may disagree on it, and events go out by their dates (control API: the clock).
    const disagree = gateways > 1 && store.rows('select 1 from clocks limit 1').length > 0
    if (isBehind && !disagree && !wentBack())
      fail('webhooks out of order', `${id} of transaction ${body.id} came after what happened later`)
    progress.set(key, reached)
  }

  /** At rest: every event has been told, as far as the shop has let it. */
  function holdComplete(rows: readonly Row[]) {
    for (const { message_id, status } of rows) {
      const told = byId.get(String(message_id)) ?? []
      if (told.length === 0) fail('webhook never sent', `${message_id} is ${status} and was never sent`)
      const delivered = told.some(({ answer }) => answer === 200)
      if (status === 'delivered' && !delivered)
        fail('webhook never taken', `${message_id} counts as delivered, and no shop has taken it`)
      if (status === 'pending') fail('webhook never ends', `${message_id} is pending at rest`)
    }
  }

  /** Whether some shop has yet to answer. */
  const areUnderWay = () => calls.some(({ at, answeredAt }) => answeredAt === undefined && now() - at < LONGEST_MS)

  return { heard, holdComplete, areUnderWay }
}

interface Progress {
  readonly captures: number
  readonly refunds: number
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)
const progressOf = ({ captures, refunds }: Told['body']): Progress => ({
  captures: lengthOf(captures),
  refunds: lengthOf(refunds),
})
