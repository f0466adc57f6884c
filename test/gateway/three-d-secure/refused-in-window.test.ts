import { expect, test } from 'vitest'
import { type Fields, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { windowMessage } from './payer.ts'

const shop = await sharedGateway()

const NONCE = 'a'.repeat(32)

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
