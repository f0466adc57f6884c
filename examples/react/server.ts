/**
 * A small shop whose page is a React app, served by Vite from its sources. The browser library is
 * the npm package `mondido-js`, without jQuery. This server keeps the orders and decides whether
 * they are paid.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Request } from 'express'
import type { ViteDevServer } from 'vite'
import { CART } from '../shared/cart.ts'
import { createOrders, type Order } from '../shared/orders.ts'
import { signPayment } from '../shared/payment.ts'
import {
  addOrderAddress,
  addWebhookHandler,
  createShopApp,
  getWebhooks,
  open,
  requireOrder,
  type Shop,
  type ShopOptions,
  sendProblem,
} from '../shared/server.ts'
import { getCaller } from '../shared/service.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Vite for the page. It is loaded at the first visit, so that `npm start` does not wait for it. */
async function createVite(shop: Server): Promise<ViteDevServer> {
  const { createServer } = await import('vite')
  return createServer({
    configFile: false,
    root: path('.'),
    // Two shops that start at the same time must not share it.
    cacheDir: await mkdtemp(join(tmpdir(), 'react-example-')),
    logLevel: 'warn',
    // In a project of your own, the imports find the installed package.
    resolve: {
      alias: {
        'mondido-js/react': path('../../sdk/react.ts'),
        'mondido-js': path('../../sdk/index.ts'),
      },
    },
    server: { middlewareMode: true, hmr: { server: shop } },
  })
}

/**
 * Reads the merchant's public key and the addresses of the payment service from the first line of
 * the served library, so that a rotated key needs no new build of the page.
 */
async function readLibraryConfig(base: string, merchantId: number): Promise<object> {
  const answer = await fetch(`${base}/v2/mondido.js?merchant_id=${merchantId}`)
  const [line = ''] = (await answer.text()).split('\n')
  return JSON.parse(line.slice(line.indexOf('{'), line.lastIndexOf('}') + 1))
}

/**
 * Opens the shop on loopback.
 * @throws Error with code `EADDRINUSE` when the port is taken
 */
export async function startShop({ gateway, merchant, port }: ShopOptions): Promise<Shop> {
  const orders = createOrders(getCaller(gateway.base, merchant), merchant)
  const app = createShopApp(gateway)
  addOrderAddress(app, orders)
  addWebhookHandler(app, orders, merchant)

  const show = async ({ state, payment }: Order, request: Request) => {
    const here = `${request.protocol}://${request.host}/orders/${payment.payment_ref}/paid`
    return {
      state,
      cart: CART.map(({ name, quantity, price }) => ({
        name: name.en,
        quantity,
        amount: (quantity * price) / 100,
      })),
      fields: {
        ...signPayment(payment, merchant),
        success_url: here,
        error_url: here,
        webhook: getWebhooks(request),
      },
      library: await readLibraryConfig(gateway.base, merchant.id),
    }
  }

  app.post('/orders', async (request, response) => {
    response.json(await show(orders.begin('en'), request))
  })

  requireOrder(app, orders.find)

  app.get('/orders/:ref', async (request, response) => {
    const order: Order = response.locals.order
    await orders.settle(order)
    response.json(await show(order, request))
  })

  // A payment in a window needs no return address. A bank that takes over the whole page does.
  app.get('/orders/:ref/paid', async (request, response) => {
    const order: Order = response.locals.order
    await orders.settleReturned(order, request.query)
    response.redirect(303, `/?order=${order.payment.payment_ref}`)
  })

  let vite: Promise<ViteDevServer> | undefined
  app.use(async (request, response, next) => {
    vite ??= createVite(shop.server)
    const { middlewares } = await vite
    middlewares(request, response, next)
  })

  app.use(sendProblem)
  const shop = await open(app, port)
  return {
    url: shop.url,
    async close() {
      await shop.close()
      if (!vite) return
      const { config, close } = await vite
      await close()
      // Vite may still write a file.
      await rm(config.cacheDir, { recursive: true, maxRetries: 5 })
    },
  }
}
