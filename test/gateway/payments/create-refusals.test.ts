import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { entryByCode } from '../../../mock-gateway/domain/errors/errors.ts'
import { type Fields, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway({
  merchants: [
    MERCHANT,
    { id: 2, password: 'only visa', secret: 's2', settings: { card_types: ['visa'] } },
  ],
})

/** Parameters with a mistake, and the error code of the rejection. */
type Case = readonly [what: string, over: Fields, code: number]

function refuses(make: (over: Fields) => Fields, cases: readonly Case[]) {
  for (const [what, over, code] of cases)
    test(`${what}: error ${code}`, async () => {
      const { status, headers, body } = await shop.post('/v1/transactions', make(over))
      expect({ status, code: body.code }).toEqual({ status: entryByCode(code)?.http, code })
      expect(headers.get('mondido-explain')).toMatch(/^\S.{10,}/)
    })
}

describe('a new transaction is rejected for', () =>
  refuses(prepared, [
    ['no amount', { amount: undefined }, 108],
    ['an empty amount', { amount: '' }, 108],
    ['a negative amount', { amount: '-10.00' }, 108],
    ['no payment_ref', { payment_ref: undefined }, 145],
    ['a payment_ref of 65 characters', { payment_ref: 'x'.repeat(65) }, 145],
    ['a payment_ref with a line break', { payment_ref: 'a\nb' }, 145],
    ['a currency of four letters', { currency: 'EURO' }, 115],
    ['an invalid currency', { currency: '5€' }, 115],
    ['no currency', { currency: undefined }, 116],
    ['a currency the service does not have', { currency: 'XAF' }, 117],
    ['a customer_ref of 256 characters', { customer_ref: 'x'.repeat(256) }, 165],
    ['no success_url', { success_url: undefined }, 110],
    ['a relative success_url', { success_url: '/thanks' }, 1100],
    [
      'a success_url with a line break',
      { success_url: 'https://shop.example/\r\nSet-Cookie: a=b' },
      1100,
    ],
    ['a script as success_url', { success_url: 'javascript:alert(1)' }, 1102],
    ['a success_url with a user name', { success_url: 'https://shop.example@evil.example/' }, 1102],
    ['our own page as success_url', { success_url: 'http://localhost:4400/v1/form/abc' }, 111],
    ['no error_url', { error_url: undefined }, 112],
    ['an invalid error_url', { error_url: 'sorry' }, 1101],
    ['data as error_url', { error_url: 'data:text/html,x' }, 1103],
    ['our own API as error_url', { error_url: 'http://localhost:4400/v1/transactions' }, 113],
    ['metadata that is a word', { metadata: 'hello' }, 149],
    ['metadata that is a number', { metadata: '5' }, 2091],
    ['metadata that is a list', { metadata: '[1]' }, 2091],
    ['metadata that is broken JSON', { metadata: '{"a":' }, 149],
    ['items that are not a list', { items: '{"artno":"1"}' }, 254],
    ['items with an amount in words', { items: '[{"artno":"1","amount":"ten"}]' }, 259],
    ['items with a long description', { items: `[{"description":"${'x'.repeat(151)}"}]` }, 258],
    ['payment_details that are a list', { payment_details: '[1]' }, 1601],
    ['payment_details with a novel', { 'payment_details[city]': 'x'.repeat(256) }, 1601],
    ['a webhook without a trigger', { webhook: '{"url":"https://shop.example/hook"}' }, 151],
    ['a webhook without an address', { webhook: '{"trigger":"payment"}' }, 151],
    ['a webhook to a file', { webhook: '{"trigger":"payment","url":"file:///etc/passwd"}' }, 151],
    [
      'a webhook with an unknown method',
      { webhook: '{"trigger":"payment","url":"https://a.b/","http_method":"put"}' },
      151,
    ],
    [
      'a webhook with an unknown format',
      { webhook: '{"trigger":"payment","url":"https://a.b/","data_format":"yaml"}' },
      151,
    ],
    [
      'a webhook to two recipients',
      { webhook: '{"trigger":"payment","email":"a@b.example,c@d.example"}' },
      151,
    ],
    ['a webhook that is broken JSON', { webhook: '{"trigger"' }, 149],
    ['a misspelt test', { test: 'yes' }, 253],
    ['two values for test', { 'test[]': 'false' }, 253],
    ['an amount as an object', { amount: undefined, 'amount[$gt]': '0' }, 253],
  ]))

describe('a card payment is rejected for', () =>
  refuses(payment, [
    ['no card_number', { card_number: undefined }, 118],
    ['a mistyped card_number', { card_number: '4111111111111112' }, 119],
    ['a card_number in words', { card_number: 'four' }, 119],
    ['no card_holder', { card_holder: undefined }, 122],
    ['a card number as card_holder', { card_holder: '4111 1111 1111 1111' }, 123],
    ['no card_cvv', { card_cvv: undefined }, 124],
    ['a card_cvv of two digits', { card_cvv: '20' }, 125],
    ['a card_cvv in letters', { card_cvv: 'abc' }, 125],
    ['no card_expiry', { card_expiry: undefined }, 126],
    ['month 13', { card_expiry: '1330' }, 127],
    ['month 00', { card_expiry: '0030' }, 127],
    ['a year of four digits', { card_expiry: '12/2030' }, 127],
    ['a card that expired last month', { card_expiry: '0226' }, 130],
    ['an unknown card_type', { card_type: 'gold' }, 121],
    ['a real card number with test=true', { card_number: '4539148803436467' }, 119],
    ['a test card number with test=false', { test: false }, 119],
    ['a test card number without test', { test: undefined }, 119],
  ]))

test('a card is valid until the end of its month', async () => {
  expect((await shop.post('/v1/transactions', payment({ card_expiry: '0326' }))).body.status).toBe(
    'approved',
  )
})

test('a brand without a contract of the merchant is rejected with error 121', async () => {
  const only = shop.as({ id: 2, password: 'only visa', secret: 's2' })
  expect(
    (await only.post('/v1/transactions', payment({ card_number: '378282246310005' }))).body.code,
  ).toBe(121)
  expect((await only.post('/v1/transactions', payment())).status).toBe(200)
})

describe('a payment_ref', () => {
  const ofOrder = async (payment_ref: Fields[string]) =>
    (await shop.get<Transaction[]>('/v1/transactions', { 'filter[payment_ref]': payment_ref })).body

  for (const authorize of [false, true])
    test(`a payment_ref that is ${authorize ? 'authorized' : 'approved'} is rejected with error 146 before the bank is asked`, async () => {
      const { payment_ref } = (await shop.post('/v1/transactions', payment({ authorize }))).body
      const paid = await ofOrder(payment_ref)
      for (const next of [
        payment({ payment_ref }),
        payment({ payment_ref, card_cvv: '201' }),
        payment({ payment_ref, card_number: '1' }),
        prepared({ payment_ref }),
        prepared({ payment_ref, payment_method: 'bank', process: true }),
      ]) {
        const { body, headers } = await shop.post('/v1/transactions', next)
        expect(body.code).toBe(146)
        expect(headers.get('mondido-explain')).toMatch(/is authorized, approved or being processed/)
      }
      expect(await ofOrder(payment_ref)).toEqual(paid)
    })

  test('a payment_ref of unpaid transactions can be used again, until one of them is paid', async () => {
    const fields = payment()
    const { payment_ref } = fields
    for (const unpaid of [
      prepared({ payment_ref }),
      { ...fields, card_cvv: '201' },
      prepared({ payment_ref, payment_method: 'swish', swish_number: '0701234567', process: true }),
      prepared({ payment_ref }),
      fields,
    ])
      await shop.post('/v1/transactions', unpaid)
    const statuses = (await ofOrder(payment_ref)).map(({ status }) => status)
    expect(statuses).toEqual(['approved', 'pending', 'pending', 'declined', 'pending'])
  })
})

test('a payment that is rejected before the bank is asked leaves no data', async () => {
  const payment_ref = 'leaves-nothing'
  await shop.post(
    '/v1/transactions',
    payment({ payment_ref, customer_ref: 'nobody', card_number: '1' }),
  )
  const { headers, body } = await shop.get('/v1/transactions', {
    'filter[payment_ref]': payment_ref,
  })
  expect(body).toEqual([])
  expect(headers.get('content-range')).toBe('items 0-0/0')
})

test('no explanation contains the card', async () => {
  for (const [name, value] of [
    ['card_number', '4111111111111112'],
    ['card_number', '4539148803436467'],
    ['card_cvv', '98765'],
    ['card_holder', '4111 1111 1111 1111'],
    ['card_type', '4111111111111111'],
    ['card_expiry', '4111111111111111'],
  ] as const) {
    const { status, headers, body } = await shop.post(
      '/v1/transactions',
      payment({ [name]: value }),
    )
    expect(status).toBe(400)
    expect(`${headers.get('mondido-explain')} ${JSON.stringify(body)}`).not.toContain(value)
  }
})
