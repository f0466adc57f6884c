import { drawSeededBytes } from '../domain/chance.ts'
import { timers } from '../domain/timers.ts'
import type { Database } from './database.ts'
import { createNegativeCache } from './negative-cache.ts'
import { deleteRows, findAll, findOne, insertRow, updateRows } from './rows.ts'
import type { FaultRow } from './tables/sandbox.ts'
import type { Queries } from './tables/schema.ts'

/**
 * Counts a request that matched, and whether it was affected. The last affected request deletes the
 * fault.
 * @returns false when another request has come between
 */
async function countDraw(
  queries: Queries,
  { id, drawn, struck, times }: FaultRow,
  isAffected: boolean,
): Promise<boolean> {
  const changes = { drawn: drawn + 1, struck: struck + (isAffected ? 1 : 0) }
  const changed = await updateRows(queries, 'faults', { id, drawn }, changes)
  if (changed.length > 0 && changes.struck === times) await deleteRows(queries, 'faults', { id })
  return changed.length > 0
}

/** Faults that tests have injected. */
export interface Faults {
  /** @param rule.seconds duration by the machine's clock; null: `times` decides */
  add(rule: NewFault): Promise<FaultRow>
  list(merchantId?: number): Promise<readonly FaultRow[]>
  /** @returns false if no fault has this id */
  remove(id: number): Promise<boolean>
  /** Deletes the faults of a merchant, or all. */
  clear(merchantId?: number): Promise<void>
  /** Returns false if there are certainly no faults. */
  isPossible(): boolean
  /** Takes the first fault that affects a request, and counts it. */
  take(request: AffectedRequest): Promise<FaultRow | undefined>
}

type NewFault = Omit<FaultRow, 'id' | 'until' | 'struck' | 'drawn'> & {
  readonly seconds: number | null
}

interface AffectedRequest {
  readonly method: string
  readonly path: string
  /** Undefined: not authenticated yet. */
  readonly merchantId: number | undefined
}

/** @param machine returns epoch milliseconds of the machine */
export function createFaults({ db, write, restores }: Database, machine: () => number): Faults {
  const any = createNegativeCache(restores)
  const lasts = ({ until }: FaultRow) => until === null || until > machine()
  const lasting = async (merchant_id?: number) =>
    (await findAll(db, 'faults', { merchant_id })).filter(lasts)
  return {
    async add({ seconds, ...rule }) {
      const until = seconds === null ? null : machine() + seconds * 1_000
      const fault = await write((queries) =>
        insertRow(queries, 'faults', { ...rule, until, struck: 0, drawn: 0 }),
      )
      any.added()
      return fault
    },
    list: lasting,
    remove: async (id) =>
      (await write((queries) => deleteRows(queries, 'faults', { id }))).length > 0,
    async clear(merchant_id) {
      await write((queries) => deleteRows(queries, 'faults', { merchant_id }))
    },
    isPossible: any.mayHaveRows,
    async take(request) {
      for (const fault of await any.find(() => inTime(lasting())))
        if (matches(fault, request) && (await isDrawn(fault))) return fault
      return undefined
    },
  }

  /**
   * Draws a number for one request. If another request was counted meanwhile, this one uses the
   * next draw.
   */
  async function isDrawn(fault: FaultRow): Promise<boolean> {
    const isAffected = draw(fault) < fault.probability
    if (await write((queries) => countDraw(queries, fault, isAffected))) return isAffected
    const now = await findOne(db, 'faults', { id: fault.id })
    return now !== undefined && isDrawn(now)
  }
}

/** Milliseconds that a request waits for the list of faults. */
const WAIT_MS = 200

/**
 * Returns nothing if the database is unavailable or slow: requests that need it fail with their own
 * error, and others are answered.
 */
async function inTime<Found>(query: Promise<readonly Found[]>): Promise<readonly Found[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Found[]>((resolve) => {
    timer = timers.setTimeout(resolve, WAIT_MS, [])
  })
  try {
    return await Promise.race([query, late])
  } catch {
    return []
  } finally {
    timers.clearTimeout(timer)
  }
}

const matches = ({ merchant_id, method, path }: FaultRow, request: AffectedRequest) =>
  merchant_id === (request.merchantId ?? null) &&
  (method === null || method === request.method) &&
  (path === null || request.path.startsWith(path))

/** Returns a number from 0 up to 1, reproducible by the seed. */
const draw = ({ seed, drawn }: FaultRow) =>
  Buffer.from(drawSeededBytes(seed, drawn, 4)).readUInt32BE() / 2 ** 32
