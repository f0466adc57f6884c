import { expect, test } from 'vitest'
import { type Fields, hashed, MERCHANT, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { encrypt } from '../conformance/encrypt.ts'
import { API, outcome } from './outcomes.ts'

const shop = await sharedGateway()

/** Returns a payment with many encrypted parameters, most of them unknown. */
function hiding(count: number): Fields {
  const idle = Array.from({ length: count - 2 }, (_, index): [string, string] => [
    `idle_${index}`,
    'x',
  ])
  const clear = new Map([['card_number', '4111111111111111'], ['card_cvv', '200'], ...idle])
  const hidden = [...clear].map(([name, value]) => [name, encrypt(value)])
  const names = [...clear.keys()].join()
  return {
    merchant_id: 1,
    ...hashed(payment(), MERCHANT),
    ...Object.fromEntries(hidden),
    encrypted: names,
  }
}

test('a request without a login can have eight encrypted values, because each costs an RSA operation', async () => {
  expect(outcome(await shop.browser.post(API, hiding(8)))).toBe(200)
  const refused = await shop.browser.post(API, hiding(9))
  expect(outcome(refused)).toBe(253)
  expect(refused.headers.get('mondido-explain')).toContain('at most 8 parameters')
})

test('a request with a login can have forty encrypted values', async () => {
  expect(outcome(await shop.post(API, hiding(40)))).toBe(200)
  expect(outcome(await shop.post(API, hiding(41)))).toBe(253)
})
