import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LOCK_MS } from '../../../mock-gateway/merchants/guesses.ts'
import { MERCHANT, START, startGateway, type TestGateway } from '../../helpers/gateway.ts'

const MERCHANTS = [1, 2, 3, 4, 5, 6].map((id) => ({ ...MERCHANT, id })) as [
  typeof MERCHANT,
  ...(typeof MERCHANT)[],
]

let shop: TestGateway
let server: ReturnType<typeof createServer>
/** Id of the merchant of the current test. */
let id = 0
beforeAll(async () => {
  shop = await startGateway({ merchants: MERCHANTS })
  server = createServer(shop.gateway.app)
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve))
})
beforeEach(() => {
  id += 1
})
afterAll(async () => {
  server.close()
  await shop.close()
})

/**
 * Sends a login from an address of this machine.
 * @returns the error code, or 200
 */
function loginFrom(
  localAddress: string,
  password = MERCHANT.password,
  user: number | string = id,
): Promise<number> {
  const { port } = server.address() as AddressInfo
  const auth = `${user}:${password}`
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, localAddress, auth, path: '/v1/transactions' },
      async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk)
        resolve(JSON.parse(String(Buffer.concat(chunks))).code ?? 200)
      },
    )
      .once('error', reject)
      .end()
  })
}

const ATTACKER = '127.0.0.2'
const SERVER = '127.0.0.3'

async function failTenTimes(address: string) {
  for (let time = 0; time < 10; time += 1) expect(await loginFrom(address, 'wrong')).toBe(182)
}

describe('ten wrong passwords', () => {
  test('ten wrong passwords from one address do not lock out the merchant at other addresses', async () => {
    await failTenTimes(ATTACKER)
    expect(await loginFrom(ATTACKER)).toBe(207)
    expect(await loginFrom(SERVER)).toBe(200)
    // A login from another address does not unlock the attacker.
    expect(await loginFrom(ATTACKER, 'one more')).toBe(207)
  })

  test('wrong passwords for unknown names count for their address, too', async () => {
    for (let time = 0; time < 10; time += 1) await loginFrom(ATTACKER, 'wrong', 'nobody')
    expect(await loginFrom(ATTACKER, 'wrong', 'nobody')).toBe(207)
    expect(await loginFrom(SERVER, 'wrong', 'nobody')).toBe(182)
  })
})

test('wrong passwords at a later clock time, or for unknown names, do not reset the counts of other names', async () => {
  const ahead = MERCHANTS.length
  await shop.gateway.clock.set(START + 2 * LOCK_MS, { merchant: ahead })
  const guesses = []
  for (let time = 0; time < 12; time += 1) {
    guesses.push(await loginFrom(ATTACKER, 'wrong'))
    await loginFrom(ATTACKER, 'wrong', time % 2 ? ahead : 'nobody else')
  }
  expect(guesses.filter((code) => code === 182)).toHaveLength(10)
})

describe('a page of another site', () => {
  const login = (password: string, site: string) => {
    const authorization = `Basic ${btoa(`${id}:${password}`)}`
    return shop.browser.get('/v1/transactions', {}, { authorization, 'sec-fetch-site': site })
  }

  test('cannot lock the account from inside the developer’s browser', async () => {
    for (let time = 0; time < 12; time += 1) {
      const { status, headers, body } = await login(`wrong ${time}`, 'cross-site')
      expect({ status, code: body.code }).toEqual({ status: 401, code: 138 })
      // Otherwise the browser would ask for a password on that page.
      expect(headers.get('www-authenticate')).toBeNull()
    }
    expect((await login(MERCHANT.password, 'same-origin')).status).toBe(200)
  })

  test('cannot log in with the right password, and opens no password prompt', async () => {
    expect((await login(MERCHANT.password, 'cross-site')).body.code).toBe(138)
    const { headers } = await shop.browser.get(
      '/v1/transactions',
      {},
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(headers.get('www-authenticate')).toBeNull()
  })
})

test('can send its own Content-Type, but no other header, so no password', async () => {
  for (const path of ['/v1/transactions', '/v1/attempts/an-attempt-of-a-page']) {
    const { headers } = await shop.browser.send('OPTIONS', path)
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type')
  }
})
