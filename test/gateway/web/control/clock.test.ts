import { describe, expect, test } from 'vitest'
import { payment, START } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from './client.ts'

const start = async () => {
  const shop = await openGateway()
  return { shop, control: controlOf(shop.gateway) }
}

test('freeze, set, advance and resume move the clock, and return the events', async () => {
  const { control } = await start()
  const { body } = await control.post('/clock/freeze', { at: '2026-04-01' })
  expect(body).toEqual({
    merchant_id: null,
    mode: 'frozen',
    now: '2026-04-01T00:00:00.000Z',
    from: '2026-03-14T12:00:00.000Z',
    happened: [],
    quiet: true,
    next: [],
  })
  expect((await control.post('/clock/advance', { months: 1, days: 2, seconds: 3 })).body.now).toBe(
    '2026-05-03T00:00:03.000Z',
  )
  expect(
    (await control.post('/clock/set', { at: '2026-06-01T12:00:00+02:00' })).body,
  ).toMatchObject({ mode: 'frozen', now: '2026-06-01T10:00:00.000Z' })
  expect((await control.post('/clock/advance', { until: 'next_event' })).body).toMatchObject({
    happened: [],
  })
  expect((await control.post('/clock/resume')).body.mode).toBe('offset')
  expect((await control.post('/clock/resume', { real: true })).body.mode).toBe('real')
})

test('the clock moves back over data only with force', async () => {
  const { shop, control } = await start()
  await shop.post('/v1/transactions', payment())
  const { status, headers, body } = await control.post('/clock/set', { at: '2026-03-01' })
  expect([status, body.code]).toEqual([400, 253])
  expect(headers.get('mondido-explain')).toContain('force')
  expect((await control.post('/clock/set', { at: '2026-03-01', force: true })).body.now).toBe(
    '2026-03-01T00:00:00.000Z',
  )
})

describe('invalid input is rejected, and no clock moves:', async () => {
  const control = controlOf((await sharedGateway()).gateway)

  test.each([
    ['set', {}, 'at is missing'],
    ['set', { at: 'tomorrow' }, 'at must be a time'],
    ['set', { at: '2026-13-01' }, 'at must be a time'],
    ['set', { at: '1775000000' }, 'at must be a time'],
    ['set', { at: '2026-04-01T12:00' }, 'at must be a time'],
    ['advance', {}, 'Send the distance'],
    ['advance', { days: 1, until: 'next_event' }, 'Send the distance'],
    ['advance', { until: 'refund' }, 'With a distance'],
    ['advance', { days: 1, until: 'tomorrow' }, 'until must be one of next_event, payment'],
    ['advance', { days: -1 }, 'days must be a whole number from 0'],
    ['advance', { seconds: 1.5 }, 'seconds must be a whole number'],
    ['advance', { months: 96_001 }, 'months must be'],
    ['advance', { months: 96_000 }, '9999'],
    ['advance', { hour: 1 }, 'hour is not a parameter of this call. Did you mean hours?'],
    ['resume', { real: 'maybe' }, 'real must be true or false'],
    ['freeze', { at: { year: 2026 } }, 'at must be'],
  ])('%s %o', async (call, fields, explain) => {
    const { status, headers, body } = await control.post(`/clock/${call}`, fields)
    expect([status, body.name]).toEqual([400, 'errors.request.bad_format'])
    expect(headers.get('mondido-explain')).toContain(explain)
    expect((await control.get('/clock')).body.now).toBe(new Date(START).toISOString())
  })

  test.each(['3', '0', 'x', '1e1'])('a call with merchant_id=%s', async (id) => {
    const { status, body } = await control.post(`/clock/freeze?merchant_id=${id}`)
    expect([status, body.code]).toEqual([404, 104])
  })
})
