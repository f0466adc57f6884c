import { describe, expect, test } from 'vitest'
import { MOVED } from '../../../../mock-gateway/web/console/sections.ts'
import { MERCHANT, payment, type TestGatewayOptions } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'
import { filePlace, sharedPlace } from '../../storage/databases.ts'
import { newSubscription } from '../../subscriptions/new-subscription.ts'
import { loggedIn, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'
const ADDRESS = 'http://pay.example'

const target = await sharedPlace(filePlace)
const shop = await sharedGateway({
  database: target,
  merchants: [MERCHANT, RIVAL],
  control: KEY,
  hosts: ['localhost'],
})
const client = await loggedIn(shop.gateway)
const administrator = await loggedIn(shop.gateway, 'admin', KEY)

const nowOf = (merchant?: number) =>
  new Date(shop.gateway.clock.now(merchant === undefined ? {} : { merchant })).toISOString()
const run = (operation: string, fields = {}) => client.post(`/1/controls/${operation}`, fields)
const pageText = async () => textOf((await client.get('/1/controls')).html)
const pays = async (merchant = MERCHANT) => {
  const { body } = await shop.as(merchant).post('/v1/transactions', payment())
  return body.name ?? body.status
}
const count = async (merchant = MERCHANT) =>
  (await shop.as(merchant).get<object[]>('/v1/transactions')).body.length

test('all controls are parts of one page, each with its command', async () => {
  const { html } = await client.get('/1/controls')
  expect([...html.matchAll(/<h2 id="[\w-]+">([^<]+)/g)].map(([, title]) => title)).toEqual([
    'Clock',
    'Next results',
    'Faults',
    'Webhooks',
    'Data',
  ])
  for (const command of ['clock.advance --days 1 --merchant 1', 'faults.inject', 'payments.force'])
    expect(html).toContain(`mondido-gateway do ${command}`)
})

test.each(Object.entries(MOVED))(
  'the address %s of earlier versions leads to %s',
  async (old, now) => {
    expect((await client.get(`/1/${old}`)).to).toBe(`/console/1/${now}`)
    expect((await administrator.get(`/${old}`)).to).toBe(`/console/${now}`)
  },
)

describe('the clock', () => {
  test('shows the next events, moves, and lists what happened', async () => {
    const { id } = await newSubscription(shop)
    const before = await client.get('/1/controls')
    expect(before.html).toContain(`href="/console/1/subscriptions/${id}"`)
    const { status, html } = await run('clock.advance', { months: '1', days: '2', seconds: '' })
    expect(status).toBe(200)
    expect(textOf(html)).toContain(
      'from 14 Mar 2026, 12:00:00 to 16 Apr 2026, 12:00:00 UTC. 2 events happened.',
    )
    expect(html).toMatch(/<a href="\/console\/1\/transactions\/\d+">Transaction \d+<\/a>/)
    expect(textOf(html)).toContain('Clock moved 16 Apr 2026, 12:00 UTC')
    expect([nowOf(1), nowOf(2)]).toEqual(['2026-04-16T12:00:00.000Z', '2026-03-14T12:00:00.000Z'])
  })

  test('stops at a time in UTC, and moves back only with the option for it', async () => {
    await run('clock.freeze', { at: '2026-05-01T10:00' })
    expect([nowOf(1), (await pageText()).includes('UTC, stopped')]).toEqual([
      '2026-05-01T10:00:00.000Z',
      true,
    ])
    const refused = await run('clock.set', { at: '2026-03-01T00:00' })
    expect(refused.status).toBe(400)
    expect(textOf(refused.html)).toContain('To move the clock back, send force=true')
    expect(refused.html).toContain('value="2026-03-01T00:00"')
    await run('clock.resume', { real: 'true', force: 'true' })
    expect(nowOf(1)).toBe(nowOf())
  })

  test('of another merchant stays, whatever id the form has (attack 116, idor-console)', async () => {
    await run('clock.advance', { hours: 1, merchant_id: 2 })
    expect(nowOf(2)).toBe(nowOf())
    for (const path of ['/2/controls/clock.advance', '/controls/clock.advance'])
      expect((await client.post(path, { days: 1 })).status, path).toBe(404)
    // A reload of the address of a move leads to the page.
    const reload = await client.get('/1/controls/clock.advance')
    expect([reload.status, reload.to]).toEqual([303, '/console/1/controls'])
    await run('clock.resume', { real: 'true', force: 'true' })
  })
})

describe('the next results', () => {
  test('are given to this merchant’s payments in order, and deleted one by one', async () => {
    expect((await run('payments.force', { outcome: 'errors.card.expired', times: '2' })).to).toBe(
      '/console/1/controls?done=outcome_added',
    )
    for (const result of ['payment.declined', 'payment.failed'])
      await run('payments.force', { outcome: `errors.${result}`, times: '', merchant_id: 2 })
    expect(await pageText()).toMatch(/1\. Card has expired \(\d+\) 2 times × 2\. Payment declined/)
    expect([await pays(RIVAL), await pays(), await pays(), await pays()]).toEqual([
      'approved',
      'errors.card.expired',
      'errors.card.expired',
      'errors.payment.declined',
    ])
    const [, id = ''] = /name="id" value="(\d+)"/.exec((await client.get('/1/controls')).html) ?? []
    expect((await run('payments.unforce', { id })).to).toContain('done=removed')
    expect((await run('payments.unforce', { id })).status).toBe(404)
    expect(await pays()).toBe('approved')
  })

  test('with a mistake stay in the form, as text (attack 30, console-stored-xss)', async () => {
    const { status, html } = await run('payments.force', { outcome: '"><img src=x>' })
    expect(status).toBe(400)
    expect(html).toMatch(
      /id="wrong-payments-force-outcome"[^>]*>outcome must be approved, or the name or code/,
    )
    expect(html).not.toContain('<img')
  })
})

describe('faults', () => {
  test('are added with one press, affect requests, and are deleted, each by its owner', async () => {
    await administrator.post('/controls/faults.inject', {
      kind: 'drop',
      path: '/v1/refunds',
      times: 0,
    })
    const { to } = await run('faults.inject', { kind: 'unavailable', path: '/v1/plans', times: 0 })
    expect(to).toBe('/console/1/controls?done=fault_added')
    expect((await shop.get('/v1/plans')).status).toBe(503)
    const { html } = await client.get('/1/controls')
    expect(textOf(html)).toContain('Status 503 /v1/plans…, 1 so far, until it is deleted')
    expect(textOf(html)).toContain('set for all merchants')
    await run('faults.inject', { kind: 'latency', milliseconds: 3000, path: '/v1/x', times: 5 })
    const late = textOf((await client.get('/1/controls')).html)
    expect(late).toContain('3 s late, processed late /v1/x…, next 5 answers, 0 so far')
    const ids = [...html.matchAll(/faults\.remove.*?name="id" value="(\d+)"/g)].map(([, id]) => id)
    expect(ids).toHaveLength(1)
    expect((await run('faults.remove', { id: Number(ids[0]) - 1 })).status).toBe(404)
    expect((await run('faults.remove', { id: ids[0] })).to).toContain('done=removed')
    expect((await shop.get('/v1/plans')).status).toBe(200)
    await administrator.post('/controls/faults.clear')
  })

  test('with mistakes are rejected with the reason', async () => {
    const { status, html } = await run('faults.inject', { kind: 'latency' })
    expect(status).toBe(400)
    expect(html).toMatch(
      /id="wrong-faults-inject-milliseconds"[^>]*>milliseconds is the length of a latency/,
    )
  })
})

test('webhooks are held and released, and one button switches everything off', async () => {
  await run('webhooks.setSending', { hold: 'true', duplicates: '1', delay: '60' })
  await run('payments.force', { outcome: 'errors.payment.declined' })
  const { html } = await client.get('/1/controls')
  expect(textOf(html)).toContain('1 forced result webhooks held Back to normal')
  expect(html).toMatch(/name="delay" value="60"/)
  expect((await run('webhooks.setSending', { delay: 'soon' })).status).toBe(400)
  expect((await run('sandbox.normal')).to).toBe('/console/1/controls?done=own_normal')
  expect(await pageText()).toContain('Everything is normal')
})

describe('data', () => {
  test('of one merchant are deleted, and the others stay', async () => {
    await pays()
    await pays(RIVAL)
    expect((await run('data.reset', { merchant_id: 2 })).to).toContain('done=reset')
    expect([await count(), (await count(RIVAL)) > 0]).toEqual([0, true])
  })

  test('are saved and restored as a snapshot by the administrator, and by no merchant among others', async () => {
    await pays()
    const post = (operation: string, fields: object) =>
      administrator.post(`/controls/${operation}`, { ...fields })
    expect((await post('snapshots.save', { name: 'morning' })).to).toContain('done=saved')
    await pays()
    for (const operation of ['snapshots.save', 'snapshots.restore', 'snapshots.delete'])
      expect((await run(operation, { name: 'morning' })).status).toBe(404)
    expect((await post('snapshots.restore', { name: 'morning' })).to).toContain('done=restored')
    expect(await count()).toBe(1)
    const wrong = await post('snapshots.save', { name: 'not a name' })
    expect([wrong.status, wrong.html.includes('value="not a name"')]).toEqual([400, true])
    await post('snapshots.delete', { name: 'morning' })
    expect(textOf((await administrator.get('/controls')).html)).toContain('No snapshot is saved.')
  })

  test('are saved and restored by the only merchant', async () => {
    const alone = await openGateway({ control: KEY, hosts: ['localhost'] })
    const visitor = await loggedIn(alone.gateway)
    const post = (operation: string) =>
      visitor.post(`/1/controls/snapshots.${operation}`, { name: 'empty' })
    expect((await post('save')).to).toContain('done=saved')
    await alone.post('/v1/transactions', payment())
    expect((await post('restore')).to).toContain('done=restored')
    expect((await alone.get('/v1/transactions')).body).toEqual([])
    const text = textOf((await visitor.get('/1/controls')).html)
    expect(text).toMatch(/empty 0 payments/)
    expect(text).not.toContain('Data files')
  })

  test('are added from a file, or stay in the form with the mistake', async () => {
    const add = (fixtures: string) => administrator.post('/controls/fixtures.load', { fixtures })
    expect((await add('{"customers":[{"ref":"kim"}]}')).to).toContain('done=loaded&count=1')
    for (const fixtures of [
      '{"customers":',
      '{"customers":[{"ref":"</textarea><script>alert(1)"}]',
    ])
      expect(await add(fixtures)).toMatchObject({
        status: 400,
        html: expect.not.stringContaining('<script>alert'),
      })
    const { headers } = await administrator.get('/controls/fixtures.json?merchant_id=2')
    expect(headers.get('content-disposition')).toBe('attachment; filename="fixtures.json"')
  })
})

test('the only merchant switches off what is set for all, another only what it set itself', async () => {
  const force = { outcome: 'errors.payment.declined', merchant_id: '' }
  const alone = await openGateway({ merchants: [MERCHANT], control: KEY, hosts: ['localhost'] })
  const visitor = await loggedIn(alone.gateway)
  const operator = await loggedIn(alone.gateway, 'admin', KEY)
  await operator.post('/controls/payments.force', force)
  await operator.post('/controls/faults.inject', { kind: 'drop', path: '/v1/refunds', times: '0' })
  expect((await visitor.post('/1/controls/sandbox.normal')).to).toMatch(/done=normal$/)
  expect(textOf((await visitor.get('/1/controls')).html)).toContain('Everything is normal')

  await administrator.post('/controls/payments.force', force)
  expect((await run('sandbox.normal')).to).toBe('/console/1/controls?done=own_normal')
  expect(await pageText()).toMatch(/Payment declined \(129\) set for all merchants then the card/)
  await administrator.post('/controls/sandbox.normal')
})

test.each<[string, TestGatewayOptions, string[]]>([
  ['answers every host', {}, ['clock', 'next-results', 'webhooks']],
  [
    'has a public name',
    { hosts: ['localhost'], addresses: { base: ADDRESS, pay: ADDRESS, cdn: ADDRESS } },
    ['clock', 'next-results', 'webhooks'],
  ],
  ['has no control key', { hosts: ['localhost'], control: false }, ['webhooks']],
])('a gateway that %s offers merchants only some controls', async (_what, options, parts) => {
  const reachable = await openGateway({ merchants: [MERCHANT], control: KEY, ...options })
  const visitor = await loggedIn(reachable.gateway)
  const { html } = await visitor.get('/1/controls')
  expect([...html.matchAll(/<h2 id="([\w-]+)"/g)].map(([, id]) => id)).toEqual(parts)
  for (const operation of ['faults.inject', 'data.reset'])
    expect((await visitor.post(`/1/controls/${operation}`)).status).toBe(404)
})
