import { describe, expect, test } from 'vitest'
import {
  MERCHANT,
  payment,
  startGateway,
  type TestGatewayOptions,
} from '../../../helpers/gateway.ts'
import { filePlace } from '../../storage/databases.ts'
import { consoleOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'
const FAULT = {
  kind: 'unavailable',
  milliseconds: '',
  method: '',
  path: '',
  times: '0',
  probability: '1',
  seed: '',
}
const ADDRESS = 'http://pay.example'
const PUBLIC = { base: ADDRESS, pay: ADDRESS, cdn: ADDRESS }

async function opened(options: TestGatewayOptions) {
  const shop = await startGateway({ merchants: [MERCHANT, RIVAL], control: KEY, ...options })
  const client = consoleOf(shop.gateway)
  await client.logIn(1, MERCHANT.password)
  return { shop, client }
}

const open = filePlace
test('a merchant injects a fault into its own requests, and deletes no other fault', async () => {
  const { target: database, remove } = await open()
  const { shop, client } = await opened({ database, hosts: ['localhost'] })
  const administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', KEY)
  await administrator.post('/faults', { ...FAULT, merchant_id: '2' })
  expect((await client.post('/1/faults', FAULT)).to).toBe('/console/1/faults?done=fault_added')
  expect((await shop.get('/v1/plans')).status).toBe(503)
  const removalsIn = (html: string) =>
    [...html.matchAll(/\/faults\/\d+\/remove(?=")/g)].map(([path]) => path)
  expect(removalsIn((await client.get('/1/faults')).html)).toHaveLength(1)
  const [others = ''] = removalsIn((await administrator.get('/faults')).html)
  expect((await client.post(`/1${others}`)).status).toBe(404)
  await client.post('/1/faults/forget')
  expect((await shop.get('/v1/plans')).status).toBe(200)
  expect(removalsIn((await administrator.get('/faults')).html)).toEqual([others])
  await shop.close()
  await remove()
})

test('a merchant resets only its own data, and stays logged in', async () => {
  const { target: database, remove } = await open()
  const { shop, client } = await opened({ database, hosts: ['localhost'] })
  const own = await shop.post('/v1/transactions', payment())
  const other = await shop.as(RIVAL).post('/v1/transactions', payment())
  expect((await client.post('/1/reset')).status).toBe(400)
  expect((await client.post('/1/reset', { sure: 'true' })).to).toBe('/console/1/reset?done=reset')
  expect((await shop.get(`/v1/transactions/${own.body.id}`)).status).toBe(404)
  expect((await shop.as(RIVAL).get(`/v1/transactions/${other.body.id}`)).status).toBe(200)
  expect((await client.post('/2/reset', { sure: 'true' })).status).toBe(404)
  await shop.close()
  await remove()
})

describe('a gateway that others can reach', () => {
  test.each<[string, TestGatewayOptions]>([
    ['answers every host', {}],
    ['has a public name', { hosts: ['localhost'], addresses: PUBLIC }],
    ['has no control key', { hosts: ['localhost'], control: false }],
  ])('offers merchants no faults and reset if it %s', async (_what, options) => {
    const { shop, client } = await opened(options)
    for (const path of ['/1/faults', '/1/reset']) expect((await client.get(path)).status).toBe(404)
    expect((await client.post('/1/reset', { sure: 'true' })).status).toBe(404)
    expect((await client.get('/1')).html).not.toContain('/1/reset')
    await shop.close()
  })
})
