/**
 * `npm run dev`: the shop's page with the browser library from its source, reloaded on every
 * change, by Vite; the gateway and the shop's server behind it start again on every change.
 * Arguments go to the gateway.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer as listenOnce } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createServer, type Plugin } from 'vite'
import { readPort } from '#gateway'
import { whenToldToStop } from './shared/told-to-stop.ts'

const STOP_LIMIT_MS = 5_000
const SHOP_PORT = String(getPort('SHOP_PORT', '4401'))
const DEV_PORT = getPort('DEV_PORT', '4402')
const CHECKOUT_PORT = process.env.CHECKOUT_PORT || (await freePort())
const shopUrl = `http://localhost:${CHECKOUT_PORT}`
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

function getPort(name: string, otherwise: string): number {
  try {
    return readPort(process.env[name] || otherwise, name)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  }
}

/** A port for the checkout that stays the same when its server starts again. */
async function freePort(): Promise<string> {
  const server = listenOnce().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

/** Requests an address of a server that may be starting, until it answers or the browser leaves. */
async function fetchWhenReady(
  url: string,
  visit: ServerResponse,
  headers: Record<string, string> = {},
): Promise<string> {
  for (;;) {
    try {
      return await (await fetch(url, { headers })).text()
    } catch (error) {
      if (visit.closed) throw error
      await delay(200)
    }
  }
}

/**
 * The served library starts with the merchant's configuration, in a line of its own; the rest is
 * replaced by the source.
 */
async function librarySource(servedAt: string, visit: ServerResponse): Promise<string> {
  const configuration =
    (await fetchWhenReady(servedAt, visit)).match(/var __mondido_config=.*;/)?.[0] ?? ''
  const source = `/@fs${path('../sdk/served.ts')}`
  return `<script>${configuration}</script><script type="module" src="${source}"></script>`
}

const shopPage: Plugin = {
  name: 'shop-page',
  configureServer(vite) {
    vite.watcher.add([path('ajax-checkout/page.html'), path('shared')]).on('change', (file) => {
      if (file.endsWith('.html')) vite.ws.send({ type: 'full-reload' })
    })
    vite.middlewares.use(async (request, response, next) => {
      const url = request.url ?? '/'
      if (url !== '/' && !url.startsWith('/?')) return next()
      try {
        const page = await fetchWhenReady(shopUrl + url, response, {
          'accept-language': request.headers['accept-language'] ?? 'en',
        })
        const tag = page.match(/<script src="([^"]*\/v2\/mondido\.js[^"]*)"><\/script>/)
        const source = tag?.[1] ? await librarySource(tag[1], response) : ''
        const fromSource = tag ? page.replace(tag[0], () => source) : page
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.end(await vite.transformIndexHtml(url, fromSource))
      } catch (error) {
        next(error)
      }
    })
  },
}

const vite = await createServer({
  configFile: false,
  root: path('ajax-checkout/public'),
  publicDir: path('shared/public'),
  appType: 'custom',
  plugins: [shopPage],
  server: {
    port: DEV_PORT,
    strictPort: true,
    fs: { allow: [path('..')] },
    proxy: { '/orders': shopUrl, '/jquery': shopUrl },
  },
})
await vite.listen().catch((error: Error) => {
  process.stderr.write(
    `The page cannot be served: ${error.message}. Choose another port with DEV_PORT.\n`,
  )
  process.exit(1)
})
const servers = spawn(
  process.execPath,
  [
    '--conditions=source',
    '--watch',
    '--watch-preserve-output',
    path('start.ts'),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, SHOP_PORT, CHECKOUT_PORT } },
)
process.stdout.write(`With the library from source: http://localhost:${DEV_PORT}\n`)

whenToldToStop(async () => {
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
  servers.kill()
  await Promise.all([once(servers, 'exit'), vite.close()])
  process.exit()
})
