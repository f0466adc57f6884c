import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepared, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { API, outcome } from './outcomes.ts'

let shop: TestGateway
beforeAll(async () => {
  shop = await startGateway()
})
afterAll(() => shop.close())

const metadata = (characters: number) => `{"a":"${'x'.repeat(characters - '{"a":""}'.length)}"}`
const LONGEST = 64 * 1024

test.each([
  ['transaction', API, prepared],
  ['customer', '/v1/customers', () => ({})],
])('metadata of a new %s may have 64 KB', async (_kind, path, fields) => {
  expect(outcome(await shop.post(path, { ...fields(), metadata: metadata(LONGEST) }))).toBe(200)
  expect(outcome(await shop.post(path, { ...fields(), metadata: metadata(LONGEST + 1) }))).toBe(2091)
})
