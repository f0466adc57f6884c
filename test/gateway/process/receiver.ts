import { serve } from '../../helpers/listening.ts'

/** Content of a webhook about a payment. */
export interface Told {
  readonly id: number
  readonly payment_ref: string
}

const SILENT = '/silent'

/** Shop that receives webhooks, and continues when the gateway is killed. */
export interface Receiver {
  readonly url: string
  /** Received webhooks by the id of their event. A repeated webhook has the same id. */
  readonly told: ReadonlyMap<string, Told>
  /** Number of repetitions of each repeated event, by its id. */
  readonly again: ReadonlyMap<string, number>
  /** Address whose webhooks are received, but whose first attempts get no answer. */
  readonly silent: string
  /** Number of all calls. */
  readonly calls: () => number
  close(): Promise<void>
}

/** Opens a receiver that answers 200 to every complete call. The caller closes it. */
export async function openReceiver(): Promise<Receiver> {
  const told = new Map<string, Told>()
  const again = new Map<string, number>()
  let calls = 0
  const { url, close } = await serve((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => {
      body += text
    })
    // The sender can be killed during a call.
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
  return {
    url: `${url}/hook`,
    silent: url + SILENT,
    told,
    again,
    calls: () => calls,
    close,
  }
}
