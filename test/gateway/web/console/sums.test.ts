import { expect, test } from 'vitest'
import { MERCHANT, payment, startGateway } from '../../../helpers/gateway.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

test('the page of sums adds up captures, refunds and fees of a month by day and currency', async () => {
  const shop = await startGateway()
  const client = await loggedIn(shop.gateway)
  const control = controlOf(shop.gateway)
  expect(textOf((await client.get('/1/sums')).html)).toContain('No money moved in 2026-03.')

  const pay = async (over = {}) => (await shop.post('/v1/transactions', payment(over))).body.id
  const first = await pay({ amount: '100.00' })
  await pay({ amount: '0.50' })
  await pay({ amount: '10.00', currency: 'eur' })
  await pay({ amount: '70.00', card_cvv: '201' })
  const reserved = await pay({ amount: '200.00', authorize: true })
  const voided = await pay({ amount: '30.00', authorize: true })
  await control.post('/clock/advance', { days: 1 })
  await shop.put(`/v1/transactions/${reserved}/capture`, { amount: '150.00' })
  await shop.post('/v1/refunds', { transaction_id: first, amount: '40.00', reason: 'broken' })
  await shop.post('/v1/refunds', { transaction_id: voided, amount: '30.00', reason: 'sold out' })

  const page = textOf((await client.get('/1/sums?month=2026-03')).html)
  // Fees are 2.5 % and 0.025 for each payment: 2.525 + 0.038 (rounded up) + 3.775.
  // The page rounds the fees of each day, and the file has all decimals.
  expect(page).toContain('SEK 3 250.50 1 40.00 6.34 204.16')
  expect(page).toContain('2026-03-15 1 150.00 1 40.00 3.78 106.22')
  expect(page).toContain('EUR 1 10.00 0 0.00 0.63 9.37')
  expect(page).toContain('2.5 % and 0.025 per payment, and 3.5 % more')
  expect((await client.get('/1/sums.csv?month=2026-03')).html).toBe(
    [
      'Day,Currency,Payments,Captured,Refunds,Refunded,Fees',
      '2026-03-14,EUR,1,10.00,0,0.00,0.625',
      '2026-03-14,SEK,2,100.50,0,0.00,2.563',
      '2026-03-15,SEK,1,150.00,1,40.00,3.775',
      '',
    ].join('\r\n'),
  )
  expect(textOf((await client.get('/1/sums?month=2026-04')).html)).toContain(
    'No money moved in 2026-04.',
  )
  await shop.close()
})

test('the page of sums of one currency begins with the payout', async () => {
  const shop = await startGateway()
  const client = await loggedIn(shop.gateway)
  await shop.post('/v1/transactions', payment({ amount: '1000.00' }))
  const text = async () => textOf((await client.get('/1/sums')).html)
  expect(await text()).toContain('974.97 SEK to be paid out for 2026-03-14 Captured 1,000.00')
  // One day needs no table.
  expect(await text()).not.toContain('2026-03-14 1 1,000.00')
  await controlOf(shop.gateway).post('/clock/advance', { days: 1 })
  await shop.post('/v1/transactions', payment({ amount: '2.00', payment_ref: 'next-day' }))
  expect(await text()).toContain('2026-03-14 1 1,000.00 0 0.00 25.03 974.97')
  await shop.close()
})

test.each(['2026-13', '0000-01', '9999-12', "2026-01'"])(
  'the page of sums shows the current month instead of an invalid month: %s',
  async (month) => {
    const shop = await startGateway()
    const client = await loggedIn(shop.gateway)
    const { status, html } = await client.get(
      `/${MERCHANT.id}/sums?${new URLSearchParams({ month })}`,
    )
    expect([status, html.includes('value="2026-03"')]).toEqual([200, true])
    await shop.close()
  },
)
