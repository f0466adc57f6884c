import { describe, expect, test } from 'vitest'
import { CARD, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

describe('an amount in an invalid format', () => {
  for (const amount of ['10', ' 10.00', '１.００', '10.00; drop table transactions'])
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
