import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a webhook told of a payment. */
export interface Told {
  readonly id: number
  readonly payment_ref: string
}

/** A shop that outlives the gateway. */
export interface Receiver {
  readonly url: string
  /** By the id of the event, which is the same when one comes again. */
  readonly told: ReadonlyMap<string, Told>
  /** How many came in all. */
  readonly calls: () => number
  close(): Promise<void>
}

/** Answers 200 to whatever comes whole. Its maker closes it. */
export async function openReceiver(): Promise<Receiver> {
  const told = new Map<string, Told>()
  let calls = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => {
      body += text
    })
    // Its sender was killed.
    request.on('error', () => {})
    request.on('end', () => {
      const { id, payment_ref } = JSON.parse(body) as Told
      calls += 1
      told.set(String(request.headers['webhook-id']), { id, payment_ref })
      response.end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    told,
    calls: () => calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
