import { describe, expect, test } from 'vitest'
import project from '../../../../package.json' with { type: 'json' }
import { prepared, URLS } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

test('/health returns the version and the database', async () => {
  const { status, body } = await shop.browser.get('/health')
  expect({ status, body }).toEqual({
    status: 200,
    body: { status: 'ok', version: project.version, database: 'sqlite' },
  })
})

test('pages load their files under the path of the gateway', async () => {
  const address = 'https://shop.test/gateway'
  const behind = await openGateway({ addresses: { base: address, pay: address, cdn: address } })
  const { href } = (await behind.post('/v1/transactions', prepared())).body
  for (const page of [new URL(href).pathname.replace('/gateway', ''), '/docs', '/nothing']) {
    const { body } = await behind.browser.get<string>(page, {}, { accept: 'text/html' })
    const links = [...body.matchAll(/<(?:link|a|form|script)[^>]* (?:href|src|action)="([^"#]*)"/g)]
    const addresses = links.map(([, link = '']) => new URL(link, address + page).href)
    const own = addresses.filter((each) => each.startsWith('https://shop.test/'))
    expect(own.length).toBeGreaterThan(0)
    for (const each of own) expect(each).toMatch(/^https:\/\/shop\.test\/gateway\//)
  }
})

describe('an unknown route:', () => {
  for (const [method, path] of [
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v3/transactions'],
    ['GET', '/v1/transaction'],
    ['GET', '/v1/transactions/1/refund'],
    ['DELETE', '/v1/transactions/1'],
    ['DELETE', '/v1/transactions'],
    ['PATCH', '/v1/transactions/1'],
    ['POST', '/v1/transactions/1'],
    ['POST', '/v1/transactions/1/capture'],
    ['GET', '//v1/transactions'],
    ['GET', '/v1//transactions'],
    ['GET', '/v1/transactions%2F1'],
    ['GET', '/package.json'],
    ['GET', '/../package.json'],
    ['GET', '/v1/%2e%2e/package.json'],
    ['POST', '/v2/mondido.js'],
  ] as const)
    test(`${method} ${path}: status 404 and error 196, as JSON`, async () => {
      const { status, headers, body } = await shop.send(method, path)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(Object.keys(body)).toEqual(['name', 'code', 'description'])
      expect(body).toMatchObject({ name: 'errors.not_found', code: 196 })
    })
})

for (const path of [
  '/%FF',
  '/v1/transactions/%FF',
  '/v1/transactions/%',
  '/v1/transactions/%C0%AF',
  '/v1/customers/%ED%A0%80',
])
  test(`the address ${path} is not UTF-8 and is rejected`, async () => {
    const { status, body } = await shop.get(path)
    expect({ [status]: body.code }).toEqual(path === '/%FF' ? { 404: 196 } : { 400: 200 })
  })

test('links are built from the configuration, whatever Host and similar headers contain', async () => {
  const evil = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
  }
  const { body } = await shop.post('/v1/transactions', fields, evil)
  expect(JSON.stringify(body)).not.toContain('evil.example')
  expect(body.href).toMatch(/^http:\/\/localhost:4400\//)
})
const fields = {
  amount: '10.00',
  currency: 'sek',
  payment_ref: 'host',
  process: false,
  ...URLS,
}
