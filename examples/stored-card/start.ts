/**
 * Opens the shop alone, for a gateway that runs already: `npx node examples/stored-card/start.ts
 * --gateway <address>`. Without arguments the gateway is the one that `npm start` opens.
 */
import { parseArgs } from 'node:util'
import { startShop } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4403' },
    gateway: { type: 'string', default: 'http://localhost:4400' },
    merchant: { type: 'string', default: '1' },
    password: { type: 'string', default: 'custom00' },
    secret: { type: 'string', default: 'sandbox-secret' },
  },
})
const { port, gateway, merchant, password, secret } = values
const shop = await startShop({
  port: Number(port),
  gateway: { base: gateway, pay: gateway, cdn: gateway },
  merchant: { id: Number(merchant), password, secret },
})
process.stdout.write(
  `Open ${shop.url}, pay with 4111 1111 1111 1111, CVV 200, and let the shop remember the card\n`,
)
