import type { Database } from '../../storage/database.ts'
import { forgetOldRequests, insertRequests, KEPT_REQUESTS } from '../../storage/requests.ts'
import type { NewRequestRow } from '../../storage/tables/requests.ts'
import { requestRow } from './request-contents.ts'
import { keptAnswer, type ResponseFacts } from './request-facts.ts'

/** The last requests of clients: who integrates sees what arrived, what was answered, and why. */
export interface KeptRequests {
  /**
   * Returns at once; written down a moment later. What is not written when the process is killed is
   * lost.
   * @param body of the answer
   */
  add(answered: ResponseFacts, body: string | Buffer | undefined): void
  /** Writes down what waits: who looks sees the request of a moment ago. */
  settle(): Promise<void>
  /**
   * Writes nothing down of what waits of a merchant, or of everybody: it would be forgotten at
   * once.
   */
  forget(merchantId: number | undefined): Promise<void>
  /** Writes down what waits, and ends. */
  close(): Promise<void>
}

/**
 * Requests are written a few at a time, at most 600 a second. Where more come, those that would be
 * forgotten first are never written; and as long as such are dropped, 60 a second are enough: what
 * is written then is what would be dropped next.
 */
const BATCH = { rows: 30, everyMs: 50, everyMsWhenFull: 500 } as const

/** What is left at the end is written within this time, or lost. */
const LAST_WORDS_MS = 500

/** Characters of requests and answers that may wait to be written. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024

/**
 * A request that waits to be written: as JSON, because whoever answered it may go on changing it.
 */
interface WaitingRequest {
  readonly answered: string
  readonly body: string
}

/** Of a merchant this many are written until the old ones are looked for. */
const FORGET_AFTER = 100

export function keepRequests({ writeUnflushed }: Pick<Database, 'writeUnflushed'>): KeptRequests {
  let waiting: WaitingRequest[] = []
  let waitingCharacters = 0
  /** Whether some have been dropped since the last batch. */
  let isFull = false
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  /** How many of each merchant have been written since old ones were forgotten. */
  const written = new Map<number, number>()

  const writeSoon = () => {
    if (timer) return
    const pause = isFull ? BATCH.everyMsWhenFull : BATCH.everyMs
    isFull = false
    timer = setTimeout(() => {
      timer = undefined
      void write().then(() => waiting.length > 0 && writeSoon())
    }, pause).unref()
  }

  /**
   * One batch after another, so that rows are in order. A database that is away loses what it was
   * to keep.
   */
  function write(): Promise<void> {
    writing = writing.then(async () => {
      const rows = nextRows()
      if (rows.length > 0) await keep(rows).catch(() => {})
    })
    return writing
  }

  function dropOldest(count: number) {
    for (const dropped of waiting.splice(0, count)) waitingCharacters -= charactersOf(dropped)
  }

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
      await insertRequests(queries, rows)
      for (const merchantId of full) await forgetOldRequests(queries, merchantId)
    })
    for (const merchantId of full) written.set(merchantId, 0)
  }

  return {
    add(answered, body) {
      const request = {
        answered: JSON.stringify(answered),
        body: String(keptAnswer(answered, body)),
      }
      waiting.push(request)
      waitingCharacters += charactersOf(request)
      while (waiting.length > KEPT_REQUESTS.most || waitingCharacters > MAX_WAITING_CHARACTERS) {
        isFull = true
        dropOldest(1)
      }
      writeSoon()
    },
    settle,
    async forget(merchantId) {
      await writing
      waiting = waiting.filter(
        ({ answered }) => merchantId !== undefined && !isOf(merchantId, answered),
      )
      waitingCharacters = waiting.reduce((sum, request) => sum + charactersOf(request), 0)
    },
    close() {
      clearTimeout(timer)
      // A database that hangs keeps no gateway from ending.
      return Promise.race([
        settle(),
        new Promise<void>((end) => setTimeout(end, LAST_WORDS_MS).unref()),
      ])
    },
  }
}

const charactersOf = ({ answered, body }: WaitingRequest): number => answered.length + body.length

const isOf = (merchantId: number, text: string): boolean => {
  const { facts }: ResponseFacts = JSON.parse(text)
  return facts.merchant_id === merchantId
}
