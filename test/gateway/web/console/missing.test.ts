import { expect, test } from 'vitest'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { consoleOf, loggedIn, textOf } from './client.ts'

const shop = await sharedGateway({
  merchants: [MERCHANT, { ...MERCHANT, id: 2 }],
  control: 'a-key-of-our-own',
})
const client = await loggedIn(shop.gateway)

const headingOf = (html: string) => textOf(/<h1>.*?<\/h1>/.exec(html)?.[0] ?? '').trim()

test.each([
  ['transactions/99999', 'There is no transaction 99999'],
  ['refunds/99999', 'There is no refund 99999'],
  ['stored_cards/99999', 'There is no stored card 99999'],
  ['customers/99999', 'There is no customer 99999'],
  ['plans/99999', 'There is no plan 99999'],
  ['subscriptions/99999', 'There is no subscription 99999'],
  ['payment_links/99999', 'There is no payment link 99999'],
  ['webhooks/99999', 'There is no delivery 99999'],
  ['webhooks/last', 'There is no delivery last'],
  ['mails/99999', 'There is no mail 99999'],
  ['requests/99999', 'There is no request 99999'],
  ['templates/99999', 'The merchant has no page template with this id'],
  ['hash?transaction_id=99999', 'There is no transaction 99999'],
  ['transactions/A1', 'There is no transaction A1'],
  ['nothing/99999', 'There is no page at this address'],
])('the page %s does not exist: %s', async (path, heading) => {
  const { status, html } = await client.get(`/1/${path}`)
  expect([status, headingOf(html)]).toEqual([404, heading])
  // The page links to the list.
  expect(html).toContain('<a href="/console/1/transactions">transactions</a>')
})

test('the administrator reads which merchant does not exist', async () => {
  const administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', 'a-key-of-our-own')
  const { status, html } = await administrator.get('/99/transactions')
  expect([status, headingOf(html)]).toEqual([404, 'There is no merchant 99'])
})

test('a transaction of another merchant looks like one that does not exist', async () => {
  const { id } = (await shop.post('/v1/transactions', payment())).body
  const rival = await loggedIn(shop.gateway, 2)
  expect(headingOf((await rival.get(`/2/transactions/${id}`)).html)).toBe(
    `There is no transaction ${id}`,
  )
})

test('a card number in place of an id is masked', async () => {
  const { html, headers } = await client.get('/1/transactions/4111111111111111')
  expect(headingOf(html)).toBe('There is no transaction 411111******1111')
  expect(headers.get('mondido-explain')).not.toContain('4111111111111111')
})
