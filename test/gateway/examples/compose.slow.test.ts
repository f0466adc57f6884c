import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingsList } from '../../../mock-gateway/cli/settings-table.ts'
import { inRepository, read } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, isHere, startProgram } from '../../helpers/program.ts'
import { freePort } from '../../setup/free-port.ts'

/** Service of a compose file, with the fields that the test reads. */
interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, object>>
}

const SERVICES: Readonly<Record<string, Service>> = parse(read('examples/compose/compose.yaml'), {
  merge: true,
}).services

test('compose.yaml names settings and services that exist', () => {
  const known: readonly string[] = ['MONDIDO_CONFIG', ...settingsList.map(({ env }) => env)]
  for (const [name, { environment = {}, depends_on = {} }] of Object.entries(SERVICES)) {
    if (name.startsWith('gateway'))
      expect(Object.keys(environment).filter((each) => !known.includes(each))).toEqual([])
    expect(Object.keys(depends_on).filter((each) => !(each in SERVICES))).toEqual([])
  }
})

if (isHere('php'))
  test('the order of the PHP shop in the compose file is paid', async () => {
    const [port, shopPort] = [String(await freePort()), String(await freePort())]
    const config = inRepository('examples/compose/mondido.config.json')
    const gateway = startProgram(GATEWAY_PROGRAM, ['--memory', '--port', port, '--config', config])
    await gateway.printed(/REST API/)
    const shopUrl = `http://127.0.0.1:${shopPort}`
    const env = {
      ...SERVICES.shop?.environment,
      GATEWAY: `http://127.0.0.1:${port}`,
      SHOP: shopUrl,
      SHOP_FOR_GATEWAY: shopUrl,
      TMPDIR: await mkdtemp(join(tmpdir(), 'php-shop-')),
    }
    const php = ['-S', `127.0.0.1:${shopPort}`, 'examples/compose/shop/index.php']
    const shop = startProgram(php[0] ?? '', php.slice(1), env, 'php')
    try {
      await expect
        .poll(() =>
          fetch(shopUrl).then(
            ({ ok }) => ok,
            () => false,
          ),
        )
        .toBe(true)
      const pressed = await fetch(`${shopUrl}/pay`, { method: 'POST', redirect: 'manual' })
      const page = pressed.headers.get('location') ?? ''
      expect(page).toMatch(/\/v1\/form\/\w+/)
      const headers = { authorization: `Basic ${btoa('7:shop-password')}` }
      const [prepared] = await (
        await fetch(`http://127.0.0.1:${port}/v1/transactions`, { headers })
      ).json()
      const card = {
        card_number: '4111111111111111',
        card_holder: 'Kim',
        card_expiry: '1235',
        card_cvv: '200',
      }
      const body = new URLSearchParams({ ...card, process: 'true' })
      const place = `http://127.0.0.1:${port}/v1/transactions/${prepared.id}`
      expect(await (await fetch(place, { method: 'PUT', headers, body })).json()).toMatchObject({
        status: 'approved',
      })
      await expect
        .poll(async () => (await fetch(shopUrl)).text())
        .toContain(`<li>${prepared.payment_ref}</li>`)
    } finally {
      await Promise.all([shop.stop(), gateway.stop()])
      await rm(env.TMPDIR, { recursive: true })
    }
  })
