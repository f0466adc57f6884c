/** `npm start`: the gateway and, on the next port (or `SHOP_PORT`), a shop that takes payments through it. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type RunningGateway, readPort, runGateway, StartError } from '../mock-gateway/cli.ts'
import { startShop } from './ajax-checkout/server.ts'
import type { Shop } from './shared/server.ts'
import { whenToldToStop } from './shared/told-to-stop.ts'

const STOP_LIMIT_MS = 5_000

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function openShop(gateway: RunningGateway): Promise<Shop> {
  try {
    const next = Number(/\d+$/.exec(gateway.url)) + 1
    const port = readPort(process.env.SHOP_PORT || String(next), 'The port of the shop, SHOP_PORT,')
    return await startShop({ port, gateway: gateway.addresses, merchant: gateway.merchant })
  } catch (error) {
    await gateway.close()
    if (error instanceof StartError) throw error
    const { code, message, port } = error as NodeJS.ErrnoException & { readonly port?: number }
    const reason = code === 'EADDRINUSE' ? 'it is in use' : message
    throw new StartError(`The shop cannot open port ${port}: ${reason}. Choose another with SHOP_PORT.`, 1)
  }
}

try {
  const gateway = await runGateway(process.argv.slice(2), process.env, print)
  if (gateway.certificate) setDefaultCACertificates([...getCACertificates(), gateway.certificate])
  const shop = await openShop(gateway)
  whenToldToStop(async () => {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await Promise.all([shop.close(), gateway.close()])
    process.exit()
  })
  print(`Open ${shop.url} and pay with 4111 1111 1111 1111, CVV 200`)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  const screen = error.exitCode === 0 ? process.stdout : process.stderr
  screen.write(`${error.message}\n`)
  process.exitCode = error.exitCode
}
