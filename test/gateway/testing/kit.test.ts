import { createServer } from 'node:http'
import { mock } from 'node:test'
import { setupServer } from 'msw/node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { BEFORE_PAYMENT, TRIGGERS } from '../../../mock-gateway/domain/webhook/triggers.ts'
import {
  connectGateway,
  findGateway,
  PaymentError,
  startGateway,
} from '../../../mock-gateway/testing.ts'
import { read } from '../../helpers/documents.ts'
import { listen } from '../../helpers/listening.ts'
import { share } from '../../helpers/shared.ts'

test.each([
  ['MondidoGateway.php', /(?<=\n {12}\[)'payment',.*(?=\])/],
  ['mondido_gateway.rb', /(?<=TRIGGERS = %w\[).*(?=\])/],
  ['mondido_gateway.py', /(?<=TRIGGERS = ").*(?=")/],
])('%s requires every webhook that the JavaScript kit requires', (file, list) => {
  const [required = ''] = list.exec(read(`mock-gateway/testing/${file}`)) ?? []
  expect(required.match(/\w+/g)).toEqual(TRIGGERS.filter((trigger) => trigger !== BEFORE_PAYMENT))
})

describe.each([
  ['in this process', () => startGateway()],
  ['on a port', () => startGateway({ port: 0 })],
])('a gateway %s', async (_where, start) => {
  const gateway = await share(start())
  const shop = await gateway.shop()

  test('makes a payment, and returns its webhook', async () => {
    const paid = await shop.pay({ amount: '12.50' })
    expect(paid).toMatchObject({ status: 'approved', amount: '12.50', merchant_id: shop.id })
    const { data, headers } = await shop.webhooks.waitFor('payment_success', {
      where: { id: paid.id },
    })
    expect([data.payment_ref, headers['webhook-id']]).toEqual([
      paid.payment_ref,
      expect.stringMatching(/^msg_/),
    ])
  })

  test('loses an answer: the payment is made, and the client reports that it asked again', async () => {
    await shop.loseNextAnswer()
    expect(await shop.state()).toMatchObject({ faults: 1, is_normal: false })
    const paid = await shop.pay()
    expect(paid.status).toBe('approved')
    expect(shop.retries.map(({ name }) => name)).toEqual(['NoAnswerError'])
    const all = await shop.client.listTransactions().all()
    expect(all.filter((one) => one.payment_ref === paid.payment_ref)).toHaveLength(1)
  })

  test('switches on what a test needs, and everything off again', async () => {
    await shop.failNextCapture()
    await shop.nextOutcome('errors.payment.declined')
    await shop.loseNextAnswer()
    await shop.holdWebhooks()
    await shop.clock.advance({ days: 1, hours: 2 })
    const on = { clock: 'offset', faults: 1, next_payments: 1, next_captures: 1 }
    expect(await shop.state()).toMatchObject({ ...on, held_webhooks: true, is_normal: false })
    const off = { clock: 'real', faults: 0, next_payments: 0, next_captures: 0 }
    expect(await shop.backToNormal()).toMatchObject({
      ...off,
      held_webhooks: false,
      is_normal: true,
    })
    expect((await shop.pay()).status).toBe('approved')
  })

  test('returns a webhook once, and lists the other ones if none matches', async () => {
    await shop.reset()
    const first = await shop.pay()
    const second = await shop.pay()
    const ids = [
      await shop.webhooks.waitFor('payment'),
      await shop.webhooks.waitFor('payment'),
    ].map(({ data }) => data.id)
    expect(ids).toContain(second.id)
    const late = shop.webhooks.waitFor('refund', { timeout: 50 })
    await expect(late).rejects.toThrow(
      new RegExp(`No webhook refund .*payment \\(${first.payment_ref}\\)`),
    )
  })

  test('declines as many payments as the test requests', async () => {
    await shop.nextOutcome('errors.payment.declined', { times: 2 })
    await expect(shop.pay()).rejects.toThrow(PaymentError)
    await expect(shop.pay()).rejects.toThrow('129')
    expect((await shop.pay()).status).toBe('approved')
  })

  test("moves a merchant's own clock, which controls its subscriptions", async () => {
    const plan = await shop.client.createPlan({
      name: 'Box',
      interval: 1,
      interval_unit: 'months',
      prices: { sek: '99.00' },
    })
    const { subscription } = await shop.pay({ plan_id: plan.id, store_card: true })
    const before = await shop.clock.now()
    const { happened } = await shop.clock.advance({ months: 3 })
    expect(happened.filter(({ kind }) => kind === 'charge')).toHaveLength(3)
    expect((await shop.clock.now()).getTime() - before.getTime()).toBeGreaterThan(85 * 86_400_000)
    const charges = await shop.client.listTransactionsOfSubscription(subscription?.id ?? 0).all()
    expect(charges).toHaveLength(4)
    const other = await gateway.shop()
    const times = [Date.now(), (await other.clock.now()).getTime(), Date.now()]
    expect(times).toEqual(times.toSorted())
  })

  test('holds the webhooks of one order until they are released', async () => {
    const own = await gateway.shop()
    await own.holdWebhooks('held')
    await own.pay({ payment_ref: 'held' })
    await own.pay({ payment_ref: 'sent' })
    const { data } = await own.webhooks.waitFor('payment')
    expect(data.payment_ref).toBe('sent')
    expect(await own.releaseWebhooks('held')).toBeGreaterThan(0)
    expect((await own.webhooks.waitFor('payment')).data.payment_ref).toBe('held')
  })

  test('a move of the clock that a webhook stops returns the rest of its distance', async () => {
    const { id: merchant_id, pay, clock } = await gateway.shop()
    await gateway.control.webhooks.setSending({ merchant_id, delay: 60 })
    await clock.freeze()
    await pay()
    const whole = { merchant_id, hours: 1 } as const
    expect(await gateway.control.clock.advance({ ...whole, until: 'payment' })).toMatchObject({
      seconds_left: 3540,
    })
    expect(await gateway.control.clock.advance(whole)).not.toHaveProperty('seconds_left')
  })

  test('the clock stops at the awaited webhook, or at the end of the span', async () => {
    const own = await gateway.shop()
    const terms = { interval: 1, interval_unit: 'months', prices: { sek: '99.00' } } as const
    const plan = await own.client.createPlan({ name: 'Box', ...terms })
    await own.pay({ plan_id: plan.id, store_card: true })
    await own.clock.freeze()
    const started = await own.clock.now()
    const { data } = await own.webhooks.waitFor('recurring_success', { within: { months: 5 } })
    const [charged, due] = [new Date(String(data.created_at)), new Date(started)]
    due.setUTCMonth(due.getUTCMonth() + 1)
    expect(charged.getTime()).toBeLessThanOrEqual(due.getTime())
    const first = await own.clock.now()
    expect(Math.abs(first.getTime() - charged.getTime())).toBeLessThan(60_000)
    const never = own.webhooks.waitFor('refund', { within: { days: 3 }, timeout: 50 })
    await expect(never).rejects.toThrow('No webhook refund')
    expect((await own.clock.now()).getTime()).toBe(first.getTime() + 3 * 86_400_000)
  })

  test('resets only its own data', async () => {
    const other = await gateway.shop()
    await other.pay()
    await shop.pay()
    await shop.reset()
    expect(shop.webhooks.received).toEqual([])
    expect((await shop.client.listTransactions().page()).total).toBe(0)
    expect((await other.client.listTransactions().page()).total).toBe(1)
  })

  test('signs an order for the code of the shop, and prepares a payment page', async () => {
    const { hash, ...order } = shop.order({ amount: '7.00' })
    expect(hash).toBe(shop.hash(order))
    expect((await shop.client.createTransaction({ ...order, hash } as typeof order)).amount).toBe(
      '7.00',
    )
    const { href, status } = await shop.prepare()
    expect([status, href.startsWith(`${gateway.url}/v1/form/`)]).toEqual(['pending', true])
  })
})

test('a merchant can have its own settings, and only the webhooks that the test registers', async () => {
  const gateway = await startGateway()
  const shop = await gateway.shop({ settings: { live_cards: 'refuse' }, webhooks: false })
  await expect(shop.pay({ test: false, card_number: '4539578763621486' })).rejects.toThrow('243')
  expect((await shop.pay()).webhooks).toEqual([])
  await gateway.close()
})

test('a gateway with a port keeps idle connections for 20 seconds, like the command', async () => {
  const gateway = await startGateway({ port: 0 })
  const { headers } = await fetch(`${gateway.url}/health`)
  expect(headers.get('keep-alive')).toBe('timeout=20')
  await gateway.close()
})

test('findGateway connects to the gateway in the environment variables, or starts one', async () => {
  const running = await startGateway({ port: 0 })
  const found = await findGateway({
    MONDIDO_BASE_URL: running.url,
    MONDIDO_CONTROL_KEY: running.controlKey,
  })
  expect(found.url).toBe(running.url)
  const shop = await found.shop()
  expect((await shop.pay()).status).toBe('approved')
  await found.close()
  const wrong = await connectGateway({ url: running.url, controlKey: 'wrong-control-key' })
  await expect(wrong.shop()).rejects.toThrow('182')
  await wrong.close()
  await running.close()
  const own = await findGateway({})
  expect((await (await own.shop()).pay()).status).toBe('approved')
  await own.close()
})

test('a used port is reported in one sentence', async () => {
  const { port, close } = await listen(createServer())
  await expect(startGateway({ port })).rejects.toThrow(
    `Port ${port} is in use: choose another, or 0 for a free one.`,
  )
  await close()
})

test('100 tests in four workers on one gateway do not affect each other', async () => {
  const gateway = await startGateway()
  const worker = async () => {
    const shop = await gateway.shop()
    for (let at = 0; at < 25; at += 1) {
      await shop.reset()
      const paid = await shop.pay({ amount: `${at + 1}.00` })
      const { items, total } = await shop.client.listTransactions().page()
      expect([total, items[0]?.id, items[0]?.amount]).toEqual([1, paid.id, `${at + 1}.00`])
      expect((await shop.webhooks.waitFor('payment')).data.id).toBe(paid.id)
      expect(shop.webhooks.received.every(({ data }) => data.merchant_id === shop.id)).toBe(true)
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  await gateway.close()
})

/** What test suites replace in their process, and how they restore it. */
const FAKES: readonly (readonly [name: string, fake: () => unknown, restore: () => unknown])[] = [
  ['fake timers of vitest', () => vi.useFakeTimers(), () => vi.useRealTimers()],
  ['fake timers of node:test', () => mock.timers.enable(), () => mock.timers.reset()],
]

describe.each(FAKES)('beside %s', (_name, fake, restore) => {
  test.each([
    ['without a port', {}],
    ['on a port', { port: 0 }],
  ])('a gateway %s pays, sends webhooks, and moves its clock', async (_where, options) => {
    const gateway = await startGateway(options)
    const shop = await gateway.shop()
    fake()
    onTestFinished(() => void restore())
    const terms = { interval: 1, interval_unit: 'months', prices: { sek: '99.00' } } as const
    const plan = await shop.client.createPlan({ name: 'Box', ...terms })
    const { id } = await shop.pay({ plan_id: plan.id, store_card: true })
    expect((await shop.webhooks.waitFor('payment_success')).data.id).toBe(id)
    const charged = await shop.webhooks.waitFor('recurring_success', { within: { months: 2 } })
    expect(charged.data.amount).toBe('99.00')
    await gateway.close()
  })
})

test.each([
  ['without a port', {}],
  ['on a port', { port: 0 }],
])('a gateway %s sends nothing over the network that msw could reject', async (_where, options) => {
  const network = setupServer()
  network.listen({ onUnhandledFrame: 'error' })
  onTestFinished(() => network.close())
  const gateway = await startGateway(options)
  const shop = await gateway.shop()
  const { id } = await shop.pay()
  expect((await shop.webhooks.waitFor('payment_success')).data.id).toBe(id)
  await gateway.close()
})

test('a webhook that a gateway of another process cannot deliver is reported with its reason', async () => {
  const running = await startGateway({ port: 0, webhooks: { addresses: 'strict' } })
  const gateway = await connectGateway(running)
  onTestFinished(async () => {
    await gateway.close()
    await running.close()
  })
  const shop = await gateway.shop()
  await shop.pay()
  await expect
    .poll(() => shop.webhooks.waitFor('payment', { timeout: 1 }).catch(String))
    .toMatch(
      /could not deliver it to http:\/\/127\.0\.0\.1:\d+\/\d+\/payment: 127\.0\.0\.1 may not be called/,
    )
})
