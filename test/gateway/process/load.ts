import { randomInt } from 'node:crypto'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { encode, type Fields, hashed, payment, type TransactionOrError } from '../../helpers/gateway.ts'
import { type Program, startProgram } from '../../helpers/program.ts'

/** A gateway in a process of its own. */
export interface GatewayProcess {
  readonly url: string
  readonly program: Program
}

/** Starts the command on a data folder, with a free port. @throws Error with its output when it does not start */
export async function startGatewayProcess(folder: string): Promise<GatewayProcess> {
  const program = startProgram('mock-gateway/cli.ts', ['--data', folder, '--port', '0'], { LOG_LEVEL: 'silent' })
  const line = await program.printed(/REST API/)
  return { url: /https?:\S+/.exec(line)?.[0] ?? '', program }
}

const AUTHORIZATION = `Basic ${btoa(`${DEFAULT_MERCHANT.id}:${DEFAULT_MERCHANT.password}`)}`

async function call<Body>(url: string, method = 'GET', fields?: Fields): Promise<Body> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const init = { method, headers: { authorization: AUTHORIZATION, ...(fields ? type : {}) } }
  const answer = await fetch(url, fields ? { ...init, body: encode(fields) } : init)
  if (answer.status !== 200) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

/** Pays with a card, at once or by authorization. @throws Error when it is not answered with 200 */
export const pay = (url: string, authorize = false) =>
  call<TransactionOrError>(`${url}/transactions`, 'POST', hashed(payment({ authorize }), DEFAULT_MERCHANT))

/** What the merchant was told: status by transaction id, of those that nobody was changing when the end came. */
export type Answered = Map<number, string>

/**
 * Pays over four connections at once, every second payment as authorization and capture, until the gateway is gone.
 * @param tired called once, after a random number of answers
 */
export async function payUntilGone(url: string, answered: Answered, tired: () => void): Promise<void> {
  let left = randomInt(5, 120)
  const told = ({ id, status }: TransactionOrError) => {
    answered.set(id, status)
    if (--left === 0) tired()
  }
  async function connection() {
    for (let authorize = false; ; authorize = !authorize) {
      const paid = await pay(url, authorize)
      told(paid)
      if (!authorize) continue
      answered.delete(paid.id)
      told(await call<TransactionOrError>(`${url}/transactions/${paid.id}/capture`, 'PUT', { amount: '5.00' }))
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: 4 }, connection))
  for (const end of ends) if (end.status === 'rejected' && !isGone(end.reason)) throw end.reason
}

/** `fetch` fails with a TypeError when there is nobody any more; a refusal is an Error of ours. */
const isGone = (error: unknown) => error instanceof TypeError

/** Every transaction of a gateway, by its id. */
export async function allTransactions(url: string): Promise<ReadonlyMap<number, TransactionOrError>> {
  const found = new Map<number, TransactionOrError>()
  for (;;) {
    const page = await call<TransactionOrError[]>(`${url}/transactions?order_by=id&limit=1000&offset=${found.size}`)
    if (page.length === 0) return found
    for (const transaction of page) found.set(transaction.id, transaction)
  }
}
