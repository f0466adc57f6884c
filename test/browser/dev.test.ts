import { expect, test } from 'vitest'
import { launchBrowser } from '../helpers/browser.ts'
import { startProgram } from '../helpers/program.ts'
import { freePort } from '../setup/free-port.ts'
import { paidOrder, pay } from './checkout-page.ts'

test('npm run dev serves the shop with the library from its source, and a payment works', async () => {
  const [gatewayPort, shopPort, devPort] = [await freePort(), await freePort(), await freePort()]
  const program = startProgram('examples/dev.ts', ['--memory', '--port', String(gatewayPort)], {
    SHOP_PORT: String(shopPort),
    DEV_PORT: String(devPort),
  })
  const browser = await launchBrowser()
  try {
    await program.printed(/library from source/)
    const { page, requests } = await browser.open()
    await page.goto(`http://localhost:${devPort}`)
    await pay(page)
    expect(await paidOrder(page)).toMatch(/^\w{12}$/)
    expect(requests.some(({ url }) => url.endsWith('/sdk/served.ts'))).toBe(true)
    expect(requests.some(({ url }) => url.includes('/v2/mondido.js'))).toBe(false)
  } finally {
    await program.stop()
  }
})
