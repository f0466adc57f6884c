/**
 * `npm start`: the gateway as it is built (`npm run dev`: from its sources), the shops of the
 * examples, and on the next port (or `SHOP_PORT`) the list of them.
 */
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type RunningGateway, readPort, runGateway, StartError } from '#gateway'
import { startShop as startAjaxCheckout } from './ajax-checkout/server.ts'
import { startShop as startFormPost } from './form-post/server.ts'
import { startShop as startHostedIframe } from './hosted-iframe/server.ts'
import { startShop as startHostedRedirect } from './hosted-redirect/server.ts'
import { type ShopName, startList } from './list/server.ts'
import { startShop as startReact } from './react/server.ts'
import type { Shop, ShopOptions } from './shared/server.ts'
import { whenToldToStop } from './shared/told-to-stop.ts'
import { startShop as startStoredCard } from './stored-card/server.ts'
import { startShop as startThreeDSecure } from './three-d-secure/server.ts'

const STOP_LIMIT_MS = 5_000

const print = (line: string) => void process.stdout.write(`${line}\n`)

const SHOPS: Readonly<Record<ShopName, (options: ShopOptions) => Promise<Shop>>> = {
  'ajax-checkout': startAjaxCheckout,
  'stored-card': startStoredCard,
  'hosted-redirect': startHostedRedirect,
  'hosted-iframe': startHostedIframe,
  'form-post': startFormPost,
  'three-d-secure': startThreeDSecure,
  react: startReact,
}

/** Opens every shop, on the ports after the list's where they are free, and the list itself. */
async function openShops(
  { addresses, merchant, control }: RunningGateway,
  listPort: number,
): Promise<Shop[]> {
  const options = { gateway: addresses, merchant }
  const opened: Shop[] = []
  const urls: Partial<Record<ShopName, string>> = {}
  try {
    for (const [index, [name, start]] of Object.entries(SHOPS).entries()) {
      // `npm run dev` says where the checkout is: it shows that one with the library from source.
      const wanted =
        (name === 'ajax-checkout' && Number(process.env.CHECKOUT_PORT)) || listPort + 1 + index
      const port = listPort === 0 || wanted > 65_535 ? 0 : wanted
      const shop = await start({ ...options, port }).catch(() => start({ ...options, port: 0 }))
      opened.push(shop)
      urls[name as ShopName] = shop.url
    }
    const shops = urls as Record<ShopName, string>
    return [await startList({ ...options, port: listPort, control, shops }), ...opened]
  } catch (error) {
    await Promise.all(opened.map((shop) => shop.close()))
    throw error
  }
}

async function openExamples(gateway: RunningGateway): Promise<Shop[]> {
  try {
    const next = Number(/\d+$/.exec(gateway.url)) + 1
    return await openShops(
      gateway,
      readPort(process.env.SHOP_PORT || String(next), 'The port of the shop, SHOP_PORT,'),
    )
  } catch (error) {
    await gateway.close()
    if (error instanceof StartError) throw error
    const { code, message, port } = error as NodeJS.ErrnoException & { readonly port?: number }
    const reason = code === 'EADDRINUSE' ? 'it is already in use' : message
    throw new StartError(
      `The shop cannot open port ${port}: ${reason}. Choose another with SHOP_PORT.`,
      1,
    )
  }
}

try {
  print('Starting the gateway and the example shops. To choose a port: npm start -- --port 4500')
  const addresses: string[] = []
  const defaults = { MONDIDO_LOG: 'text' }
  const gateway = await runGateway(
    process.argv.slice(2),
    process.env,
    (text) => addresses.push(text),
    defaults,
  )
  if (gateway.certificate) setDefaultCACertificates([...getCACertificates(), gateway.certificate])
  const shops = await openExamples(gateway)
  const [list] = shops
  if (list) {
    gateway.setExamplesUrl(list.url)
    print(`A list of the example shops: ${list.url}`)
  }
  whenToldToStop(async () => {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await Promise.all([...shops, gateway].map((server) => server.close()))
    process.exit()
  })
  // Printed last, because the home page lists the shops.
  for (const text of addresses) print(text)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  const screen = error.exitCode === 0 ? process.stdout : process.stderr
  screen.write(`${error.message}\n`)
  process.exitCode = error.exitCode
}
