import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Fields, payment, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const MERCHANT_7 = { id: 7, password: 'custom00', secret: 's3cr3t' }
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const shop = await sharedGateway({ merchants: [MERCHANT_7] })

const send = (over: Fields) => shop.post('/v1/transactions', prepared(over))

test('the hash of a live order that is sent with test=true is accepted as recipe B, and reported as such', async () => {
  const { headers } = await send({ payment_ref: 'flip', hash: md5('7flip10.00seks3cr3t') })
  expect(headers.get('mondido-explain')).toContain('"B"')
})

describe('a missing hash', () => {
  test('is rejected with error 106 if it is empty', async () => {
    expect((await send({ hash: '' })).body.code).toBe(106)
  })

  for (const [spelling, name] of [
    ['a list', 'hash[]'],
    ['an object', 'hash[a]'],
  ] as const)
    test(`is not replaced by ${spelling}`, async () => {
      const fields = { ...prepared({ payment_ref: 'T' }), [name]: md5('7T10.00sektests3cr3t') }
      expect((await shop.post('/v1/transactions', { ...fields, hash: undefined })).body.code).toBe(
        253,
      )
    })
})

describe('response_hash', () => {
  test('follows the status', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      payment({ payment_ref: 'P2', authorize: true, amount: '8.00' }),
    )
    expect(body.response_hash).toBe(md5('7P28.00sekauthorizeds3cr3t'))
    const captured = await shop.put(`/v1/transactions/${body.id}/capture`, { amount: '5.00' })
    expect(captured.body.response_hash).toBe(md5('7P25.00sekapproveds3cr3t'))
  })
})
