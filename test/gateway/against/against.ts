import fc from 'fast-check'
import { listCalls } from '../../../mock-gateway/web/docs/contract.ts'
import { readContract } from '../../helpers/contract.ts'
import { readControlContract } from '../../helpers/control-contract.ts'
import { type Client, clientOver, MERCHANT } from '../../helpers/gateway.ts'
import { type Known, type Request, requests, requestsOf } from '../abuse/fuzz-requests.ts'
import { knownOf, LOGINS } from '../abuse/known.ts'
import { createTestData, newPayersAtBank } from '../abuse/test-data.ts'
import { type Answered, type Build, CONTROL_KEY, loadBuild, OTHER, type Sent } from './build.ts'
import { type Difference, differencesOf } from './difference.ts'
import { listRequests } from './lists.ts'

/** Options of a comparison. */
export interface AgainstPlan {
  /** Folders of two builds. The answers of the first build decide the next requests. */
  readonly builds: readonly [string, string]
  readonly requests: number
  /** Seed of the random requests. The same seed gives the same requests. */
  readonly seed: number
  /** Called after each block of requests. */
  readonly told?: (report: AgainstReport) => void
}

/** Differences of one shape. */
export interface Group {
  count: number
  /** Request that showed the first difference. */
  readonly sent: Sent
  readonly first: Difference
}

/** The result of a comparison. */
export interface AgainstReport {
  sent: number
  /** Number of answers with status 200 by the first build. */
  succeeded: number
  /** Groups of differences by shape. */
  readonly groups: Map<string, Group>
}

/**
 * Number of requests after which both gateways start again, because a request that only one build
 * accepts changes all later answers.
 */
const BLOCK = 200

const contract = readContract()
const control = readControlContract()

/** Calls of the control API. An injected fault would close connections. */
const CONTROL_CALLS = listCalls(control)
  .filter(({ method, path }) => `${method} ${path}` !== 'post /faults')
  .map((call) => ({ ...call, path: `/_control${call.path}` }))

/**
 * Sends the same requests to two builds with empty data, and compares their answers byte by byte.
 */
export async function against({
  builds,
  requests: count,
  seed,
  told,
}: AgainstPlan): Promise<AgainstReport> {
  const [open, openOther] = await Promise.all([loadBuild(builds[0]), loadBuild(builds[1])])
  const report: AgainstReport = { sent: 0, succeeded: 0, groups: new Map() }
  for (let block = 0; report.sent < count; block++) {
    const name = `${seed} ${block}`
    const pair = new Pair(await open(name), await openOther(name), report)
    await pair.live(drawn, seed + block, Math.min(BLOCK, count - report.sent))
    await pair.close()
    told?.(report)
  }
  return report
}

/**
 * Draws the requests of a block: mutated requests of the contract, and lists.
 */
function drawn(known: Known, size: number, seed: number): readonly Request[] {
  const any = fc.oneof(
    { weight: 14, arbitrary: requests(contract, known) },
    { weight: 4, arbitrary: requestsOf(control, CONTROL_CALLS, known) },
    { weight: 5, arbitrary: listRequests },
  )
  return fc.sample(any, { numRuns: size, seed })
}

/** Two gateways that get the same requests. */
class Pair {
  readonly #one: Build
  readonly #other: Build
  readonly #report: AgainstReport
  /**
   * True after a request changed the data of only one gateway. From then on their rows have
   * different ids.
   */
  #isApart = false

  constructor(one: Build, other: Build, report: AgainstReport) {
    this.#one = one
    this.#other = other
    this.#report = report
  }

  /** Creates rows of every kind, then sends requests drawn for them. */
  async live(draw: typeof drawn, seed: number, most: number): Promise<void> {
    const before = this.#report.sent
    const shop = this.#client(MERCHANT)
    const [own, other] = [await createTestData(shop), await createTestData(this.#client(OTHER))]
    const known = knownOf(own, other, '/assets/none', await newPayersAtBank(shop, MERCHANT.id))
    const left = most - (this.#report.sent - before)
    for (const request of draw(known, Math.max(left, 1), seed)) {
      if (this.#isApart) return
      await this.#send(sentOf(request))
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#one.close(), this.#other.close()])
  }

  #client(merchant: typeof MERCHANT): Client {
    return clientOver(async (request) => {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'GET' ? null : await request.text()
      const sent = {
        method: request.method,
        address: pathname + search,
        headers: Object.fromEntries(request.headers),
        body,
      }
      const { status, headers, body: answered } = await this.#send(sent)
      return new Response(answered, { status, headers })
    }, merchant)
  }

  async #send(sent: Sent): Promise<Answered> {
    const [one, other] = [await this.#one.answer(sent), await this.#other.answer(sent)]
    this.#report.sent += 1
    if (one.status === 200) this.#report.succeeded += 1
    if (sent.method !== 'GET' && one.status !== other.status) this.#isApart = true
    for (const difference of differencesOf(sent, one, other)) this.#note(sent, difference)
    return one
  }

  #note(sent: Sent, first: Difference) {
    const { groups } = this.#report
    const group = groups.get(first.shape)
    if (group) group.count += 1
    else groups.set(first.shape, { count: 1, sent, first })
  }
}

function sentOf({ method, address, body, type, login }: Request): Sent {
  const authorization = LOGINS[login]
  return {
    method,
    // Escaped like by clients, which send no other characters.
    address: address.replace(/[^\x21-\x7e]/gu, (each) => encodeURIComponent(each.toWellFormed())),
    headers: {
      ...(authorization && { authorization }),
      ...(address.startsWith('/_control') && { 'x-control-key': CONTROL_KEY }),
      ...(body !== null && type && { 'content-type': type }),
    },
    body: method === 'GET' ? null : (body?.toWellFormed() ?? null),
  }
}
