import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from '../../helpers/listening.ts'
import { type Program, startProgram } from '../../helpers/program.ts'
import { freePort } from '../../setup/free-port.ts'

const start = (port: number, shopPort: number): Program =>
  startProgram('examples/start.ts', ['--memory', '--port', String(port)], {
    SHOP_PORT: String(shopPort),
  })

test.each(['SIGINT', 'SIGTERM'] as const)(
  'npm start prints the address to open, which lists all examples, and stops on %s',
  async (signal) => {
    const home = await freePort()
    const port = await freePort()
    const program = start(home, port)
    expect(await program.printed(/^Open/)).toBe(`Open http://localhost:${home}/ and press Pay`)
    const headers = { accept: 'text/html' }
    expect(await (await fetch(`http://localhost:${home}`, { headers })).text()).toContain(
      `<a href="http://localhost:${port}`,
    )
    expect(program.output()).not.toContain('{"level"')
    const page = await fetch(`http://localhost:${port}`)
    expect(page.status).toBe(200)
    const list = await page.text()
    const shops = [...list.matchAll(/<a href="(http:\/\/localhost:\d+)\/\?lang=en">([\w-]+)</g)]
    expect(shops.map(([, , name]) => name)).toEqual([
      'ajax-checkout',
      'stored-card',
      'hosted-redirect',
      'hosted-iframe',
      'form-post',
      'three-d-secure',
      'react',
    ])
    for (const [, url = ''] of shops) expect((await fetch(url)).status).toBe(200)
    const key = /X-Control-Key: (\S+)/.exec(program.output())?.[1]
    expect(list).toContain(`<code>${key}</code>`)
    expect(list).toMatch(/<a href="http:\/\/localhost:\d+\/docs">/)
    expect(await program.stop(signal)).toBe(0)
  },
)

test('npm start --tls: the shop trusts the certificate of its gateway', async () => {
  const port = await freePort()
  const args = ['--memory', '--tls', '--port', '0']
  const program = startProgram('examples/start.ts', args, { SHOP_PORT: String(port) })
  await program.printed(/^Open/)
  const list = await (await fetch(`http://localhost:${port}`)).text()
  const shop = `${/http:\/\/localhost:\d+(?=\/\?lang=en">ajax-checkout)/.exec(list)}/orders`
  const { payment_ref } = (await (await fetch(shop, { method: 'POST' })).json()) as {
    payment_ref: string
  }
  const order = await fetch(`${shop}/${payment_ref}`)
  expect({ status: order.status, body: await order.json() }).toMatchObject({
    status: 200,
    body: { state: 'open' },
  })
  expect(await program.stop()).toBe(0)
})

test('npm start ends with one clear sentence when the port of the shop is in use', async () => {
  const { port, close } = await listen(createServer())
  const program = await start(0, port)
  expect(await program.ended).toBe(1)
  expect(program.output()).toContain(
    `The shop cannot open port ${port}: it is already in use. Choose another with SHOP_PORT.`,
  )
  await close()
})
