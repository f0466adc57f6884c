import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { payment, prepared, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { scratchDatabase } from '../../helpers/postgres.ts'
import type { ScratchDatabase } from '../../setup/scratch-database.ts'
import { type DatabaseProxy, databaseProxy } from './database-proxy.ts'
import { API } from './outcomes.ts'

let scratch: ScratchDatabase
let proxy: DatabaseProxy
let shop: TestGateway
beforeAll(async () => {
  scratch = await scratchDatabase()
  proxy = await databaseProxy(scratch.url)
  shop = await startGateway({ database: proxy.url })
})
afterEach(async () => {
  await proxy.up()
  proxy.thaw()
})
afterAll(async () => {
  await shop.close()
  await proxy.down()
  await scratch.drop()
})

const UNAVAILABLE = { name: 'errors.service_not_available', code: 243 }
const paid = async () => (await shop.post(API, payment())).status

test('while PostgreSQL is down requests are refused with 503 and a reason; then all goes on without a restart', async () => {
  const { href } = (await shop.post(API, prepared())).body
  await proxy.down()
  for (const answer of [
    await shop.get(API),
    await shop.post(API, payment()),
    await shop.browser.post(API, payment({ merchant_id: 1 })),
  ]) {
    expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE })
    expect(answer.headers.get('mondido-explain')).toMatch(/database/)
  }
  const page = await shop.browser.get<string>(href)
  expect([page.status, page.body]).toEqual([503, expect.stringContaining('errors.service_not_available')])
  await proxy.up()
  expect(await paid()).toBe(200)
})
