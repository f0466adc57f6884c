import { expect, test } from 'vitest'
import { createQrCode } from '../../../../mock-gateway/web/pages/qr.ts'
import { CARD, encode } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

const LINK = {
  amount: '100.00',
  currency: 'sek',
  description: 'One hour of work',
  payment_ref: 'order-{n}',
  uses: '2',
}

const shop = await sharedGateway()
const client = await loggedIn(shop.gateway)

test('a link is created with the form, shown with its code, paid and closed', async () => {
  const made = await client.post('/1/payment_links', { ...LINK, amount: '100' })
  expect([made.status, made.to]).toEqual([303, '/console/1/payment_links/1?done=saved'])
  const { html } = await client.get('/1/payment_links/1')
  const [, url = ''] = /href="(http[^"]*\/pay\/[^"]*)"/.exec(html) ?? []
  expect(html).toContain(`d="${createQrCode(url)?.path}"`)
  const { headers } = await shop.browser.send('POST', new URL(url).pathname, '')
  await shop.browser.send('POST', new URL(headers.get('location') ?? '').pathname, encode(CARD))
  expect(textOf((await client.get('/1/payment_links')).html)).toMatch(
    /One hour of work http:\S+ 100.00 SEK 1 of 2 active/,
  )
  expect(textOf((await client.get('/1/payment_links/1')).html)).toContain(
    'order-1 100.00 SEK Approved',
  )
  expect((await client.post('/1/payment_links/1/close')).to).toBe(
    '/console/1/payment_links/1?done=closed',
  )
  const closed = (await client.get('/1/payment_links/1')).html
  expect([
    closed.includes('<svg class="qr"'),
    textOf(closed).includes('100.00 SEK closed'),
  ]).toEqual([false, true])
})
