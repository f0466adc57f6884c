import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { styleAddress } from '../../helpers/assets.ts'
import { checkAnswer, readAnswer, readContract } from '../../helpers/contract.ts'
import { authorizationOf, clientAt, MERCHANT } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import { bends, type Wire } from './bent.ts'
import { type AtBank, type Estate, newEstate, newPayersAtBank } from './estate.ts'
import { type Known, type Request, requestedCalls, requests } from './fuzz-requests.ts'
import { type MeasuredGateway, startMeasuredGateway } from './measured-gateway.ts'
import { RawConnection } from './raw-connection.ts'
import { strayRequests } from './stray-requests.ts'

const contract = readContract()

/** The calls of the contract that can succeed; the others can only refuse. */
export const FEASIBLE: readonly string[] = requestedCalls(contract)
  .map(({ operation }) => operation.operationId)
  .filter((operation) => !['captureNothing', 'findAddress'].includes(operation))

const OTHER = { id: 2, password: 'other password', secret: 'other secret', private_key: OTHER_PRIVATE_KEY }

/** Requests at the same time. */
const CONNECTIONS = 16

/** After so many the merchants get new rows of every kind: requests pay, cancel and delete what there is. */
const REQUESTS_OF_AN_ESTATE = 200

/** One request in so many is bent as bytes; the others say what they say in good HTTP. */
const BENT = 4

/** How often memory is measured in a run, which takes the gateway a tenth of a second. */
const SAMPLES = 60

/** More are not looked for. */
const MOST_PROBLEMS = 10

/** Memory at one moment, in bytes. */
export interface Sample {
  readonly sent: number
  readonly heapUsed: number
  readonly rss: number
}

/** What became of the requests. */
export interface FuzzReport {
  readonly sent: number
  /** How many answers there were of each status; `cut off` had none, because their bytes made no request. */
  readonly answers: Readonly<Record<string, number>>
  /** Calls of the contract that succeeded at least once. */
  readonly done: ReadonlySet<string>
  readonly samples: readonly Sample[]
  /** What should not be, with the request that showed it. */
  readonly problems: readonly string[]
}

export interface FuzzPlan {
  /** A `postgres://` address; a file of SQLite without. */
  readonly database?: string | undefined
  readonly requests: number
  /** The same seed makes the same requests. */
  readonly seed: number
  /** Called at every sample. */
  readonly told?: (sample: Sample, problems: number) => void
}

/**
 * Sends requests, most of them valid ones of the contract with something changed, through raw sockets to a gateway in a
 * process of its own: no answer may be a failure or be missing, none may be against the contract.
 */
export async function fuzz({ database, requests: count, seed, told = () => {} }: FuzzPlan): Promise<FuzzReport> {
  const folder = await mkdtemp(join(tmpdir(), 'mondido-fuzz-'))
  const merchants = join(folder, 'merchants.json')
  await writeFile(merchants, JSON.stringify([MERCHANT, OTHER]))
  const gateway = await startMeasuredGateway([
    ...(database === undefined ? ['--data', folder] : ['--database', database]),
    ...['--merchants', merchants],
  ])
  const run = new Run(gateway)
  const samples: Sample[] = []
  try {
    const shop = clientAt(gateway.url, MERCHANT)
    const style = await styleAddress(shop)
    while (run.sent < count && run.problems.length < MOST_PROBLEMS) {
      const [own, other] = [await newEstate(shop), await newEstate(clientAt(gateway.url, OTHER))]
      const known = knownOf(own, other, style, await newPayersAtBank(shop, MERCHANT.id))
      const size = Math.min(REQUESTS_OF_AN_ESTATE, count - run.sent)
      await run.sendAll(drawn(known, size, seed + run.sent))
      if (run.sent < (count / SAMPLES) * (samples.length + 1)) continue
      const { rejections, polluted, ...memory } = await gateway.measure()
      for (const each of rejections) run.note(`nobody waited for a promise that was rejected: ${each}`)
      if (polluted) run.note('something was written to the prototype of all objects')
      for (const each of gateway.complaints()) run.note(`it complained: ${each}`)
      const sample = { sent: run.sent, ...memory }
      samples.push(sample)
      told(sample, run.problems.length)
    }
    if ((await gateway.stop()) !== 0) run.note('it did not stop as it was told to')
  } catch (error) {
    run.note(String(error))
  } finally {
    run.close()
    await gateway.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...run, samples }
}

/** A request, and what is done to its bytes. */
type Drawn = readonly [request: Request, bend: ((wire: Wire) => Wire) | null]

function drawn(known: Known, size: number, seed: number): readonly Drawn[] {
  const any = fc.oneof(
    { weight: 19, arbitrary: requests(contract, known) },
    { weight: 1, arbitrary: strayRequests(known) },
  )
  const bend: fc.Arbitrary<Drawn[1]> = fc.oneof(
    { weight: BENT - 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: bends },
  )
  return fc.sample(fc.tuple(any, bend), { numRuns: size, seed })
}

/** What is sent and answered in one run. */
class Run {
  sent = 0
  readonly answers: Record<string, number> = {}
  readonly done = new Set<string>()
  readonly problems: string[] = []
  readonly #connections: readonly RawConnection[]

  constructor({ url }: MeasuredGateway) {
    this.#connections = Array.from({ length: CONNECTIONS }, () => new RawConnection(Number(new URL(url).port)))
  }

  note(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }

  /** Sends them over all connections at once. */
  async sendAll(list: readonly Drawn[]): Promise<void> {
    const left = list.values()
    await Promise.all(
      this.#connections.map(async (connection) => {
        for (const each of left) await this.#send(connection, each)
      }),
    )
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  async #send(connection: RawConnection, [request, bend]: Drawn): Promise<void> {
    const wire = wireOf(request)
    const { head, login, body } = bend ? bend(wire) : wire
    const bytes = Buffer.concat([head, login, END_OF_LINE, body])
    this.sent += 1
    try {
      const answer = await connection.send(bytes, bend !== null)
      const status = answer?.status ?? 'cut off'
      this.answers[status] = (this.answers[status] ?? 0) + 1
      if (!answer) return
      if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`)
      if (bend || !isAsWritten(request.address)) return
      const read = readAnswer(answer.headers, answer.text)
      checkAnswer(request.method, request.address, answer.status, answer.headers, read)
      if (answer.status < 400) this.done.add(request.operation)
    } catch (error) {
      this.note(`${(error as Error).message}\n  to ${JSON.stringify(bytes.toString('latin1').slice(0, 3_000))}`)
    }
  }
}

/** Whether URLs take the path as it is: one with `..` in it means another call to whoever looks it up in the contract. */
const isAsWritten = (address: string): boolean =>
  URL.parse(address, 'http://localhost')?.pathname === address.split(/[?#]/)[0]

const END_OF_LINE = Buffer.from('\r\n')

export const LOGINS: Readonly<Record<Request['login'], string | undefined>> = {
  own: authorizationOf(MERCHANT),
  other: authorizationOf(OTHER),
  broken: 'Basic \u00ff:',
  none: undefined,
}

/** The request in good HTTP; the login ends its head. */
function wireOf({ method, address, body, type, login }: Request): Wire {
  const bytes = Buffer.from(body?.toWellFormed() ?? '')
  const authorization = LOGINS[login]
  const about = body === null ? [] : [`Content-Type: ${type}`, `Content-Length: ${bytes.length}`]
  const lines = [`${method} ${inHttp(address)} HTTP/1.1`, 'Host: localhost', ...about]
  return {
    head: Buffer.from(`${lines.join('\r\n')}\r\n`),
    login: Buffer.from(authorization === undefined ? '' : `Authorization: ${authorization}\r\n`, 'latin1'),
    body: bytes,
  }
}

/** What a client would never send unescaped is escaped, as `fetch` does it. */
export const inHttp = (address: string): string =>
  address.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()))

/** Ids of rows that the requests themselves make. */
const LATER = [10, 11, 12, 13, 14, 15]

/** What the documented examples can be made real with; rows of the other merchant are among the ids. */
export function knownOf(own: Estate, other: Estate, style: string, bank: AtBank): Known {
  const both = (...names: (keyof Estate)[]) => [own, other].flatMap((of) => names.map((name) => String(of[name])))
  return {
    values: {
      transaction_id: [own.approved, own.authorized, ...LATER],
      customer_id: [own.customer, ...LATER],
      stored_card_id: [own.stored_card, ...LATER],
      plan_id: [own.plan, ...LATER],
      customer_ref: [own.customer_ref],
      merchant_id: [MERCHANT.id],
      success_url: ['https://shop.example/thanks'],
      error_url: ['https://shop.example/sorry'],
    },
    ids: {
      transactions: both('approved', 'authorized', 'pending'),
      refunds: both('refund'),
      stored_cards: both('stored_card'),
      stored_card: both('stored_card'),
      customers: both('customer'),
      plans: both('plan'),
      subscriptions: both('subscription'),
      subscription: both('subscription'),
      webhooks: both('webhook'),
      attempts: both('attempt'),
      form: both('href_token'),
      mpi_js: both('nonce'),
      ...bank,
      assets: [style.replace('/assets/', '')],
    },
  }
}
