import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MERCHANT, startGateway, type TestGateway } from '../../helpers/gateway.ts'

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
})

test('can send its own Content-Type, but no other header, so no password', async () => {
  for (const path of ['/v1/transactions', '/v1/attempts/an-attempt-of-a-page']) {
    const { headers } = await shop.browser.send('OPTIONS', path)
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type')
  }
})
