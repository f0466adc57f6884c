import { expect, test } from 'vitest'
import { startGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { textOf } from '../console/client.ts'

const shop = await sharedGateway()

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, link]) => link)

test.each([
  ['sv-SE,sv;q=0.9,en;q=0.8', 'sv', 'Det finns ingen sida på den här adressen'],
  ['en-GB,en;q=0.9', 'en', 'There is no page at this address'],
  ['fi', 'sv', 'Det finns ingen sida på den här adressen'],
])('a browser gets a page in its language: %s', async (language, lang, heading) => {
  const { status, headers, body } = await shop.browser.get<string>(
    '/nothing/here',
    {},
    { ...BROWSER, 'accept-language': language },
  )
  expect(status).toBe(404)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('mondido-explain')).toBe('There is no GET at this address.')
  expect(body).toContain(`<html lang="${lang}"`)
  expect(textOf(body)).toContain(heading)
  expect(linksOf(body)).toEqual(['/', '/console', '/docs'])
})

test.each(['GET', 'POST', 'PUT'])('a browser gets the page for a %s, too', async (method) => {
  const { status, body } = await shop.browser.send<string>(method, '/docs/nothing', null, BROWSER)
  expect([status, linksOf(body).length]).toEqual([404, 3])
})

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

test('the API answers a browser in JSON, too', async () => {
  const { body } = await shop.get('/v1/nothing', {}, BROWSER)
  expect(body).toMatchObject({ name: 'errors.not_found', code: 196 })
})

test('the links include the path of the gateway', async () => {
  const address = 'https://shop.test/gateway'
  const behind = await startGateway({ addresses: { base: address, pay: address, cdn: address } })
  const { body } = await behind.browser.get<string>('/nothing', {}, BROWSER)
  expect(linksOf(body)).toEqual(['/gateway/', '/gateway/console', '/gateway/docs'])
  await behind.close()
})
