import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Fields, MERCHANT, payment, prepared, URLS } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway({
  merchants: [{ ...MERCHANT, settings: { payer_options: ['authorize'] } }],
})

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
/** Returns the form fields of a payer's browser: card, order and hash, without a password. */
const posted = (over: Fields = {}): Fields => payment({ merchant_id: 1, ...URLS, ...over })
const post = (fields: Fields, path = '/v1/form') => shop.browser.post<string>(path, fields)
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''
const queryOf = (answer: { headers: Headers }) =>
  Object.fromEntries(new URL(locationOf(answer)).searchParams)

describe('a form with card data', () => {
  test('pays and sends the payer to success_url with the values that the shop checks', async () => {
    const answer = await post(posted({ payment_ref: 'F1', customer_ref: 'c42' }))
    expect(answer.status).toBe(303)
    expect(locationOf(answer)).toMatch(/^https:\/\/shop\.example\/thanks\?/)
    const query = queryOf(answer)
    expect(query).toEqual({
      transaction_id: expect.stringMatching(/^\d+$/),
      payment_ref: 'F1',
      status: 'approved',
      hash: md5(`1F1c4210.00sekapproved${MERCHANT.secret}`),
    })
    const { body } = await shop.get(`/v1/transactions/${query.transaction_id}`)
    expect(body).toMatchObject({ status: 'approved', response_hash: query.hash })
  })

  for (const [what, over, error_name] of [
    ['CVV 202', { card_cvv: '202' }, 'errors.card_cvv.invalid'],
    ['month 13', { card_expiry: '1330' }, 'errors.card_expiry.invalid'],
    ['an unknown currency', { currency: 'xxx' }, 'errors.currency.unsupported'],
    ['no success_url', { success_url: '' }, 'errors.success_url.missing'],
    [
      'a script as success_url',
      { success_url: 'javascript:alert(1)' },
      'errors.success_url.forbidden_uri',
    ],
  ] as const)
    test(`a form with ${what} sends the payer to error_url with ${error_name}`, async () => {
      const answer = await post(posted(over))
      expect(answer.status).toBe(303)
      expect(locationOf(answer)).toMatch(/^https:\/\/shop\.example\/sorry\?/)
      expect(queryOf(answer).error_name).toBe(error_name)
    })
})

describe('the payer is not redirected', () => {
  const sorry = /^text\/html; charset=utf-8$/
  for (const [what, over, status] of [
    ['with a wrong hash, attack 37 (open-redirect-form)', { hash: 'x' }, 400],
    ['without a hash', { hash: undefined }, 400],
    ['for an unknown merchant', { merchant_id: 99 }, 404],
    [
      'with a forbidden error_url and a mistyped card',
      { error_url: 'javascript:alert(1)', card_number: '1' },
      400,
    ],
    ['without error_url', { error_url: '' }, 400],
    ['with broken ciphertext', { encrypted: 'card_number' }, 400],
  ] as const)
    test(`${what}: a page shows the mistake`, async () => {
      const answer = await post(posted({ error_url: 'https://evil.example', ...over }))
      expect(answer.status).toBe(status)
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.headers.get('content-type')).toMatch(sorry)
      expect(answer.headers.get('mondido-explain')).toBeTruthy()
      expect(answer.body).toContain('role="alert"')
      expect(answer.body).not.toContain('evil.example')
    })

  test('without merchant_id: no browser asks the payer for a password', async () => {
    const answer = await post(posted({ merchant_id: '' }))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('www-authenticate')).toBeNull()
    expect(answer.headers.get('mondido-explain')).toContain('merchant_id')
  })

  test('an error page is in the requested language', async () => {
    const wrong = posted({ hash: 'x' })
    expect((await post(wrong, '/v1/form?lang=en')).body).toContain('<html lang="en">')
    expect((await post(wrong, '/v1/form?locale=sv')).body).toContain('<html lang="sv">')
  })
})

test('a form without card data that is rejected sends the payer to error_url', async () => {
  const answer = await post(prepared({ merchant_id: 1, currency: 'xxx' }))
  expect(queryOf(answer)).toEqual({ error_name: 'errors.currency.unsupported' })
})
