/**
 * Pays, and receives the webhook about it: checks its signature and `response_hash`, answers 500
 * twice as a shop does whose database is away, and moves the clock of the sandbox to each retry
 * instead of waiting for it.
 *
 * npx node examples/webhook-receiver/receive.ts --control-key <the key that the gateway printed>
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import {
  newReference,
  type Payment,
  pays,
  signPayment,
  type Transaction,
} from '../shared/payment.ts'
import { createClock, runProgram, type Sandbox } from '../shared/program.ts'
import { getCaller } from '../shared/service.ts'
import { isSigned, signingKey } from '../shared/verify.ts'

/** Attempts that are answered with 500 before one is taken. */
const REFUSED = 2
/** The service calls immediately, but a machine can be slow. */
const PATIENCE_MS = 20_000

/** The shop's side: answers each webhook by its number, and prints a line about it. */
function receive({ merchant, print }: Sandbox, payment: Payment) {
  const key = signingKey(merchant)
  // A real shop stores the processed ids in its database.
  const events = new Set<string>()
  let attempts = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    attempts += 1
    if (!isSigned(request.headers, body, key, Date.now())) {
      print(`Attempt ${attempts}: not signed by the payment service, answered 403`)
      return void response.writeHead(403).end()
    }
    const transaction: Transaction = JSON.parse(body)
    const paid = pays(transaction, payment, merchant)
    events.add(String(request.headers['webhook-id']))
    const status = attempts <= REFUSED ? 500 : 200
    print(
      `Attempt ${attempts}: signature right, response_hash ${paid ? 'right' : 'wrong'}, ` +
        `transaction ${transaction.id} is ${transaction.status}, answered ${status}`,
    )
    response.writeHead(status).end()
  })
  return { server, attempts: () => attempts, events }
}

/**
 * @returns how often the service called, and for how many events: webhooks come at least once, and
 * again after a 500
 */
export async function payAndReceive(
  sandbox: Sandbox,
): Promise<{ attempts: number; events: number }> {
  const { gateway, merchant, print } = sandbox
  const clock = createClock(sandbox)
  const payment: Payment = {
    payment_ref: newReference(),
    amount: '250.00',
    currency: 'sek',
    test: true,
  }
  const { server, attempts, events } = receive(sandbox, payment)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const called = async (count: number) => {
    const end = Date.now() + PATIENCE_MS
    while (attempts() < count && Date.now() < end) await delay(20)
    if (attempts() < count) throw new Error(`The payment service did not call ${url}`)
  }
  try {
    const nextYear = String(new Date().getFullYear() + 1).slice(2)
    await getCaller(gateway, merchant)('POST', '/v1/transactions', {
      ...signPayment(payment, merchant),
      card_number: '4111111111111111',
      card_holder: 'Kim Berg',
      card_expiry: `12${nextYear}`,
      card_cvv: '200',
      card_type: 'VISA',
      webhook: JSON.stringify({
        trigger: 'payment',
        url,
        http_method: 'post',
        data_format: 'json',
      }),
    })
    print(`Paid 250.00 SEK, webhook to ${url}`)
    await called(1)
    while (attempts() <= REFUSED) {
      const before = attempts()
      const { now } = await clock.advance({ until: 'next_event' })
      if (attempts() > before) print(`  after the clock was moved to the retry, ${now}`)
    }
    print(`Taken after ${attempts()} attempts`)
    return { attempts: attempts(), events: events.size }
  } finally {
    server.close()
    server.closeAllConnections()
    await clock.giveBack()
  }
}

if (import.meta.main) await runProgram(payAndReceive)
