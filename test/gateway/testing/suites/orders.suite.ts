import { expect } from 'vitest'
import { createClient } from '../../../../mock-gateway/client.ts'
import { test } from '../../../../mock-gateway/testing/vitest.ts'

test('pays and receives the webhook', async ({ shop }) => {
  const paid = await shop.pay({ amount: '12.50' })
  expect([paid.status, paid.amount]).toEqual(['approved', '12.50'])
  expect((await shop.webhooks.waitFor('payment_success')).data.id).toBe(paid.id)
})

test('recognises the mock', async ({ gateway, shop }) => {
  const { id: merchantId, password } = shop
  expect(
    await createClient({ url: gateway.url, merchantId, password, fetch: gateway.fetch }).isMock(),
  ).toBe(true)
})

test('lets the bank decline the next payment', async ({ shop }) => {
  await shop.nextOutcome('errors.payment.declined')
  await expect(shop.pay()).rejects.toMatchObject({
    errorName: 'errors.payment.declined',
    code: 129,
  })
  expect((await shop.pay()).status).toBe('approved')
})

test('moves its own clock', async ({ shop }) => {
  const terms = {
    name: 'Box',
    interval: 1,
    interval_unit: 'months',
    prices: { sek: '99.00' },
  } as const
  const plan = await shop.client.createPlan(terms)
  await shop.pay({ plan_id: plan.id, store_card: true })
  const { happened } = await shop.clock.advance({ months: 3 })
  expect(happened.filter(({ kind }) => kind === 'charge')).toHaveLength(3)
})

test('lists a rejected request with its explanation', async ({ shop }) => {
  const rejected = shop.client.createTransaction({ ...shop.order(), amount: '1.00' })
  await expect(rejected).rejects.toMatchObject({ errorName: 'errors.hash.invalid' })
  const [request] = await shop.requests()
  expect(request).toMatchObject({
    status: 400,
    error: 'errors.hash.invalid',
    explain: expect.stringMatching(/hash/),
  })
})

test('finds a request by its values, or names the nearest', async ({ shop }) => {
  await shop.pay({ amount: '12.50' })
  const route = 'POST /v1/transactions'
  expect(await shop.sent({ route, where: { amount: '12.50' } })).toMatchObject({
    status: 200,
    sent: { currency: 'sek' },
  })
  await expect(shop.sent({ route, where: { amount: '1.00' } })).rejects.toThrow(
    /has amount "1.00".*has amount "12.50"/,
  )
})

test('waits for a charge by moving its clock', async ({ shop }) => {
  const terms = {
    name: 'Box',
    interval: 1,
    interval_unit: 'months',
    prices: { sek: '99.00' },
  } as const
  const plan = await shop.client.createPlan(terms)
  await shop.pay({ plan_id: plan.id, store_card: true })
  const { data } = await shop.webhooks.waitFor('recurring_success', { within: { months: 2 } })
  expect(data.amount).toBe('99.00')
  const never = shop.webhooks.waitFor('refund', { within: { days: 40 }, timeout: 50 })
  await expect(never).rejects.toThrow('No webhook refund')
})

test('names the webhooks that came instead', async ({ shop }) => {
  const { payment_ref } = await shop.pay()
  await shop.webhooks.waitFor('payment_success')
  await expect(shop.webhooks.waitFor('refund', { timeout: 50 })).rejects.toThrow(
    new RegExp(`No webhook refund .*payment_success \\(${payment_ref}\\)`),
  )
})

test('holds the webhooks of one order until their release', async ({ shop }) => {
  await shop.holdWebhooks('held')
  await shop.pay({ payment_ref: 'held' })
  await shop.pay({ payment_ref: 'sent' })
  const released = [await shop.releaseWebhooks('held'), await shop.releaseWebhooks()]
  expect(released).toEqual([2, 0])
})

test('signs an order', async ({ shop }) => {
  const { amount } = await shop.client.createTransaction(
    shop.order({ amount: '7.00', customer_ref: 'C1' }),
  )
  expect(amount).toBe('7.00')
})

test('resets its own merchant only', async ({ shop, gateway }) => {
  const other = await gateway.shop()
  await Promise.all([shop.pay(), other.pay()])
  await shop.reset()
  const all = await Promise.all([shop, other].map(({ client }) => client.listTransactions().all()))
  expect(all.map(({ length }) => length)).toEqual([0, 1])
})

test('saves and restores a snapshot', async ({ shop, gateway }) => {
  const { id } = await shop.pay()
  // A snapshot contains webhooks that are not sent yet; they would be sent after the restore.
  for (const trigger of ['payment', 'payment_success'] as const)
    await shop.webhooks.waitFor(trigger)
  const saved = await gateway.saveSnapshot('one-order')
  await shop.pay()
  expect(await gateway.restoreSnapshot('one-order')).toEqual(saved)
  const all = await shop.client.listTransactions().all()
  expect(all.map((one) => one.id)).toEqual([id])
  expect(await gateway.snapshots()).toMatchObject([{ name: 'one-order' }])
  await gateway.deleteSnapshot('one-order')
  expect(await gateway.snapshots()).toEqual([])
})

test.runIf(process.env.FAIL)('fails with its requests in the report', async ({ shop }) => {
  await shop.pay({ payment_ref: 'A100' })
  await shop.pay({ payment_ref: 'A100' }).catch(() => {})
  expect('the shop').toBe('right')
})
