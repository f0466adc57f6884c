import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  handSetClock,
  MERCHANT,
  payment,
  START,
  startGateway,
  type TestGateway,
} from '../../../helpers/gateway.ts'
import { newSubscription } from '../../subscriptions/new-subscription.ts'
import { type ConsoleClient, consoleOf, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'

let shop: TestGateway | undefined
let client: ConsoleClient
let administrator: ConsoleClient
beforeEach(async () => {
  await shop?.close()
  shop = await startGateway({ merchants: [MERCHANT, RIVAL], control: KEY })
  client = consoleOf(shop.gateway)
  administrator = consoleOf(shop.gateway)
  await client.logIn(1, MERCHANT.password)
  await administrator.logIn('admin', KEY)
})
afterAll(() => shop?.close())

const nowOf = (merchant?: number) =>
  new Date(shop?.gateway.clock.now(merchant === undefined ? {} : { merchant }) ?? 0).toISOString()

describe('the clock of a merchant', () => {
  test('shows the next due work, with links to it', async () => {
    if (!shop) throw new Error('no shop')
    const { id } = await newSubscription(shop)
    const { html } = await client.get('/1/clock')
    expect(textOf(html)).toContain('2026-03-14 12:00:00 UTC')
    expect(textOf(html)).toContain('2026-03-15 12:00:00 charge')
    expect(html).toContain(`<a href="/console/1/subscriptions/${id}">Subscription ${id}</a>`)
    expect(html).toContain('href="/console/1/clock" aria-current="page"')
    for (const step of ['To the next event', '+1 hour', '+1 day', '+1 month'])
      expect(textOf(html)).toContain(step)
  })

  test('moves with its forms only, and shows the events on the way in order', async () => {
    if (!shop) throw new Error('no shop')
    await newSubscription(shop)
    const { status, html } = await client.post('/1/clock/advance', {
      months: '1',
      days: '2',
      seconds: '',
    })
    expect(status).toBe(200)
    const text = textOf(html)
    expect(text).toContain(
      'from 2026-03-14 12:00:00 to 2026-04-16 12:00:00 UTC. 2 events happened. No more events are due before that time',
    )
    expect(text).toMatch(
      /2026-03-15 12:00:00 charge .* approved 99\.00 sek 2026-04-15 12:00:00 charge/,
    )
    expect(html).toMatch(/<a href="\/console\/1\/transactions\/\d+">Transaction \d+<\/a>/)
    // Each page shows the state of the clock.
    const moved = 'Clock moved 2026-04-16 12:00:00 UTC'
    expect(textOf((await client.get('/1/plans')).html)).toContain(moved)
    expect(html).toContain('href="/console/1/clock" aria-current="page"')
    expect([nowOf(1), nowOf(2), nowOf()]).toEqual([
      '2026-04-16T12:00:00.000Z',
      '2026-03-14T12:00:00.000Z',
      '2026-03-14T12:00:00.000Z',
    ])
  })

  test('moves to the next event or to a time in UTC, stops there, and resumes', async () => {
    if (!shop) throw new Error('no shop')
    await newSubscription(shop)
    await client.post('/1/clock/advance', { until: 'next_event' })
    expect(nowOf(1)).toBe('2026-03-15T12:00:00.000Z')
    const frozen = await client.post('/1/clock/freeze', { at: '2026-04-01T10:00' })
    expect(textOf(frozen.html)).toContain('The clock is stopped.')
    expect(textOf(frozen.html)).toContain('Start the clock Back to real time')
    expect(nowOf(1)).toBe('2026-04-01T10:00:00.000Z')
    expect(textOf((await client.post('/1/clock/resume')).html)).toContain('The clock runs')
    await client.post('/1/clock/resume', { real: 'true', force: 'true' })
    const real = textOf((await client.get('/1/clock')).html)
    expect([nowOf(1), real.includes('machine’s time.')]).toEqual([nowOf(), true])
    expect(real).not.toContain('Start the clock')
    expect(real).not.toContain('Back to real time')
  })

  test('does not move again if a user reopens the address of a move, which shows the clock', async () => {
    await client.post('/1/clock/advance', { days: 1 })
    const before = nowOf(1)
    const anew = await client.get('/1/clock/advance')
    expect([anew.status, anew.to, nowOf(1)]).toEqual([303, '/console/1/clock', before])
    for (const others of ['/2/clock/advance', '/clock/advance'])
      expect((await client.get(others)).status).toBe(404)
  })

  test('moves back over data only with the option for it', async () => {
    await shop?.post('/v1/transactions', payment())
    const refused = await client.post('/1/clock/set', { at: '2026-03-01T00:00' })
    expect(refused.status).toBe(400)
    expect(textOf(refused.html)).toContain('To move the clock back, send force=true')
    expect(refused.html).toContain('name="at" step="1" value="2026-03-01T00:00"')
    // The folded forms are open, so that the error is in view.
    expect(refused.html).toContain('<details open><summary>Move by another span')
    expect(
      (await client.post('/1/clock/set', { at: '2026-03-01T00:00:30', force: 'true' })).status,
    ).toBe(200)
    expect(nowOf(1)).toBe('2026-03-01T00:00:30.000Z')
  })

  test("stays when another merchant sends its id, and that merchant's own clock moves (attack 116, idor-console)", async () => {
    await client.post('/1/clock/advance', { days: 1, merchant_id: 2 })
    expect([nowOf(1), nowOf(2)]).toEqual(['2026-03-15T12:00:00.000Z', '2026-03-14T12:00:00.000Z'])
    for (const path of ['/2/clock/advance', '/clock/advance'])
      expect((await client.post(path, { days: 1 })).status, path).toBe(404)
    expect([nowOf(2), nowOf()]).toEqual([
      new Date(START).toISOString(),
      new Date(START).toISOString(),
    ])
  })
})

test('the administrator moves the common clock, and sees the events of each merchant', async () => {
  if (!shop) throw new Error('no shop')
  const { id } = await newSubscription(shop)
  const before = await administrator.get('/clock')
  expect(before.html).toContain(`href="/console/1/subscriptions/${id}"`)
  const { html } = await administrator.post('/clock/advance', { days: 2 })
  expect(html).toContain('<td data-head="Merchant"><a href="/console/1">1</a></td>')
  expect([nowOf(1), nowOf(2), nowOf()]).toEqual(Array(3).fill('2026-03-16T12:00:00.000Z'))
})

test("after a move the page header shows the clock's time, also for a running clock", async () => {
  const machine = handSetClock()
  const now = () => {
    machine.advance(1000)
    return machine.now()
  }
  const slow = await startGateway({ control: KEY, clock: { ...machine, now } })
  const visitor = consoleOf(slow.gateway)
  await visitor.logIn(1, MERCHANT.password)
  const { html } = await visitor.post('/1/clock/advance', { days: 1 })
  const [, head] = /class="sandbox".*?<time[^>]*>([^<]*)</s.exec(html) ?? []
  const [, shown] = /class="amount">([^<]*) </.exec(html) ?? []
  expect([head?.slice(0, 10), head]).toEqual(['2026-03-15', shown])
  await slow.close()
})

test('the page has no clock forms without the control API', async () => {
  const alone = await startGateway({ control: false })
  const visitor = consoleOf(alone.gateway)
  await visitor.logIn(1, MERCHANT.password)
  expect((await visitor.get('/1')).html).not.toContain('/console/1/clock')
  expect((await visitor.get('/1/clock')).status).toBe(404)
  expect((await visitor.post('/1/clock/advance', { days: 1 })).status).toBe(404)
  await alone.close()
})
