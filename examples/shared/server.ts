/** What every shop here has, whatever it sells. */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type Express } from 'express'
import type { Merchant } from './payment.ts'

export interface ShopOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** Origins of the payment service: its API, and where it serves the browser library. */
  readonly gateway: { readonly base: string; readonly pay: string; readonly cdn: string }
  readonly merchant: Merchant
}

export interface Shop {
  /** Address of the checkout page. */
  readonly url: string
  close(): Promise<void>
}

const jqueryFolder = dirname(createRequire(import.meta.url).resolve('jquery'))
const sharedFolder = fileURLToPath(new URL('public', import.meta.url))

/**
 * An Express app that allows its pages nothing but its own files, the browser library and the payment service.
 * @param folder the shop's own files
 */
export function createShopApp({ base, pay, cdn }: ShopOptions['gateway'], folder: URL): Express {
  const shop = express()
  shop.disable('x-powered-by')
  shop.use((_request, response, next) => {
    const scripts = `script-src 'self' ${cdn}; connect-src 'self' ${base} ${pay}`
    const bank = `form-action 'self' ${pay}; frame-src ${pay}`
    const rest = "style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    response.set('Content-Security-Policy', `default-src 'none'; ${scripts}; ${bank}; ${rest}`)
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    next()
  })
  shop.use('/jquery', express.static(jqueryFolder))
  shop.use(express.static(fileURLToPath(folder), { index: false }), express.static(sharedFolder, { index: false }))
  return shop
}

/**
 * Opens a shop on loopback.
 * @throws Error with code `EADDRINUSE` when the port is taken
 */
export async function open(app: Express, port: number): Promise<Shop> {
  const server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}
