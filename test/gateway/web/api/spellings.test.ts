import { describe, expect, test } from 'vitest'
import { hashed, MERCHANT, payment, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

/** Returns a prepared transaction with its hash. */
const order = (over: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  ...hashed(prepared(), shop.merchant),
  ...over,
})

const send = (type: string, body: string) =>
  shop.send('POST', '/v1/transactions', body, { 'content-type': type })

describe('a JSON body', () => {
  test('can have the amount as a number, whose decimals count', async () => {
    const text = JSON.stringify(order()).replace('"amount":"10.00"', '"amount":10.00')
    expect((await send('application/json', text)).body.amount).toBe('10.00')
  })

  for (const amount of ['10', '10.0'])
    test(`can have an amount as the number ${amount}, with a hash over 10.00`, async () => {
      const sent = JSON.stringify(order()).replace('"amount":"10.00"', `"amount":${amount}`)
      const { headers, body } = await send('application/json', sent)
      expect(body).toMatchObject({ status: 'pending', amount })
      expect(headers.get('mondido-explain')).toContain('Send amounts as text with two decimals')
    })

  test('cannot have an amount whose hash is over another amount', async () => {
    for (const amount of ['10.5', '10.005', '1e1', '-10.00']) {
      const sent = JSON.stringify(order()).replace('"amount":"10.00"', `"amount":${amount}`)
      expect((await send('application/json', sent)).body.code).toBe(107)
    }
  })

  test('a JSON body with a number as amount gets the note that amounts are text', async () => {
    const paid = JSON.stringify(hashed(payment(), MERCHANT)).replace(
      '"amount":"10.00"',
      '"amount":10',
    )
    const { headers, body } = await send('application/json', paid)
    expect(body.code).toBe(1090)
    expect(headers.get('mondido-explain')).toContain('In JSON, send it as a string')
  })
})
