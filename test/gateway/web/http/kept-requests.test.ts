import { expect, test } from 'vitest'
import { findRequests, KEPT_REQUESTS, NOBODY } from '../../../../mock-gateway/storage/requests.ts'
import { findOne } from '../../../../mock-gateway/storage/rows.ts'
import { readContents } from '../../../../mock-gateway/storage/tables/requests.ts'
import { keepRequests } from '../../../../mock-gateway/web/http/kept-requests.ts'
import type { AnsweredRequest } from '../../../../mock-gateway/web/http/request-contents.ts'
import { useDatabase } from '../../storage/databases.ts'

/** Returns an answered request of a merchant. */
const answered = (request_id: string, merchant_id = 1): AnsweredRequest => ({
  row: {
    request_id,
    merchant_id,
    transaction_id: null,
    method: 'POST',
    route: '/v1/transactions',
    status: 200,
    error: null,
    explain: null,
    duration: 1.5,
    created_at: 1_000,
  },
  contents: {
    encrypted: [],
    headers: {},
    answered: { 'content-type': 'application/json' },
    times: {},
    deliveries: [],
    events: [],
    struck: null,
    notices: [],
  },
  url: '/v1/transactions?extend=customer',
  parameters: { amount: '10.00' },
  secrets: { secret: 'test-secret' },
})

const database = useDatabase()
const idsOf = async (merchantId?: number) =>
  (await findRequests(database().db, { merchantId })).map(({ request_id }) => request_id)

test('a list has the newest requests first, and only the list of all merchants has requests without a merchant', async () => {
  const kept = keepRequests(database())
  kept.add(answered('mine'), '{"id":1}')
  kept.add(answered('theirs', 2), undefined)
  kept.add(answered('nobody’s', NOBODY), undefined)
  await kept.close()
  expect(await idsOf(1)).toEqual(['mine'])
  expect((await idsOf()).slice(0, 3)).toEqual(['nobody’s', 'theirs', 'mine'])
  const row = await findOne(database().db, 'requests', { request_id: 'mine' })
  expect(row && readContents(row)).toMatchObject({
    path: '/v1/transactions',
    sent: { amount: '10.00' },
  })
  expect(row).toMatchObject({ answer: '{"id":1}', duration: 1.5, created_at: 1_000 })
})

test('requests of a merchant are kept up to a number and a total length', async () => {
  const kept = keepRequests(database())
  for (let index = 0; index < 1_250; index += 1) kept.add(answered(`a${index}`, 3), '{}')
  await kept.settle()
  for (let index = 0; index < 150; index += 1) kept.add(answered(`b${index}`, 3), '{}')
  await kept.settle()
  const ids = await idsOf(3)
  expect(ids[0]).toBe('b149')
  expect(ids).toHaveLength(KEPT_REQUESTS.most)
  const long = 'x'.repeat(15_000)
  for (let index = 0; index < 700; index += 1) kept.add(answered(`c${index}`, 4), `"${long}"`)
  await kept.settle()
  const rows = await findRequests(database().db, { merchantId: 4 })
  const characters = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(characters).toBeLessThan(KEPT_REQUESTS.characters + 100 * 16_000)
  expect(rows.length).toBeGreaterThan(450)
})

test('requests that are dropped before they are written are skipped, and the others are written in order', async () => {
  const kept = keepRequests(database())
  for (const [id, merchantId] of [
    ['f1', 6],
    ['f2', 7],
    ['f3', NOBODY],
    ['f4', 6],
  ] as const)
    kept.add(answered(id, merchantId), '{}')
  await kept.forget(6)
  await kept.settle()
  expect(await idsOf(6)).toEqual([])
  expect((await idsOf()).slice(0, 2)).toEqual(['f3', 'f2'])
  kept.add(answered('f5', 7), '{}')
  await kept.forget(undefined)
  await kept.close()
  expect(await idsOf(7)).toEqual(['f2'])
})
