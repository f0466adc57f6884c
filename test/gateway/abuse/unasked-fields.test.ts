import { expect, test } from 'vitest'
import { MERCHANT, payment, prepared, startGateway } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'

/** Fields that only the gateway sets. */
const UNASKED = {
  id: 4711,
  status: 'approved',
  created_at: '2001-01-01T00:00:00Z',
  processed_at: '2001-01-01T00:00:00Z',
  org_auth_amount: '1.00',
  mpi_ref: 'mine',
  response_hash: 'mine',
  href: 'https://evil.example/',
  'cost[total]': '0',
  'refunds[0][amount]': '1.00',
  'captures[0][amount]': '1.00',
  'log_events[0][event_type]': 'mine',
}

const OTHER = { id: 2, password: 'password 2', secret: 'secret 2', private_key: OTHER_PRIVATE_KEY }

test('a client cannot set fields that only the gateway sets', async () => {
  const shop = await startGateway({ merchants: [MERCHANT, OTHER] })
  const plain = (await shop.post('/v1/transactions', payment())).body
  const sent = (await shop.post('/v1/transactions', payment(UNASKED))).body
  const own = ({
    id,
    payment_ref,
    href,
    response_hash,
    request_hash,
    payment_request,
    payment_response,
    ...rest
  }: typeof sent) => ({
    ...rest,
    cost: { ...rest.cost, id: 0 },
    payment_details: 0,
    log_events: rest.log_events.map((event) => ({ ...event, id: 0 })),
    provider_ref: rest.provider_ref.length,
    ref: rest.ref?.length,
  })
  expect(own(sent)).toEqual(own(plain))
  expect(sent.id).toBe(plain.id + 1)
  expect(sent.href).not.toContain('evil')
  expect((await shop.post('/v1/transactions', prepared(UNASKED))).body.status).toBe('pending')
  // The merchant_id cannot be set to another merchant.
  expect((await shop.post('/v1/transactions', prepared({ merchant_id: 2 }))).body.code).toBe(202)
  await shop.close()
})
