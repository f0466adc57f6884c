import type { RequestHandler, Response } from 'express'
import { drawSeededBytes } from '../../domain/chance.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { FaultKind } from '../../domain/fault-kinds.ts'
import { timers } from '../../domain/timers.ts'
import type { InjectFault } from '../../parsing/control/faults.ts'
import type { Database } from '../../storage/database.ts'
import { countDraw, deleteFaults, findFaults, insertFault } from '../../storage/faults.ts'
import { negativeCache } from '../../storage/negative-cache.ts'
import type { FaultRow } from '../../storage/tables/faults.ts'

/** Faults that tests have injected. */
export interface Faults {
  add(rule: InjectFault): Promise<FaultRow>
  list(merchantId?: number): Promise<readonly FaultRow[]>
  /** @returns false if there is none with this id */
  remove(id: number): Promise<boolean>
  /** Deletes the faults of a merchant, or all. */
  clear(merchantId?: number): Promise<void>
  /** Returns false if there are certainly no faults. */
  isPossible(): boolean
  /** Takes the first fault that affects a request, and counts it. */
  take(request: AffectedRequest): Promise<FaultRow | undefined>
}

interface AffectedRequest {
  readonly method: string
  readonly path: string
  /** Undefined: not authenticated yet. */
  readonly merchantId: number | undefined
}

/** @param machine returns epoch milliseconds of the machine */
export function createFaults({ db, write, restores }: Database, machine: () => number): Faults {
  const any = negativeCache(restores)
  const lasts = ({ until }: FaultRow) => until === null || until > machine()
  const lasting = async (merchantId?: number) => (await findFaults(db, merchantId)).filter(lasts)
  return {
    async add({ seconds, ...rule }) {
      const until = seconds === null ? null : machine() + seconds * 1_000
      const fault = await write((queries) =>
        insertFault(queries, { ...rule, until, struck: 0, drawn: 0 }),
      )
      any.added()
      return fault
    },
    list: lasting,
    remove: (id) => write((queries) => deleteFaults(queries, { id })),
    async clear(merchantId) {
      await write((queries) => deleteFaults(queries, { merchantId }))
    },
    isPossible: any.mayBe,
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
    const now = (await findFaults(db)).find(({ id }) => id === fault.id)
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

/** Addresses where faults are injected and deleted. */
const SPARED = /^\/(?:_control|console)(?:\/|$)/i

/** Applies the faults that name no merchant, before anything of a request is read. */
export const applyFaults: RequestHandler = (request, response, next) => {
  // Faults can always be deleted.
  const applied = SPARED.test(request.path) ? undefined : applyFault(response, undefined)
  return applied ? applied.then(() => next()) : next()
}

/**
 * Applies the first fault that affects a request.
 * @param merchantId owner of the faults; undefined: faults without a merchant
 * @returns undefined if there is nothing to wait for
 * @throws errors.service_not_available (243) with 503
 */
export function applyFault(
  response: Response,
  merchantId: number | undefined,
): Promise<void> | undefined {
  const { faults } = response.locals.exchange.service
  return faults.isPossible() ? applyFirst(faults, response, merchantId) : undefined
}

async function applyFirst(
  faults: Faults,
  response: Response,
  merchantId: number | undefined,
): Promise<void> {
  const { method, originalUrl } = response.req
  const fault = await faults.take({ method, path: originalUrl.replace(/\?.*$/s, ''), merchantId })
  if (!fault) return
  response.locals.exchange.struck = fault.kind
  await EFFECTS[fault.kind](response, fault)
}

const EFFECTS: Readonly<
  Record<FaultKind, (response: Response, fault: FaultRow) => Promise<void> | void>
> = {
  latency: (_response, { milliseconds }) => wait(milliseconds),
  late_answer: (response, { milliseconds }) =>
    onAnswer(response, async (body, answer) => {
      await wait(milliseconds)
      answer.end(body)
    }),
  drop: (response) => onAnswer(response, () => response.req.socket.destroy()),
  cut_answer: (response) =>
    onAnswer(response, (body, answer) => {
      response.setHeader('Content-Length', body.length)
      answer.write(body.subarray(0, body.length / 2), () => response.req.socket.destroy())
    }),
  bad_gateway: (response) =>
    onAnswer(response, (_body, answer) => {
      for (const name of response.getHeaderNames())
        if (!OWN_HEADER.test(name)) response.removeHeader(name)
      response.status(502).setHeader('Content-Type', 'text/html')
      response.setHeader('Content-Length', Buffer.byteLength(PROXY_PAGE))
      answer.end(PROXY_PAGE)
    }),
  unavailable() {
    throw new GatewayError('errors.service_not_available', { explain: ORDERED, http: 503 })
  },
  rate_limit(response) {
    response.setHeader('Retry-After', '1')
    throw new GatewayError('errors.service_not_available', { explain: ORDERED, http: 429 })
  },
}

const ORDERED = 'This fault was injected with /_control/faults.'

/** Headers that a response keeps: they identify the mock and the request. */
const OWN_HEADER = /^(?:mondido-|x-request-id)/

const PROXY_PAGE =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => timers.setTimeout(resolve, milliseconds).unref())

/** Functions that send the response. */
interface Answer {
  write(chunk: Buffer, done: () => void): unknown
  end(body: Buffer | string): unknown
}

/** Executes the request without sending its response: `send` receives the whole body instead. */
function onAnswer(response: Response, send: (body: Buffer, answer: Answer) => unknown) {
  const { write, end, writeHead } = response
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    return true
  }
  Object.assign(response, {
    writeHead: (status: number) => response.status(status),
    write: keep,
    end(chunk: unknown) {
      keep(chunk)
      Object.assign(response, { write, end, writeHead })
      send(Buffer.concat(chunks), {
        write: (part, done) => write.call(response, part, 'utf8', done),
        end: (body) => end.call(response, body, 'utf8'),
      })
      return response
    },
  })
}
