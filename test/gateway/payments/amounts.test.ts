import { describe, expect, test } from 'vitest'
import { CARD, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

/** Currencies in the order of the specification (Currencies). */
const CURRENCIES =
  'SEK CAD CNY COP CZK DKK HKD HUF ISK INR ILS JPY KES KRW KWD LVL MYR MXN MAD OMR NZD NOK PAB QAR RUB SAR SGD ZAR CHF ' +
  'THB TTD AED GBP USD TWD VEF RON TRY EUR UAH PLN BRL'

for (const currency of CURRENCIES.split(' '))
  test(`${currency} is paid in either case and answered in lower case`, async () => {
    for (const sent of [currency, currency.toLowerCase()]) {
      const { body } = await shop.post(
        '/v1/transactions',
        payment({ currency: sent, amount: '100.00' }),
      )
      expect(body).toMatchObject({
        status: 'approved',
        currency: currency.toLowerCase(),
        amount: '100.00',
      })
    }
  })

const BADLY_WRITTEN = [
  ...[
    '10',
    '10.5',
    '10.500',
    '1e3',
    '0x10',
    '+1.00',
    '1,00',
    '.50',
    '010.00',
    '1 000.00',
    ' 10.00',
    '10.00 ',
  ],
  ...['１.００', '١٠.٠٠', 'NaN', 'Infinity', 'ten', '10.00.00', '10.00; drop table transactions'],
]

describe('an amount in an invalid format', () => {
  for (const amount of BADLY_WRITTEN)
    test(`"${amount}" stays as sent in a prepared transaction, and is rejected with error 1090 when paying`, async () => {
      const { status, body } = await shop.post('/v1/transactions', prepared({ amount }))
      expect({ status, amount: body.amount, asked: body.org_auth_amount }).toEqual({
        status: 200,
        amount,
        asked: 0,
      })
      expect((await shop.put(`/v1/transactions/${body.id}`, CARD)).body.code).toBe(1090)
      expect((await shop.get(`/v1/transactions/${body.id}`)).body.status).toBe('pending')
      expect((await shop.post('/v1/transactions', payment({ amount }))).body.code).toBe(1090)
    })
})

describe('an amount is rejected when paying', () => {
  for (const [what, amount, currency, code] of [
    ['zero', '0.00', 'sek', 109],
    ['too large for exact arithmetic', '90071992547409.92', 'sek', 109],
    ['beyond all numbers', '99999999999999999999.99', 'sek', 109],
    ['negative', '-0.01', 'sek', 108],
    ['zero with a minus sign', '-0.00', 'sek', 108],
    ['yen with decimals', '10.50', 'JPY', 109],
    ['won with decimals', '10.01', 'krw', 109],
    ['dinar with three decimals', '1.234', 'kwd', 1090],
  ] as const)
    test(`${what}: error ${code}`, async () => {
      expect((await shop.post('/v1/transactions', payment({ amount, currency }))).body.code).toBe(
        code,
      )
    })
})

describe('a payment charges the exact amount:', () => {
  for (const [amount, currency] of [
    ['0.01', 'sek'],
    ['90071992547409.91', 'sek'],
    ['10.00', 'JPY'],
    ['1.23', 'kwd'],
  ] as const)
    test(`${amount} ${currency}`, async () => {
      const { body } = await shop.post('/v1/transactions', payment({ amount, currency }))
      expect(body).toMatchObject({ status: 'approved', amount, org_auth_amount: Number(amount) })
    })
})

test('a transaction in yen with decimals can be prepared', async () => {
  const { body } = await shop.post(
    '/v1/transactions',
    prepared({ amount: '10.50', currency: 'JPY' }),
  )
  expect(body).toMatchObject({ status: 'pending', amount: '10.50', currency: 'jpy' })
})
