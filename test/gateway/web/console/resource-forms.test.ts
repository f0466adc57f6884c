import { expect, test } from 'vitest'
import type { Customer, Plan } from '../../../../mock-gateway/contract/wire.ts'
import { MERCHANT } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const HOSTILE = `"><img src=x onerror=alert(1)>`
const GOLD = {
  name: `Gold ${HOSTILE}`,
  description: '',
  interval: '1',
  interval_unit: 'months',
  prices: 'sek 99.00\r\nEUR: 9.90\r\n',
  setup_fees: '',
  periods: '12',
  trial_length: '',
}

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL] })
const client = await loggedIn(shop.gateway)
const rival = await loggedIn(shop.gateway, 2)

const plan = async (id = 1) => (await shop.get<Plan>(`/v1/plans/${id}`)).body
const customer = async (id = 1) => (await shop.get<Customer>(`/v1/customers/${id}`)).body

test("a plan is created and changed in a form with the contract's descriptions", async () => {
  expect((await client.get('/1/plans')).html).toContain('href="/console/1/plans/new"')
  const { html } = await client.get('/1/plans/new')
  expect(textOf(html)).toContain(
    'Periods Number of periods until a subscription ends; 0: it never ends.',
  )
  expect(textOf(html)).toContain('Interval required Length of a period: at most 366 days')
  expect(html).not.toContain('name="status"')
  expect((await client.post('/1/plans/new', GOLD)).to).toBe('/console/1/plans/1?done=saved')
  expect(await plan()).toMatchObject({
    name: GOLD.name,
    prices: { sek: '99.00', eur: '9.90' },
    periods: 12,
  })
  const { html: one } = await client.get('/1/plans/1')
  expect(one).toContain('href="/console/1/plans/1/change"')
  const { html: form } = await client.get('/1/plans/1/change')
  expect(form).toContain('sek 99.00\neur 9.90</textarea>')
  for (const page of [one, form]) expect(page).not.toContain('<img')
  const changed = {
    ...GOLD,
    prices: 'sek 109',
    setup_fees: 'sek 5',
    periods: '0',
    status: 'cancelled',
  }
  await client.post('/1/plans/1/change', changed)
  const after = {
    prices: { sek: '109.00' },
    setup_fees: { sek: '5.00' },
    periods: 0,
    status: 'cancelled',
  }
  expect(await plan()).toMatchObject(after)
  await client.post('/1/plans/1/change', { ...changed, setup_fees: '', status: 'active' })
  expect(await plan()).toMatchObject({ setup_fees: {}, status: 'active' })
})

test.each([
  [{ interval: '40' }, 'interval', 'from 1 to 36 for months. (189, errors.interval.invalid)'],
  [{ name: '' }, 'name', 'name is missing. Send the name of the plan. (184'],
  [{ prices: '' }, 'prices', 'Send the price of a period'],
  [{ prices: 'xyz 5' }, 'prices', '195, errors.prices.invalid'],
  [{ prices: 'sek' }, 'prices', 'prices: write each currency once'],
  [{ prices: 'sek 1\nsek 2' }, 'prices', 'on a line of its own'],
  [{ setup_fees: 'sek -1' }, 'setup_fees', 'setup_fees for sek must be a number'],
  [{ periods: 'x' }, 'periods', 'periods must be a whole number. (253'],
])(
  "a plan with %o is rejected next to its field, with the API's check",
  async (wrong, field, why) => {
    const { status, html } = await client.post('/1/plans/new', {
      ...GOLD,
      trial_length: '77',
      ...wrong,
    })
    expect(status).toBe(400)
    const [, said = ''] = new RegExp(`id="wrong-${field}"[^>]*>([^<]*)<`).exec(html) ?? []
    expect(textOf(said)).toContain(why)
    expect(html).toContain('value="77"')
    expect(html).not.toContain('class="problem"')
    expect(html).not.toContain('<img')
  },
)

test('a customer is created and changed, and its metadata is merged like in the API', async () => {
  const { to } = await client.post('/1/customers/new', {
    ref: 'anna',
    metadata: `{"a":"${HOSTILE.replace('"', '')}"}`,
  })
  expect(to).toBe('/console/1/customers/1?done=saved')
  await client.post('/1/customers/1/change', { ref: 'anna-2', metadata: '{"b":4111111111111111}' })
  expect(await customer()).toMatchObject({
    ref: 'anna-2',
    metadata: { a: HOSTILE.slice(1), b: '411111******1111' },
  })
  const { html } = await client.get('/1/customers/1/change')
  expect(html).toContain('value="anna-2"')
  expect(html).not.toContain('<img')
  const refused = await client.post('/1/customers/new', { ref: 'anna-2', metadata: '{}' })
  expect(refused.html).toMatch(
    /id="wrong-ref"[^>]*>Another customer has this ref. Send another ref, or update that customer./,
  )
  const { html: malformed } = await client.post('/1/customers/new', {
    ref: 'bea',
    metadata: '{"a"',
  })
  expect(malformed).toMatch(/id="wrong-metadata"/)
  expect(malformed).toContain('{&quot;a&quot;</textarea>')
})

test('attacks 116 (idor-console) and 47 (csrf-console): objects of another merchant are neither shown nor changed', async () => {
  const before = [await plan(), await customer()]
  for (const path of ['/plans/1/change', '/customers/1/change', '/plans/new', '/customers/new'])
    for (const of of path.endsWith('new') ? ['/1'] : ['/1', '/2']) {
      expect((await rival.get(of + path)).status, of + path).toBe(404)
      expect((await rival.post(of + path, { ...GOLD, ref: 'mine' })).status, of + path).toBe(404)
    }
  expect(
    (await client.post('/1/plans/1/change', { ...GOLD, name: 'x', form_token: 'x' })).status,
  ).toBe(401)
  await client.post('/1/plans/1/change', {
    ...GOLD,
    name: before[0]?.id ? GOLD.name : '',
    periods: '0',
    prices: 'sek 109',
  })
  expect([{ ...(await plan()), updated_at: '' }, await customer()]).toEqual([
    { ...before[0], updated_at: '' },
    before[1],
  ])
})
