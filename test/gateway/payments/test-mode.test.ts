import { expect, test } from 'vitest'
import { payment, startGateway } from '../../helpers/gateway.ts'

test('a payment with test=false is rejected by default if ownSecretsOnly is set, because others can reach the gateway', async () => {
  const merchant = { id: 1, password: 'a password', secret: 'a secret' }
  const reachable = await startGateway({ ownSecretsOnly: true, merchants: [merchant] })
  const live = payment({ test: false, card_number: '4539148803436467' })
  expect((await reachable.as(merchant).post('/v1/transactions', live)).body.code).toBe(243)
  await reachable.close()
})
