import { expect, test } from 'vitest'
import { CARD, encode, type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { slowQueries } from '../../helpers/slow-queries.ts'
import { cardOf, locationOf, pathOf, payerAt, windowMessage } from './payer.ts'

const queries: string[] = []
slowQueries((sql) => {
  queries.push(sql)
  return 0
})

const shop = await sharedGateway()

/**
 * Leads a payer to the bank in the library's window. The bank's pages report by name when they open
 * and close.
 */
async function openBank(nonce: string) {
  const { address, html } = await payerAt(shop).openWindow({
    card_number: cardOf(10),
    mpi_nonce: nonce,
  })
  const tell = async (page: string, left = false) =>
    (await shop.browser.post(`${pathOf(address)}/page`, { hash: undefined, page, left })).status
  const isAtBank = async () =>
    (await shop.browser.get<{ at_bank: boolean }>(`/v1/mpi_js/${nonce}`, { merchant_id: 1 })).body
      .at_bank
  return { address, html, tell, isAtBank }
}

test('the library sees whether the payer has a page of the bank open', async () => {
  const { html, tell, isAtBank } = await openBank('a'.repeat(32))
  expect(html).toContain('navigator.sendBeacon(')
  expect(await isAtBank()).toBe(false)
  expect(await tell('0.1')).toBe(204)
  expect(await isAtBank()).toBe(true)
  await tell('0.1', true)
  expect(await isAtBank()).toBe(false)
})

test.each([
  ['without a name', {}],
  ['with one that no page has', { page: 'x'.repeat(33) }],
])('a report of a page %s is ignored', async (what, fields) => {
  const { address, isAtBank } = await openBank(
    what.length.toString(16).repeat(16).slice(0, 32).padEnd(32, 'd'),
  )
  expect(
    (await shop.browser.post(`${pathOf(address)}/page`, { hash: undefined, ...fields })).status,
  ).toBe(204)
  expect(await isAtBank()).toBe(false)
})

test('a page of an unknown bank is rejected', async () => {
  expect(
    (await shop.browser.post('/v1/acs/nobody/page', { hash: undefined, page: '0.1' })).status,
  ).toBe(404)
})

test('the page that opened the bank’s page is notified of a challenge', async () => {
  const nonce = 'e'.repeat(32)
  const { html } = await openBank(nonce)
  expect(windowMessage(html)).toEqual({
    message: { event: 'mpi', status: 'pending', challenge: true, nonce },
    origin: 'https://shop.example',
  })
  const { body } = await shop.browser.get(`/v1/mpi_js/${nonce}`, { merchant_id: 1 })
  expect(body).toMatchObject({ status: 'pending', challenge: true })
})

test('the challenge of a payment is shown without reading the payment again', async () => {
  const { body } = await shop.post('/v1/transactions', prepared())
  const card = encode({ ...CARD, card_number: cardOf(10) })
  const paid = await shop.browser.send('POST', pathOf(body.href), card)
  const bank = await shop.browser.get(pathOf(locationOf(paid)))
  queries.length = 0
  const page = await shop.browser.get<string>(pathOf(locationOf(bank)))
  expect(page.body).toContain('data-question="code"')
  expect(queries.filter((sql) => /from "transactions"/.test(sql))).toEqual([])
})

const NONCE = 'd'.repeat(32)

/**
 * If a request is rejected before the bank is asked, the page that opened the window gets a
 * message, so that it does not wait.
 */
test.each<[string, Fields, string]>([
  [
    'a value that cannot be decrypted',
    { encrypted: 'card_number', card_number: 'AAAA' },
    'errors.decryption.failed',
  ],
  ['a wrong hash', { hash: '0'.repeat(32) }, 'errors.hash.invalid'],
  ['an unknown merchant', { merchant_id: 99 }, 'errors.merchant.not_found'],
  ['an amount of nothing', { amount: '0.00' }, 'errors.amount.invalid'],
  ['a card of no brand', { card_number: '4111111111111112' }, 'errors.card_number.invalid'],
])('the window sends its opener the error: %s', async (_what, over, error) => {
  const fields = payment({ merchant_id: 1, mpi_nonce: NONCE, ...over })
  const { body } = await shop.browser.post<string>('/v1/mpi_js', fields, {
    origin: 'https://shop.example',
  })
  expect(windowMessage(body).message).toMatchObject({
    event: 'mpi',
    success: false,
    nonce: NONCE,
    error,
  })
})

test.each(['%', '%FF', '%C3'])(
  'the status at %s does not exist, and any page may read that',
  async (nonce) => {
    const { status, body, headers } = await shop.browser.get(`/v1/mpi_js/${nonce}?merchant_id=1`)
    expect([status, body.code, headers.get('access-control-allow-origin')]).toEqual([404, 196, '*'])
    expect((await shop.browser.send('OPTIONS', `/v1/mpi_js/${nonce}`)).status).toBe(200)
  },
)
