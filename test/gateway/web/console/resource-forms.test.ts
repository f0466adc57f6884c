import { expect, test } from 'vitest'
import type { Plan } from '../../../../mock-gateway/contract/wire.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

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

const shop = await sharedGateway()
const client = await loggedIn(shop.gateway)

const plan = async (id = 1) => (await shop.get<Plan>(`/v1/plans/${id}`)).body

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
