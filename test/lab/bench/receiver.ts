import { serve } from '../../helpers/listening.ts'

/** Shop that receives webhooks, and records the time of each payment and of its webhook. */
export interface Receiver {
  readonly url: string
  /** Records that a payment is about to be sent. */
  asked(paymentRef: string): void
  /** Time of each payment by payment_ref, in milliseconds of the monotonic clock. */
  readonly askedAt: ReadonlyMap<string, number>
  /** Time of the first webhook of each payment by payment_ref. */
  readonly cameAt: ReadonlyMap<string, number>
  /** Returns the number of all webhooks. */
  readonly calls: () => number
  /**
   * Resolves when every requested payment has its webhook.
   * @throws Error if none arrives for 30 s
   */
  drained(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds without a webhook after which `drained` fails. */
const PATIENCE = 30_000

/**
 * Opens a receiver that answers 200 immediately. It runs in this process, so that it has the same
 * clock as the load.
 */
export async function openReceiver(): Promise<Receiver> {
  const askedAt = new Map<string, number>()
  const cameAt = new Map<string, number>()
  let calls = 0
  let heard = () => {}
  const { url, close } = await serve((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => {
      body += text
    })
    request.on('end', () => {
      response.end('ok')
      const { payment_ref } = JSON.parse(body) as { payment_ref: string }
      calls += 1
      if (!cameAt.has(payment_ref)) cameAt.set(payment_ref, performance.now())
      if (cameAt.size >= askedAt.size) heard()
    })
  })
  return {
    url: `${url}/hook`,
    asked: (paymentRef) => void askedAt.set(paymentRef, performance.now()),
    askedAt,
    cameAt,
    calls: () => calls,
    drained: () =>
      new Promise((resolve, reject) => {
        if (cameAt.size >= askedAt.size) return resolve()
        let before = calls
        const watch = setInterval(() => {
          if (calls === before)
            reject(new Error(`${askedAt.size - cameAt.size} webhooks have not come`))
          before = calls
        }, PATIENCE)
        heard = () => {
          clearInterval(watch)
          resolve()
        }
      }),
    close,
  }
}
