import { startShop } from '../../examples/ajax-checkout/server.ts'
import type { Shop } from '../../examples/shared/server.ts'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { freePort } from '../setup/free-port.ts'
import { checkServed } from './served.ts'

export interface Checkout {
  readonly shop: Shop
  readonly gateway: RunningGateway
  /** Reads the gateway's transactions of an order, oldest first. */
  transactionsOf(
    paymentRef: string,
  ): Promise<{ id: number; status: string; amount: string; mpi_ref: string | null }[]>
  /**
   * Changes the merchant's setting for pages that are opened later. With `off` the library opens no
   * window of the bank, which takes as long as a page.
   */
  setThreeDSecure(three_d_secure: 'card' | 'off'): Promise<void>
  /**
   * Closes shop and gateway.
   * @throws Error if an answer of the gateway contradicted the contract
   */
  close(): Promise<void>
}

/** Starts a gateway in memory, with three origins for its three roles, and the shop. */
export async function startCheckout(): Promise<Checkout> {
  const port = await freePort()
  const env = {
    LOG_LEVEL: 'silent',
    BASE_URL: `http://localhost:${port}`,
    PAY_URL: `http://pay.localhost:${port}`,
    CDN_URL: `http://cdn.localhost:${port}`,
  }
  const endChecks = checkServed()
  const gateway = await runGateway(['--memory', '--port', String(port)], env, () => {})
  const { id, password } = gateway.merchant
  const authorization = `Basic ${btoa(`${id}:${password}`)}`
  const shop = await startShop({ port: 0, gateway: gateway.addresses, merchant: gateway.merchant })
  return {
    shop,
    gateway,
    async setThreeDSecure(three_d_secure) {
      const headers = {
        'x-control-key': gateway.control.key ?? '',
        'content-type': 'application/json',
      }
      const body = JSON.stringify({ merchants: [{ id, settings: { three_d_secure } }] })
      const { status } = await fetch(`${gateway.url}/_control/fixtures`, {
        method: 'POST',
        headers,
        body,
      })
      if (status !== 200) throw new Error(`The gateway did not take the setting: ${status}`)
    },
    async transactionsOf(paymentRef) {
      const query = `filter[payment_ref]=${paymentRef}&order_by=id`
      const answer = await fetch(`${gateway.url}/v1/transactions?${query}`, {
        headers: { authorization },
      })
      return (await answer.json()) as Awaited<ReturnType<Checkout['transactionsOf']>>
    },
    async close() {
      await shop.close()
      await gateway.close()
      endChecks()
    },
  }
}
