import { expect, test } from 'vitest'
import { CARD, prepared, startGateway } from '../../helpers/gateway.ts'

test('a payment with many attempts has a log of limited length, which counts the omitted entries', async () => {
  const shop = await startGateway()
  const { id } = (await shop.post('/v1/transactions', prepared())).body
  const path = `/v1/transactions/${id}`
  const tries = 105
  for (let time = 0; time < tries; time += 1)
    expect((await shop.put(path, { ...CARD, card_cvv: '201', process: true })).body.code).toBe(129)
  const paid = (await shop.put(path, { ...CARD, process: true })).body
  expect(paid.status).toBe('approved')
  expect((await shop.get(path)).body.log_events).toEqual(paid.log_events)
  const events = paid.log_events.map(({ data }) => data)
  expect(events).toHaveLength(200)
  expect(events[0]).toMatchObject({ event: 'created', process: false })
  // Each attempt has two events: an update and a charge.
  expect(events[100]).toEqual({ event: 'left_out', count: 1 + 2 * (tries + 1) - 199 })
  expect(events.at(-1)).toMatchObject({ event: 'charged', status: 'approved' })
  await shop.close()
})
