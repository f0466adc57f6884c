/** `npm start`: the gateway and, on the next port (or `SHOP_PORT`), a shop that takes payments through it. */
import { type RunningGateway, runGateway, StartError } from '../mock-gateway/cli.ts'
import { startShop } from './ajax-checkout/server.ts'
import type { Shop } from './shared/server.ts'
import { whenToldToStop } from './shared/told-to-stop.ts'

const STOP_LIMIT_MS = 5_000

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function openShop(gateway: RunningGateway): Promise<Shop> {
  const port = Number(process.env.SHOP_PORT ?? Number(new URL(gateway.url).port) + 1)
  try {
    return await startShop({ port, gateway: gateway.addresses, merchant: gateway.merchant })
  } catch (error) {
    await gateway.close()
    const reason = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'it is in use' : (error as Error).message
    throw new StartError(`The shop cannot open port ${port}: ${reason}. Choose another with SHOP_PORT.`, 1)
  }
}

try {
  const gateway = await runGateway(process.argv.slice(2), process.env, print)
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
