import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The content of a webhook about a payment. */
export interface Told {
  readonly id: number
  readonly payment_ref: string
}

const SILENT = '/silent'

/** A shop that outlives the gateway. */
export interface Receiver {
  readonly url: string
  /** By the id of the event, which a repeated webhook shares. */
  readonly told: ReadonlyMap<string, Told>
  /** Number of repeats of each repeated event, by its id. */
  readonly again: ReadonlyMap<string, number>
  /** A webhook to this address is received, and the first attempt gets no answer. */
  readonly silent: string
  /** Number of all calls. */
  readonly calls: () => number
  close(): Promise<void>
}

/** Answers 200 to every complete call. The caller closes it. */
export async function openReceiver(): Promise<Receiver> {
  const told = new Map<string, Told>()
  const again = new Map<string, number>()
  let calls = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => {
      body += text
    })
    // The sender was killed.
    request.on('error', () => {})
    request.on('end', () => {
      const { id, payment_ref } = JSON.parse(body) as Told
      const event = String(request.headers['webhook-id'])
      calls += 1
      if (told.has(event)) again.set(event, (again.get(event) ?? 0) + 1)
      else if (request.url === SILENT) return void told.set(event, { id, payment_ref })
      told.set(event, { id, payment_ref })
      response.end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/hook`,
    silent: origin + SILENT,
    told,
    again,
    calls: () => calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
