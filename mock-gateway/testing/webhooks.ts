import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transaction } from '../contract/wire.ts'
import { timers } from '../domain/timers.ts'
import { BEFORE_PAYMENT, TRIGGERS, type Trigger } from '../domain/webhook/triggers.ts'
import type { TimeSpan } from '../scheduler/clock-moves.ts'
import type { WebhookOptions } from '../webhooks/options.ts'

/** A webhook that arrived. */
export interface ReceivedWebhook {
  readonly trigger: Trigger
  readonly headers: IncomingHttpHeaders
  /** Byte for byte, as its signature covers it. */
  readonly body: string
  /** The transaction or stored card at the time of the event. */
  readonly data: Transaction
}

/** Conditions for the webhook to wait for. */
export interface WaitOptions {
  /** Only one whose data have these. */
  readonly where?: Readonly<Partial<Record<keyof Transaction, unknown>>>
  /** Milliseconds. Default: 30,000. */
  readonly timeout?: number
  /**
   * Moves the merchant's clock from due event to due event, at most this far, until the webhook
   * arrives.
   */
  readonly within?: TimeSpan
}

/** The webhooks of one merchant: a receiver that is there already. */
export interface TestWebhooks {
  /** All webhooks since the merchant was created or reset. */
  readonly received: readonly ReceivedWebhook[]
  /**
   * Resolves with the next webhook of a trigger; each is returned once.
   * @throws Error that lists the webhooks that arrived instead
   */
  waitFor(trigger: Trigger, options?: WaitOptions): Promise<ReceivedWebhook>
}

/** A server that takes the webhooks of every merchant of a gateway. */
export interface Receiver {
  /** Takes webhooks of a gateway in this process, where a test suite may reject connections. */
  readonly answerInProcess: NonNullable<WebhookOptions['answerInProcess']>
  /** Returns the webhook templates that a merchant needs: one for each trigger. */
  templatesFor(
    inbox: Inbox,
  ): readonly { readonly name: string; readonly trigger: Trigger; readonly url: string }[]
  open(): Inbox
  close(): Promise<void>
}

/** Receiver of one merchant's webhooks. */
export interface Inbox extends TestWebhooks {
  readonly name: string
  /** Hands out a webhook that is there already. */
  takeReceived(trigger: Trigger, where?: WaitOptions['where']): ReceivedWebhook | undefined
  clear(): void
}

/** No webhook arrived in time. */
export class NoWebhookError extends Error {}

const TIMEOUT = 30_000

/** Opens a receiver on this machine, on a free port. */
export async function openReceiver(): Promise<Receiver> {
  const inboxes = new Map<string, ReturnType<typeof openInbox>>()
  function take(path: string, headers: IncomingHttpHeaders, body: string) {
    const [, name = '', trigger = ''] = path.split('/')
    inboxes.get(name)?.take({ trigger: trigger as Trigger, headers, body, data: JSON.parse(body) })
  }
  const server = createServer(async (request, response) => {
    take(request.url ?? '', request.headers, await readText(request))
    response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A test runner must not wait for it.
  server.unref()
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    answerInProcess({ url, headers, body }) {
      if (!url.startsWith(`${origin}/`)) return undefined
      take(url.slice(origin.length), headers, body)
      return { code: 200, message: 'OK', headers: {}, body: 'ok', error: null }
    },
    templatesFor: ({ name }) =>
      TRIGGERS.filter((trigger) => trigger !== BEFORE_PAYMENT).map((trigger) => ({
        name: `test_${trigger}`,
        trigger,
        url: `${origin}/${name}/${trigger}`,
      })),
    open() {
      const inbox = openInbox(String(inboxes.size + 1))
      inboxes.set(inbox.name, inbox)
      return inbox
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(request, 'end')
  return Buffer.concat(chunks).toString('utf8')
}

interface Waiting {
  readonly fits: (webhook: ReceivedWebhook) => boolean
  readonly resolve: (webhook: ReceivedWebhook) => void
}

function openInbox(name: string) {
  const received: ReceivedWebhook[] = []
  const notYetGiven: ReceivedWebhook[] = []
  const waiting = new Set<Waiting>()
  const fitting =
    (trigger: Trigger, where: WaitOptions['where'] = {}) =>
    (webhook: ReceivedWebhook) =>
      webhook.trigger === trigger && has(webhook.data, where)
  function takeReceived(
    trigger: Trigger,
    where?: WaitOptions['where'],
  ): ReceivedWebhook | undefined {
    const at = notYetGiven.findIndex(fitting(trigger, where))
    return at < 0 ? undefined : notYetGiven.splice(at, 1)[0]
  }
  return {
    name,
    received,
    take(webhook: ReceivedWebhook) {
      received.push(webhook)
      const first = [...waiting].find(({ fits }) => fits(webhook))
      if (first) {
        waiting.delete(first)
        first.resolve(webhook)
      } else notYetGiven.push(webhook)
    },
    clear() {
      received.length = 0
      notYetGiven.length = 0
    },
    takeReceived,
    waitFor(trigger: Trigger, { where = {}, timeout = TIMEOUT }: WaitOptions = {}) {
      const there = takeReceived(trigger, where)
      if (there) return Promise.resolve(there)
      const came = () =>
        received.map((one) => `${one.trigger} (${one.data.payment_ref ?? one.data.id})`).join(', ')
      return new Promise<ReceivedWebhook>((resolve, reject) => {
        const one: Waiting = {
          fits: fitting(trigger, where),
          resolve: (webhook) => {
            timers.clearTimeout(timer)
            resolve(webhook)
          },
        }
        const timer = timers.setTimeout(() => {
          waiting.delete(one)
          reject(
            new NoWebhookError(
              `No webhook ${trigger} arrived within ${timeout} ms. Received webhooks: ${came() || 'none'}.`,
            ),
          )
        }, timeout)
        waiting.add(one)
      })
    },
  }
}

const has = (data: Transaction, where: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(where).every(([name, value]) => data[name as keyof Transaction] === value)
