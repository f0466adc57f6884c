/**
 * Tests that the console's search finds the objects of a merchant by any of their ids, and no
 * objects of other merchants.
 */

import { expect, test } from 'vitest'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { filePlace, sharedPlace } from '../../storage/databases.ts'
import { type ConsoleClient, consoleOf, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }

const open = filePlace
const known: Record<string, string> = {}

const target = await sharedPlace(open)
const shop = await sharedGateway({ database: target, merchants: [MERCHANT, RIVAL] })
const webhook =
  '{"url":"http://localhost:9/nobody","trigger":"payment","http_method":"post","data_format":"json"}'
const fields = {
  amount: '123.45',
  payment_ref: 'seek-me',
  customer_ref: 'anna@shop.example',
  webhook,
}
const { body, headers } = await shop.post('/v1/transactions', payment(fields))
await shop.post('/v1/transactions', payment({ card_cvv: '201', payment_ref: 'refused-one' }))
await shop.post('/v1/transactions', payment({ payment_ref: 'wrong-hash', hash: 'f'.repeat(32) }))
known.id = String(body.id)
known.request = headers.get('x-request-id') ?? ''
const client = consoleOf(shop.gateway)
await client.logIn(1, MERCHANT.password)
const rival = consoleOf(shop.gateway)
await rival.logIn(2, MERCHANT.password)
const { html } = await client.get('/1/webhooks')
const [, id] = /\/console\/1\/webhooks\/(\d+)"/.exec(html) ?? []
known.message = /msg_[0-9a-f]{32}_1/.exec((await client.get(`/1/webhooks/${id}`)).html)?.[0] ?? ''

const found = async (who: ConsoleClient, home: string, q: string) => {
  const { status, html } = await who.get(`${home}/search?${new URLSearchParams({ q })}`)
  expect(status).toBe(200)
  return textOf(html.slice(html.indexOf('id="content"')))
}

test.each([
  ['an id', () => known.id, 'Transaction with this id'],
  ['a payment_ref', () => 'seek-me', 'Transactions by payment ref'],
  ['an amount', () => '123.45', 'Transactions with this amount'],
  ['an amount with a comma', () => '123,45', 'Transactions with this amount'],
  ['a customer', () => 'anna@shop.example', 'Customers by ref'],
  ['the last four digits of a card', () => '1111', 'Transactions by the last digits of the card'],
  ['a request id', () => known.request, 'Request 1'],
  ['the order of a rejected request', () => 'wrong-hash', 'Rejected requests by payment ref 1'],
  ['a webhook-id', () => known.message, 'Deliveries 1'],
  ['the id of its event', () => known.message?.replace(/^msg(_\w+)_1$/, 'evt$1'), 'Deliveries 1'],
  ['a part of a payment_ref', () => 'eek-m', 'Payments with this text in the order 1'],
  ['a text with four wildcards', () => 's*e*k*m*', 'Payments with this text in the order 1'],
  ['the name of an error', () => 'errors.payment.declined', 'Transactions with this error 1'],
  ['its number', () => '129', 'Transactions with this error 1'],
])('finds %s, but not for another merchant (attack 116)', async (_what, q, title) => {
  expect(await found(client, '/1', q() ?? '')).toContain(title)
  expect(await found(rival, '/2', q() ?? '')).not.toContain(title)
})

test('a text with too many wildcards finds nothing', async () => {
  expect(await found(client, '/1', '*a'.repeat(9))).toContain('Nothing was found')
})
