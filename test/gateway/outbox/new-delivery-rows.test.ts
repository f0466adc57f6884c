import { expect, test } from 'vitest'
import { createDeliveryRows } from '../../../mock-gateway/outbox/new-delivery-rows.ts'

const HEARD = {
  transaction_id: 1,
  webhook_id: 1,
  template: null,
  type: 'CustomHttp',
  trigger: 'payment',
  url: 'http://shop.test/hook',
  http_method: 'post',
  data_format: 'json',
  email: null,
  body: '{}',
} as const

test('an event has an id that begins with its second, and each of its messages has a number', () => {
  const now = Date.UTC(2026, 10, 23) + 999
  const id = new Uint8Array(12).fill(0xfb)
  const rows = createDeliveryRows({ merchantId: 1, id, now, dueAt: now }, [HEARD, HEARD])
  const hex = `6b038200${'fb'.repeat(12)}`
  expect(rows.map(({ event_id, message_id }) => [event_id, message_id])).toEqual([
    [`evt_${hex}`, `msg_${hex}_1`],
    [`evt_${hex}`, `msg_${hex}_2`],
  ])
})
