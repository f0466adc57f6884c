import { randomInt } from 'node:crypto'
import type { Refund } from '../../../mock-gateway/contract/wire.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import {
  authorizationOf,
  encode,
  type Fields,
  hashed,
  payment,
  type TransactionOrError,
} from '../../helpers/gateway.ts'
import { GATEWAY_PROGRAM, type Program, startProgram } from '../../helpers/program.ts'
import type { Ledger, Order } from './ledger.ts'

/** Gateway in its own process. */
export interface GatewayProcess {
  readonly url: string
  readonly program: Program
}

/**
 * Starts the command with a free port.
 * @param place flags for the place of the data
 * @throws Error with its output if it does not start
 */
export async function startGatewayProcess(place: readonly string[]): Promise<GatewayProcess> {
  const program = startProgram(GATEWAY_PROGRAM, [...place, '--port', '0'], { LOG_LEVEL: 'silent' })
  const line = await program.printed(/REST API/)
  return { url: /https?:\S+/.exec(line)?.[0] ?? '', program }
}

const AUTHORIZATION = authorizationOf(DEFAULT_MERCHANT)

/**
 * Error of a request that the database of a busy machine did not answer in time. Nothing was
 * changed, and clients repeat the request later.
 */
class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

async function call<Body>(
  url: string,
  method = 'GET',
  fields?: Fields,
): Promise<{ body: Body; headers: Headers }> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const init = { method, headers: { authorization: AUTHORIZATION, ...(fields ? type : {}) } }
  const answer = await fetch(url, fields ? { ...init, body: encode(fields) } : init)
  if (answer.status === 503)
    throw new Unavailable(`${method} ${url}: ${answer.headers.get('mondido-explain')}`)
  if (answer.status !== 200)
    throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return { body: (await answer.json()) as Body, headers: answer.headers }
}

/**
 * Pays with a card, in one step or by authorization.
 * @throws Error if the answer is not status 200
 */
export const pay = async (url: string, over: Fields = {}): Promise<TransactionOrError> =>
  (await paid(url, over)).body

const paid = (url: string, over: Fields) =>
  call<TransactionOrError>(`${url}/transactions`, 'POST', hashed(payment(over), DEFAULT_MERCHANT))

export const CAPTURED = '5.00'
export const REFUNDED = '2.00'

/**
 * Pays over four connections until the gateway has ended: every second payment with authorization
 * and capture, every third with a refund.
 * @param hook address of the webhook of every payment
 * @param answers maximum number of answers until `tired` is called, once, at a random time
 */
export async function payUntilGone(
  url: string,
  ledger: Ledger,
  answers: number,
  hook: string,
  tired: () => void,
): Promise<void> {
  const webhook = JSON.stringify({ trigger: 'payment', url: hook })
  let left = randomInt(5, answers)
  const count = () => {
    if (--left === 0) tired()
  }
  async function connection() {
    for (;;) {
      await placeOrder(url, ledger.newOrder(), webhook, count).catch((error) => {
        if (!(error instanceof Unavailable)) throw error
        count()
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: 4 }, connection))
  for (const end of ends) if (end.status === 'rejected' && !isGone(end.reason)) throw end.reason
}

/**
 * Pays over four connections at an address with several gateways, one of which is killed meanwhile.
 * The result of an interrupted request is unknown, and the request is not repeated.
 * @param kill called after half of the answers
 */
export async function payAcross(
  url: string,
  ledger: Ledger,
  answers: number,
  hook: string,
  kill: () => Promise<void>,
): Promise<void> {
  const webhook = JSON.stringify({ trigger: 'payment', url: hook })
  let left = answers
  let killing: Promise<void> | undefined
  const count = () => {
    left -= 1
    if (left <= answers / 2) killing ??= kill()
  }
  async function connection() {
    while (left > 0)
      await placeOrder(url, ledger.newOrder(), webhook, count).catch((error) => {
        if (!(error instanceof Unavailable) && !isGone(error)) throw error
      })
  }
  await Promise.all(Array.from({ length: 4 }, connection))
  await killing
}

/**
 * Records each request before it is sent, and each answer when it arrives.
 * @param answered receives each answer, by the id of the request
 */
export async function placeOrder(
  url: string,
  order: Order,
  webhook: string,
  answered: (requestId: string) => unknown,
) {
  const { payment_ref, authorize } = order
  const { body, headers } = await paid(url, { payment_ref, authorize, webhook })
  const { id, status } = body
  order.created = { id, status }
  await answered(idOf(headers))
  if (authorize) {
    order.capture = 'sent'
    const captured = await call(`${url}/transactions/${id}/capture`, 'PUT', { amount: CAPTURED })
    order.capture = 'answered'
    await answered(idOf(captured.headers))
  }
  if (!order.refunds) return
  order.refund = { id: undefined }
  const fields = { transaction_id: id, amount: REFUNDED, reason: payment_ref }
  const refunded = await call<Refund>(`${url}/refunds`, 'POST', fields)
  order.refund = { id: refunded.body.id }
  await answered(idOf(refunded.headers))
}

const idOf = (headers: Headers): string => headers.get('x-request-id') ?? ''

/**
 * Returns true if no server answered: `fetch` then throws a TypeError. Rejections are errors of the
 * test.
 */
const isGone = (error: unknown) => error instanceof TypeError

/** Rows in an answer of a list call. */
export interface Listed<Row> {
  readonly rows: readonly Row[]
  /** Total number of rows in the list's header. */
  readonly total: number
}

/** Reads all rows of one kind, the oldest first. */
export async function all<Row>(
  url: string,
  kind: 'transactions' | 'refunds',
): Promise<Listed<Row>> {
  const rows: Row[] = []
  for (;;) {
    const page = await read<Row[]>(`${url}/${kind}?order_by=id&limit=1000&offset=${rows.length}`)
    const total = Number(page.headers.get('content-range')?.split('/')[1] ?? 0)
    if (page.body.length === 0) return { rows, total }
    rows.push(...page.body)
  }
}

/** Maximum number of attempts for an interrupted read. */
const TRIES = 5

/**
 * Reads an address, and repeats an interrupted read. A gateway drops a client that reads nothing
 * for half a minute, which happens on a busy machine.
 */
const read = <Body>(url: string, tries = TRIES): ReturnType<typeof call<Body>> =>
  call<Body>(url).catch((error) => {
    if (tries > 1 && isGone(error)) return read(url, tries - 1)
    throw error
  })
