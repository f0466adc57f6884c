import { expect, test } from 'vitest'
import { DAY } from '../../../mock-gateway/domain/subscription/periods.ts'
import { type Fields, MERCHANT, payment, type TestGateway } from '../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../helpers/shared-gateway.ts'
import { openTestPlace } from '../storage/databases.ts'
import { controlOf } from '../web/control/client.ts'

const SLOW = { ...MERCHANT, id: 2, settings: { capture_seconds: 300 } }
const INSTRUCTION = 'metadata[service_instructions][capture]'

const shop = await sharedGateway({ merchants: [MERCHANT, SLOW] })

type Client = Pick<TestGateway, 'post' | 'put' | 'get'>
const captured = async (over: Fields = {}, client: Client = shop) => {
  const { id } = (await client.post('/v1/transactions', payment({ authorize: true, ...over }))).body
  const { body } = await client.put(`/v1/transactions/${id}/capture`, { amount: '4.00' })
  return {
    body,
    now: async () => (await client.get(`/v1/transactions/${id}`)).body,
    path: `/v1/transactions/${id}`,
  }
}
const pass = (seconds: number) => shop.gateway.clock.advance({ seconds })

test('a capture whose payment has a delay in its metadata is pending for that time', async () => {
  const { body, now } = await captured({ [`${INSTRUCTION}[seconds]`]: 90 })
  expect(body).toMatchObject({ status: 'capture pending', amount: '10.00', captures: [] })
  await pass(89)
  expect((await now()).status).toBe('capture pending')
  const { happened } = await pass(1)
  expect(happened).toMatchObject([
    { kind: 'capture', id: body.id, what: `captured ${body.payment_ref}` },
  ])
  const after = await now()
  expect(after).toMatchObject({
    status: 'approved',
    amount: '4.00',
    org_auth_amount: 10,
    captures: [{ amount: '4.00' }],
  })
  const events = after.log_events
    .map(({ data }) => data)
    .filter(({ event }) => String(event).startsWith('capture'))
  expect(events).toMatchObject([
    { event: 'capture_sent', amount: '4.00', by: 'merchant' },
    { event: 'captured', amount: '4.00', by: 'gateway' },
  ])
})

test('a pending capture follows a clock that is moved back', async () => {
  const { now } = await captured({ [`${INSTRUCTION}[seconds]`]: 90 })
  const { now: from } = await shop.gateway.clock.read()
  await shop.gateway.clock.set(from - 30 * DAY, { force: true })
  await pass(89)
  expect((await now()).status).toBe('capture pending')
  await pass(1)
  expect((await now()).status).toBe('approved')
})

test('a capture that the bank declines fails the transaction, with its error', async () => {
  const { now } = await captured({ [`${INSTRUCTION}[fail_as_code]`]: 'errors.payment.declined' })
  await pass(60)
  expect(await now()).toMatchObject({ status: 'failed', captures: [], error: { code: 129 } })
})

test('a delay in metadata applies to test payments only, and an invalid delay counts as one minute', async () => {
  const { now } = await captured({ [`${INSTRUCTION}[seconds]`]: 'soon' })
  expect((await now()).status).toBe('capture pending')
  await pass(60)
  expect((await now()).status).toBe('approved')
  const live = { test: false, card_number: '4929000000006' }
  const { body } = await captured({ ...live, [`${INSTRUCTION}[seconds]`]: 60 })
  expect(body.status).toBe('approved')
})

test("/_control/captures/next sets the bank's answers to the next captures, and does not affect payments", async () => {
  const control = controlOf(shop.gateway)
  const { body } = await control.post('/captures/next?merchant_id=1', { outcome: 129, seconds: 5 })
  expect(body).toMatchObject({
    next: [{ merchant_id: 1, outcome: 'errors.payment.declined', seconds: 5, times: 1 }],
  })
  expect((await control.get('/payments/next')).body).toEqual({ next: [] })
  const first = await captured()
  const second = await captured()
  expect([first.body.status, second.body.status]).toEqual(['capture pending', 'approved'])
  await pass(5)
  expect((await first.now()).status).toBe('failed')
  expect(
    (await control.post('/captures/next', { outcome: 'approved', seconds: 0 })).body.code,
  ).toBe(253)
})

test('a gateway that continues after another was killed completes the capture once', async () => {
  const database = await openTestPlace()
  const killed = await openGateway({ database, merchants: [MERCHANT, SLOW] })
  const slow = killed.as(SLOW)
  const { id } = (await slow.post('/v1/transactions', payment({ authorize: true }))).body
  expect((await slow.put(`/v1/transactions/${id}/capture`, { amount: '10.00' })).body.status).toBe(
    'capture pending',
  )
  const next = await openGateway({ database, merchants: [MERCHANT, SLOW], clock: killed.clock })
  const { happened } = await next.gateway.clock.advance({ seconds: 300 })
  expect(happened.filter(({ kind }) => kind === 'capture')).toHaveLength(1)
  expect((await next.as(SLOW).get(`/v1/transactions/${id}`)).body).toMatchObject({
    captures: [{ amount: '10.00' }],
  })
})
