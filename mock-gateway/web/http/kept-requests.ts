import { timers } from '../../domain/timers.ts'
import type { Database } from '../../storage/database.ts'
import { forgetOldRequests, KEPT_REQUESTS } from '../../storage/requests.ts'
import { insertRows } from '../../storage/rows.ts'
import type { NewRequestRow } from '../../storage/tables/requests.ts'
import { type AnsweredRequest, requestRow, shortenKeptAnswer } from './request-contents.ts'

export type KeptRequests = ReturnType<typeof keepRequests>

/**
 * Requests are stored in batches, at most 600 a second. If more arrive, the ones that would be
 * deleted first are not stored; then 60 a second are enough, because the next batch replaces them.
 */
const BATCH = { rows: 30, everyMs: 50, everyMsWhenFull: 500 } as const

/** Milliseconds to store the remaining requests at the end. */
const LAST_WORDS_MS = 500

/** Maximum number of queued characters of requests and responses. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024

/** A queued request, as JSON, because its objects may still change. */
interface WaitingRequest {
  readonly answered: string
  readonly body: string
}

/** Number of stored requests of a merchant between two deletions of old ones. */
const FORGET_AFTER = 100

/** Keeps the request log: the latest requests with their responses and explanations, for integrators. */
export function keepRequests({ writeUnflushed }: Pick<Database, 'writeUnflushed'>) {
  let waiting: WaitingRequest[] = []
  let waitingCharacters = 0
  /** True if requests were dropped since the last batch. */
  let isFull = false
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  /** Stored requests by merchant since the last deletion of old ones. */
  const written = new Map<number, number>()

  const writeSoon = () => {
    if (timer) return
    const pause = isFull ? BATCH.everyMsWhenFull : BATCH.everyMs
    isFull = false
    timer = timers
      .setTimeout(() => {
        timer = undefined
        void write().then(() => waiting.length > 0 && writeSoon())
      }, pause)
      .unref()
  }

  /**
   * Stores one batch after another, so that rows are in order. If the database is unavailable, the
   * batch is lost.
   */
  function write(): Promise<void> {
    writing = writing.then(async () => {
      const rows = nextRows()
      if (rows.length > 0) await keep(rows).catch(() => {})
    })
    return writing
  }

  function dropOldest(count: number) {
    for (const dropped of waiting.splice(0, count)) waitingCharacters -= countCharacters(dropped)
  }

  /** Stores the queued requests, so that readers see the latest ones. */
  async function settle() {
    for (let left = waiting.length; left > 0; left -= BATCH.rows) void write()
    await writing
  }

  function nextRows(): NewRequestRow[] {
    const rows = waiting
      .slice(0, BATCH.rows)
      .map(({ answered, body }) => requestRow(JSON.parse(answered), body))
    dropOldest(rows.length)
    return rows
  }

  async function keep(rows: readonly NewRequestRow[]) {
    for (const { merchant_id } of rows)
      written.set(merchant_id, (written.get(merchant_id) ?? FORGET_AFTER) + 1)
    const full = [...written]
      .filter(([, count]) => count > FORGET_AFTER)
      .map(([merchantId]) => merchantId)
    await writeUnflushed(async (queries) => {
      await insertRows(queries, 'requests', rows)
      for (const merchantId of full) await forgetOldRequests(queries, merchantId)
    })
    for (const merchantId of full) written.set(merchantId, 0)
  }

  return {
    /** Queues a request to be stored. Queued requests are lost if the process is killed. */
    add(answered: AnsweredRequest, body: string | Buffer | undefined): void {
      const request = {
        answered: JSON.stringify(answered),
        body: String(shortenKeptAnswer(answered, body)),
      }
      waiting.push(request)
      waitingCharacters += countCharacters(request)
      while (waiting.length > KEPT_REQUESTS.most || waitingCharacters > MAX_WAITING_CHARACTERS) {
        isFull = true
        dropOldest(1)
      }
      writeSoon()
    },
    settle,
    /** Drops the queued requests of a merchant, or all, because they would be deleted immediately. */
    async forget(merchantId: number | undefined) {
      await writing
      waiting = waiting.filter(
        ({ answered }) => merchantId !== undefined && !isOfMerchant(merchantId, answered),
      )
      waitingCharacters = waiting.reduce((sum, request) => sum + countCharacters(request), 0)
    },
    /** Stores the queued requests, and ends. */
    close() {
      timers.clearTimeout(timer)
      // A database that does not answer must not block the gateway's end.
      return Promise.race([
        settle(),
        new Promise<void>((end) => timers.setTimeout(end, LAST_WORDS_MS).unref()),
      ])
    },
  }
}

const countCharacters = ({ answered, body }: WaitingRequest): number =>
  answered.length + body.length

const isOfMerchant = (merchantId: number, text: string): boolean =>
  (JSON.parse(text) as AnsweredRequest).row.merchant_id === merchantId
