import { beforeAll, describe, expect, test } from 'vitest'
import type { Refund } from '../../../mock-gateway/contract/wire.ts'
import { payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { API, outcome } from './outcomes.ts'

const shop = await sharedGateway()

const metadata = (characters: number) => `{"a":"${'x'.repeat(characters - '{"a":""}'.length)}"}`
const LONGEST = 64 * 1024

test.each([
  ['transaction', API, prepared],
  ['customer', '/v1/customers', () => ({})],
])('metadata of a new %s may have 64 KB', async (_kind, path, fields) => {
  expect(outcome(await shop.post(path, { ...fields(), metadata: metadata(LONGEST) }))).toBe(200)
  expect(outcome(await shop.post(path, { ...fields(), metadata: metadata(LONGEST + 1) }))).toBe(
    2091,
  )
})

describe('a list that is longer than the largest answer', () => {
  const LIMIT = 16 * 1024 * 1024
  const count = 300
  beforeAll(async () => {
    for (let made = 0; made < count; made++)
      await shop.post(API, prepared({ metadata: metadata(LONGEST) }))
  })

  test('is cut to 16 MB, and Content-Range names the last row', async () => {
    const { total } = await page(0)
    const seen: number[] = []
    for (let offset = 0; offset < total; ) {
      const { ids, bytes, range } = await page(offset)
      expect(bytes).toBeLessThanOrEqual(LIMIT)
      expect(ids.length).toBeGreaterThan(50)
      expect(range).toBe(`items ${offset + 1}-${offset + ids.length}/${total}`)
      seen.push(...ids)
      offset += ids.length
    }
    expect(seen).toEqual([...new Set(seen)].sort((one, other) => other - one))
    expect(seen).toHaveLength(total)
  })

  async function page(offset: number) {
    const { body, headers } = await shop.get<{ id: number }[]>(API, { limit: 1000, offset })
    const range = headers.get('content-range') ?? ''
    const bytes = Number(headers.get('content-length'))
    return { ids: body.map(({ id }) => id), bytes, range, total: Number(range.split('/')[1]) }
  }
})

test('a list of refunds is left out of a transaction that extend adds', async () => {
  const { id } = (await shop.post(API, payment())).body
  for (const reason of ['one', 'another'])
    await shop.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason })
  const { body } = await shop.get<Refund[]>('/v1/refunds', { extend: 'transaction' })
  for (const { transaction } of body)
    expect(transaction).toMatchObject({ id, refunds: [], refunds_all: [] })
  expect((await shop.get(`${API}/${id}`)).body.refunds).toHaveLength(2)
})
