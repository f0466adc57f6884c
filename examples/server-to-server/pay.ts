/**
 * Takes a card payment from a server, step by step: reserve, take a part, give some of it back.
 * Nothing but Node.
 *
 *     npx node examples/server-to-server/pay.ts --gateway http://localhost:4400 --merchant 1
 *
 * Card numbers on your own server mean full PCI DSS duty. With the browser library, the payment
 * page or a stored card's token in `card_number`, they never come there, and everything else below
 * stays the same.
 */
import { createHash, randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'

export interface Account {
  /** Address of the payment service, e.g. http://localhost:4400 */
  readonly gateway: string
  readonly merchant: { readonly id: number; readonly password: string; readonly secret: string }
}

/**
 * The fields of a transaction that are looked at here; amounts have two decimals, e.g. "250.00".
 */
interface Transaction {
  readonly id: number
  readonly status: string
  readonly amount: string
  readonly card_number: string
  readonly response_hash: string
}

type Fields = Readonly<Record<string, string | number | boolean>>

const md5 = (...parts: readonly (string | number)[]) =>
  createHash('md5').update(parts.join('')).digest('hex')

/** Calls the API. @throws Error that says which call was refused, or not answered, and why */
async function call<T>(
  { gateway, merchant }: Account,
  method: string,
  path: string,
  fields: Fields,
): Promise<T> {
  const login = Buffer.from(`${merchant.id}:${merchant.password}`).toString('base64')
  const authorization = `Basic ${login}`
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  )
  const request = { method, body, headers: { authorization }, signal: AbortSignal.timeout(30_000) }
  const answer = await fetch(`${gateway}/v1${path}?locale=en`, request).catch((cause) => {
    throw new Error(
      `No answer from ${gateway} to ${method} ${path}: ${cause.cause?.message ?? cause.message}`,
      {
        cause,
      },
    )
  })
  if (answer.ok) return (await answer.json()) as T
  const why = answer.headers.get('Mondido-Explain') ?? ''
  throw new Error(`${method} ${path} was refused: ${await answer.text()} ${why}`)
}

/**
 * Reserves 250.00, takes 200.00, gives 50.00 back, and prints each step as one line.
 * @returns the id of the transaction
 */
export async function pay({
  print,
  ...account
}: Account & { print(line: string): void }): Promise<number> {
  const { id, secret } = account.merchant
  const payment = {
    amount: '250.00',
    currency: 'sek',
    payment_ref: randomBytes(6).toString('hex'),
    test: true,
  }
  const { amount, currency, payment_ref } = payment
  const nextYear = String(new Date().getFullYear() + 1).slice(2)
  const card = {
    card_number: '4111111111111111',
    card_holder: 'Kim Berg',
    card_expiry: `12${nextYear}`,
    card_cvv: 200,
  }

  const hash = md5(id, payment_ref, amount, currency, 'test', secret)
  const create = { ...payment, ...card, card_type: 'VISA', authorize: true, hash }
  const reserved = await call<Transaction>(account, 'POST', '/transactions', create)
  // Only who has the secret can have made this hash, so the answer is about this payment and comes
  // from the service.
  if (reserved.response_hash !== md5(id, payment_ref, amount, currency, reserved.status, secret))
    throw new Error('The answer does not come from the payment service')
  print(
    `Reserved ${amount} SEK on ${reserved.card_number}: transaction ${reserved.id} is ${reserved.status}`,
  )

  const captured = await call<Transaction>(account, 'PUT', `/transactions/${reserved.id}/capture`, {
    amount: '200.00',
  })
  print(`Took ${captured.amount} SEK of it: transaction ${captured.id} is ${captured.status}`)

  const give = { transaction_id: captured.id, amount: '50.00', reason: 'One cup came broken' }
  const refund = await call<{ id: number; amount: string }>(account, 'POST', '/refunds', give)
  print(`Gave ${refund.amount} SEK back: refund ${refund.id}`)
  return captured.id
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      gateway: { type: 'string', default: 'http://localhost:4400' },
      merchant: { type: 'string', default: '1' },
      password: { type: 'string', default: 'custom00' },
      secret: { type: 'string', default: 'sandbox-secret' },
    },
  })
  const { gateway, password, secret } = values
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    await pay({ gateway, merchant: { id: Number(values.merchant), password, secret }, print })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
