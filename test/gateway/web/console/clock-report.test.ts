import { expect, test } from 'vitest'
import { CLOCK, reportOf } from '../../../../mock-gateway/web/console/controls/clock.ts'
import { oneMerchant } from '../../../../mock-gateway/web/console/parts/owner.ts'
import type { MerchantVisit } from '../../../../mock-gateway/web/console/visit.ts'
import { START } from '../../../helpers/gateway.ts'

test.each([
  [
    'advance',
    { months: '1', days: '1' },
    'set',
    [{ name: 'at', value: '2026-04-15T12:00:00.000Z' }],
  ],
  ['advance', { until: 'next_event' }, 'advance', [{ name: 'until', value: 'next_event' }]],
  ['freeze', { at: '2026-05-01' }, 'freeze', [{ name: 'at', value: '2026-05-01' }]],
] as const)(
  'a %s by %j that reached a limit continues from where it stopped',
  async (name, sent, to, fields) => {
    const [from, now] = [START, START + 1000]
    const report = {
      merchantId: 1,
      mode: 'offset',
      now,
      next: [],
      from,
      happened: [],
      quiet: false,
    } as const
    const visit = {
      dependencies: { timeline: { move: async () => report } },
      merchant: { id: 1 },
      home: '/console/1',
      parameters: { form_token: 'x', ...sent },
    } as unknown as MerchantVisit
    const done = await CLOCK.acts.find(({ path }) => path === `/clock/${name}`)?.act(visit)
    const html = done && 'body' in done ? String(done.body) : ''
    expect(html).toContain('Not all due events were processed. Continue to process the rest.')
    const [, form = ''] = html.split(`action="/console/1/clock/${to}"`)
    for (const { name, value } of fields) expect(form).toContain(`name="${name}" value="${value}"`)
  },
)

test('a line of a report links to its delivery, transaction or subscription', () => {
  const line = (kind: string, id: number, facts = {}) => ({
    kind,
    id,
    facts,
    at: START,
    merchantId: 1,
    what: 'done',
  })
  const happened = [
    line('webhook', 7, { delivery_id: 7, transaction_id: 3 }),
    line('charge', 5, { subscription_id: 5, transaction_id: 4 }),
    line('charge', 5, { subscription_id: 5 }),
    line('authentication', 9, { mpi_ref: 'x', transaction_id: null }),
  ]
  const report = {
    merchantId: 1,
    mode: 'real',
    now: START,
    next: [],
    from: START,
    happened,
    quiet: true,
  } as const
  const owner = oneMerchant({ merchant: { id: 1 }, home: '/console/1' } as MerchantVisit)
  const { rows } = reportOf(owner, report, { to: '', fields: [] })
  expect(rows.map((row) => [row[2]?.text, row[2]?.to])).toEqual([
    ['Delivery 7', '/console/1/webhooks/7'],
    ['Transaction 4', '/console/1/transactions/4'],
    ['Subscription 5', '/console/1/subscriptions/5'],
    ['9', null],
  ])
})
