import { expect, test } from 'vitest'
import { startGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, link]) => link)

test.each([{ accept: '*/*' }, { accept: 'application/json' }, {}])(
  'a program gets the JSON error: %o',
  async (headers) => {
    const { status, body } = await shop.browser.get('/nothing/here', {}, headers)
    expect(status).toBe(404)
    expect(body).toEqual({
      name: 'errors.not_found',
      code: 196,
      description: 'Det finns ingenting på den här adressen',
    })
  },
)

test('the links include the path of the gateway', async () => {
  const address = 'https://shop.test/gateway'
  const behind = await startGateway({ addresses: { base: address, pay: address, cdn: address } })
  const { body } = await behind.browser.get<string>('/nothing', {}, BROWSER)
  expect(linksOf(body)).toEqual(['/gateway/', '/gateway/console', '/gateway/docs'])
  await behind.close()
})
