import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Merchant, newReference, type Payment, requestHash } from '../../../examples/shared/payment.ts'
import { callerOf, findPayment } from '../../../examples/shared/service.ts'

/** What a shop does wrong. Each is found by one case at least, see `check.test.ts`. */
export type PlantedFault =
  | 'fulfils twice'
  | 'fulfils in the gap'
  | 'believes the return'
  | 'believes the webhook'
  | 'ignores webhooks'
  | 'fulfils declined payments'
  | 'closes declined orders'
  | 'stores the amount of a webhook'
  | 'marks a broken webhook as done'
  | 'hangs when the service is down'
  | 'ignores refunds'

interface Order {
  readonly payment: Payment
  fulfilled: number
  amount: string
  refunded: string
  closed: boolean
}

export interface SmallShop {
  readonly url: string
  close(): Promise<void>
}

/** A shop on a port of its own: /buy, a return address, a webhook, and /orders/<ref>.json. */
export async function startSmallShop(base: string, merchant: Merchant, fault?: PlantedFault): Promise<SmallShop> {
  const call = callerOf(base, merchant)
  const orders = new Map<string, Order>()
  let broken = false

  function fulfil(order: Order) {
    if (order.closed || (order.fulfilled > 0 && fault !== 'fulfils twice')) return
    order.fulfilled += 1
  }
  async function settle(order: Order) {
    const wasOpen = order.fulfilled === 0
    const paid = await findPayment(call, order.payment, merchant)
    if (!paid) return
    if (fault === 'fulfils in the gap' && wasOpen) {
      await delay(200)
      order.fulfilled += 1
    } else fulfil(order)
    const refunds = await call<{ refunds: { amount: string }[] }>('GET', `/v1/transactions/${paid.id}`)
    const sum = refunds.refunds.reduce((total, { amount }) => total + Number(amount), 0)
    if (fault !== 'ignores refunds') order.refunded = sum.toFixed(2)
  }
  async function buy(here: string): Promise<string> {
    const payment: Payment = { payment_ref: newReference(), amount: '100.00', currency: 'sek', test: true }
    orders.set(payment.payment_ref, { payment, fulfilled: 0, amount: payment.amount, refunded: '0.00', closed: false })
    const hook = (trigger: string) => ({ trigger, url: `${here}/hook`, http_method: 'post', data_format: 'json' })
    const made = await call<{ href: string }>('POST', '/v1/transactions', {
      ...payment,
      test: 'true',
      hash: requestHash(payment, merchant),
      process: 'false',
      success_url: `${here}/back/${payment.payment_ref}`,
      error_url: `${here}/back/${payment.payment_ref}`,
      webhook: JSON.stringify([hook('payment'), hook('refund')]),
    })
    return made.href
  }
  async function hear(body: string) {
    if (fault === 'ignores webhooks') return
    const told = readBody(body)
    if (!told) broken = true
    if (!told || (broken && fault === 'marks a broken webhook as done')) return
    const order = orders.get(told.payment_ref)
    if (!order) return
    if (fault === 'stores the amount of a webhook') order.amount = told.amount
    if (told.status === 'declined' && fault === 'closes declined orders') order.closed = true
    const isBelieved = fault === 'believes the webhook' && told.status === 'approved'
    if (isBelieved || fault === 'fulfils declined payments') fulfil(order)
    else await settle(order)
  }

  const server = createServer(async (request, response) => {
    const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const url = new URL(request.url ?? '/', here)
    const [, first = '', second = ''] = url.pathname.split('/')
    const order = orders.get(second.replace('.json', ''))
    try {
      if (first === 'buy') return void response.writeHead(303, { location: await buy(here) }).end()
      if (first === 'hook') await hear(await bodyOf(request))
      if (first === 'back' && order) {
        if (fault === 'believes the return' && url.searchParams.get('status') === 'approved') fulfil(order)
        else await settle(order)
      }
      if (first === 'orders' && order) {
        const { fulfilled, amount, refunded, payment } = order
        return void response.end(
          JSON.stringify({
            status: fulfilled > 0 ? 'paid' : 'open',
            fulfilled,
            amount,
            currency: payment.currency,
            refunded,
          }),
        )
      }
      response.end('{}')
    } catch {
      if (fault === 'hangs when the service is down' && first === 'buy') return void request.socket.destroy()
      response.writeHead(500).end()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Told {
  readonly payment_ref: string
  readonly status: string
  readonly amount: string
}

function readBody(body: string): Told | undefined {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}
