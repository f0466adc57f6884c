import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { readAnswer, readContract } from '../../helpers/contract.ts'
import { MERCHANT } from '../../helpers/gateway.ts'
import { temporaryFolder } from '../../setup/temporary.ts'
import { type Request, requestedCalls } from './fuzz-requests.ts'
import { FUZZ_TARGETS, type FuzzTarget, type Ground, OTHER, remember } from './fuzz-targets.ts'
import { Lead } from './lead.ts'
import { type MeasuredGateway, startMeasuredGateway } from './measured-gateway.ts'
import { mutations, type Wire } from './mutations.ts'
import { type RawAnswer, RawConnection } from './raw-connection.ts'
import { strayRequests } from './stray-requests.ts'

/** Calls of the contract that can succeed. All other calls always return an error. */
export const FEASIBLE: readonly string[] = requestedCalls(readContract())
  .map(({ operation }) => operation.operationId)
  .filter((operation) => !['captureNothing', 'findAddress'].includes(operation))

/** Number of connections that send requests at the same time. */
const CONNECTIONS = 16

/**
 * Number of requests after which the merchants get new rows of every kind, because requests pay,
 * cancel and delete the existing rows.
 */
const REQUESTS_PER_DATA_SET = 200

/** One request in four has mutated bytes. The others are valid HTTP. */
const MUTATED = 4

/** Number of memory measurements in a run. Each takes a tenth of a second. */
const SAMPLES = 60

/** Number of problems after which the run ends. */
const MOST_PROBLEMS = 10

/** Memory at one moment, in bytes. */
export interface Sample {
  readonly sent: number
  readonly heapUsed: number
  readonly rss: number
}

/** The results of the requests. */
export interface FuzzReport {
  readonly sent: number
  /** Number of answers by status; `cut off` counts bytes that were not a complete request. */
  readonly answers: Readonly<Record<string, number>>
  /** Calls of the contract that succeeded at least once. */
  readonly done: ReadonlySet<string>
  /** Requests that reached code which no earlier request had reached. */
  readonly kept: number
  readonly samples: readonly Sample[]
  /** Problems, each with the request that showed it. */
  readonly problems: readonly string[]
}

export interface FuzzPlan {
  /**
   * Target of the requests. Default: the merchants' API and its pages, derived from the contract
   * only.
   */
  readonly target?: keyof typeof FUZZ_TARGETS | undefined
  /** `postgres://` address of the database. Default: an SQLite file. */
  readonly database?: string | undefined
  readonly requests: number
  /** Seed of the random requests. The same seed gives the same requests. */
  readonly seed: number
  /** If given, requests that reach new code are mutated further. */
  readonly guide?: Guide
  /** Called after every measurement. */
  readonly told?: (sample: Sample, problems: readonly string[]) => void
}

/** Instrumented sources, which show which requests reach new code. */
interface Guide {
  /** File with sources that record which of their blocks run. */
  readonly watched: string
  /** Called with blocks that were reached for the first time in a run. */
  readonly note: (blocks: readonly number[]) => void
}

/**
 * Sends requests through raw sockets to a gateway in its own process. Most of them are valid
 * requests of the contract with a change. Every request must get an answer that the contract
 * allows, and none may fail.
 */
export async function fuzz(plan: FuzzPlan): Promise<FuzzReport> {
  const { database, requests: count, seed, guide, told = () => {} } = plan
  const target = FUZZ_TARGETS[plan.target ?? 'contract']()
  const folder = await mkdtemp(join(temporaryFolder(), 'mondido-fuzz-'))
  const merchants = join(folder, 'merchants.json')
  await writeFile(merchants, JSON.stringify([MERCHANT, OTHER]))
  const data = database === undefined ? ['--data', folder] : ['--database', database]
  const gateway = await startMeasuredGateway(
    [...data, '--merchants', merchants, ...target.flags],
    guide?.watched,
  )
  const run = new Run(target, gateway)
  const samples: Sample[] = []
  try {
    const lead = new Lead(target.drawers(await target.begin(gateway.url)), seed)
    while (run.sent < count && run.problems.length < MOST_PROBLEMS) {
      const ground = await target.begin(gateway.url)
      const size = Math.min(REQUESTS_PER_DATA_SET, count - run.sent)
      const share = guide ? Math.floor(size / MUTATED) : size
      const others = drawn(lead, ground, share, seed + run.sent, guide !== undefined)
      // Many mutated requests wait for bytes that never arrive. Other requests run meanwhile.
      await Promise.all([
        guide && run.sendLed(lead, ground, size - share, guide),
        run.sendAll(others, ground),
      ])
      if (run.sent < (count / SAMPLES) * (samples.length + 1)) continue
      const { rejections, polluted, ...memory } = await gateway.measure()
      for (const each of rejections)
        run.note(`nobody waited for a promise that was rejected: ${each}`)
      if (polluted) run.note('something was written to the prototype of all objects')
      for (const each of gateway.complaints()) run.note(`it complained: ${each}`)
      const sample = { sent: run.sent, ...memory }
      samples.push(sample)
      told(sample, run.problems)
    }
    if ((await gateway.stop()) !== 0) run.note('it did not stop as it was told to')
  } catch (error) {
    run.note((error as Error).stack ?? String(error))
    for (const each of gateway.complaints()) run.note(`it complained: ${each}`)
  } finally {
    run.close()
    await gateway.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...run, samples }
}

/** A request and the mutation of its bytes. */
type Drawn = readonly [request: Request, mutate: ((wire: Wire) => Wire) | null]

/**
 * Draws requests that are sent at the same time.
 * @param isMutated whether all requests of the contract have mutated bytes
 */
function drawn(
  lead: Lead,
  ground: Ground,
  size: number,
  seed: number,
  isMutated: boolean,
): readonly Drawn[] {
  const mutate: fc.Arbitrary<Drawn[1]> = fc.oneof(
    { weight: isMutated ? 0 : MUTATED - 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: mutations },
  )
  const stray = fc.oneof(
    { weight: 19, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: strayRequests(ground) },
  )
  return fc
    .sample(fc.tuple(stray, mutate), { numRuns: size, seed })
    .map(([other, mutation]) => [other ?? lead.next(ground)[0], mutation])
}

/** The requests and answers of one run. */
class Run {
  sent = 0
  kept = 0
  readonly answers: Record<string, number> = {}
  readonly done = new Set<string>()
  readonly problems: string[] = []
  readonly #target: FuzzTarget
  readonly #gateway: MeasuredGateway
  readonly #connections: readonly RawConnection[]
  readonly #led: RawConnection

  constructor(target: FuzzTarget, gateway: MeasuredGateway) {
    const port = Number(new URL(gateway.url).port)
    this.#target = target
    this.#gateway = gateway
    this.#connections = Array.from({ length: CONNECTIONS }, () => new RawConnection(port))
    this.#led = new RawConnection(port)
  }

  note(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }

  /** Sends requests over all connections in parallel. */
  async sendAll(list: readonly Drawn[], { logins }: Ground): Promise<void> {
    const left = list.values()
    await Promise.all(
      this.#connections.map(async (connection) => {
        for (const each of left) await this.#send(connection, each, logins)
      }),
    )
  }

  /**
   * Sends a number of requests one after the other, and stores the requests that reach new code.
   */
  async sendLed(lead: Lead, ground: Ground, count: number, { note }: Guide): Promise<void> {
    note(await this.#gateway.reached())
    for (let left = count; left > 0; left -= 1) {
      const [request, keep] = lead.next(ground)
      const answer = await this.#send(this.#led, [request, null], ground.logins)
      if (answer) this.#goOn(lead, ground, request, answer)
      const reached = await this.#gateway.reached()
      if (reached.length === 0) continue
      note(reached)
      keep()
      this.kept += 1
    }
  }

  /** Adds the objects and links of an answer for later requests. */
  #goOn(lead: Lead, ground: Ground, request: Request, { text, headers }: RawAnswer): void {
    const location = headers.get('location')
    remember(ground, request, `${text} ${location}`)
    const { fresh, ahead } = this.#target.ways?.take(request, text, location) ?? {
      fresh: [],
      ahead: [],
    }
    lead.add(fresh)
    lead.follow(ahead)
  }

  close(): void {
    for (const connection of [this.#led, ...this.#connections]) connection.close()
  }

  async #send(
    connection: RawConnection,
    [request, mutate]: Drawn,
    logins: Ground['logins'],
  ): Promise<RawAnswer | undefined> {
    const wire = wireOf(request, logins[request.login])
    const { head, login, body } = mutate ? mutate(wire) : wire
    const bytes = Buffer.concat([head, login, END_OF_LINE, body])
    this.sent += 1
    try {
      const answer = await connection.send(bytes, mutate !== null)
      const status = answer?.status ?? 'cut off'
      this.answers[status] = (this.answers[status] ?? 0) + 1
      if (!answer) return undefined
      if (answer.status >= 500 && bytes.includes(this.#target.safe))
        throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`)
      if (mutate || !isAsWritten(request.address)) return undefined
      const read = readAnswer(answer.headers, answer.text)
      if (!isRefusedAsForeign(request, answer.status, read))
        this.#target.check(request.method, request.address, answer.status, answer.headers, read)
      if (answer.status < 400) this.done.add(request.operation)
      return answer
    } catch (error) {
      this.note(
        `${(error as Error).message}\n  to ${JSON.stringify(bytes.toString('latin1').slice(0, 3_000))}`,
      )
      return undefined
    }
  }
}

/**
 * Returns true if `URL` keeps the path unchanged. A path with `..` would be another call of the
 * contract.
 */
const isAsWritten = (address: string): boolean =>
  URL.parse(address, 'http://localhost')?.pathname === address.split(/[?#]/)[0]

/**
 * Returns true if an answer follows the rule of the contract for pages of other origins: they
 * cannot change data.
 */
const isRefusedAsForeign = (
  { method, headers = [] }: Request,
  status: number,
  body: unknown,
): boolean =>
  status === 403 &&
  method !== 'GET' &&
  headers.some((line) => /^(?:Origin|Sec-Fetch-Site):/.test(line)) &&
  (body as { readonly name?: unknown }).name === 'errors.request.bad_format'

const END_OF_LINE = Buffer.from('\r\n')

/** Writes the request as valid HTTP. The line with the login is the last header. */
function wireOf(
  { method, address, body, type, headers = [] }: Request,
  login: string | undefined,
): Wire {
  const bytes = Buffer.from(body?.toWellFormed() ?? '')
  const about = body === null ? [] : [`Content-Type: ${type}`, `Content-Length: ${bytes.length}`]
  const lines = [`${method} ${inHttp(address)} HTTP/1.1`, 'Host: localhost', ...about, ...headers]
  return {
    head: Buffer.from(`${lines.join('\r\n')}\r\n`),
    login: Buffer.from(login === undefined ? '' : `${login}\r\n`, 'latin1'),
    body: bytes,
  }
}

/** Escapes characters that a client never sends unescaped, like `fetch`. */
export const inHttp = (address: string): string =>
  address.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()))
