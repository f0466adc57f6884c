import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashed, MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { consoleOf, loggedIn, textOf } from './client.ts'

const KEY = 'a-key-of-our-own'
const STRICT = { ...MERCHANT, id: 2, secret: 'another-secret', settings: { strict_hash: true } }
const ORDER = {
  payment_ref: 'order-7',
  customer_ref: 'anna',
  amount: '10.00',
  currency: 'SEK',
  test: true,
}

const shop = await sharedGateway({ merchants: [MERCHANT, STRICT], control: KEY })
const client = await loggedIn(shop.gateway)

const addressOf = (fields: object, id = 1) =>
  `/${id}/hash?${new URLSearchParams(fields as Record<string, string>)}`

test("the page predicts the API's answer to a hash", async () => {
  const right = textOf((await client.get(addressOf(hashed(ORDER, MERCHANT)))).html)
  expect(right).toContain('The hash matches the canonical recipe.')
  const { html } = await client.get(addressOf({ ...ORDER, hash: '0'.repeat(32) }))
  const refused = await shop.post('/v1/transactions', payment({ ...ORDER, hash: '0'.repeat(32) }))
  const [why, link] = refused.headers.get('mondido-explain')?.split(' Check the hash: ') ?? []
  expect(textOf(html)).toContain(`107: ${why}`)
  expect(why).toContain('If you hashed this text, the secret is wrong')
  expect(link).toMatch(
    /^http:\/\/localhost:4400\/console\/1\/hash\?hash=0{32}&payment_ref=order-7&/,
  )
  const filledIn = await client.get(
    new URL(link ?? '').pathname.replace('/console', '') + new URL(link ?? '').search,
  )
  expect(textOf(filledIn.html)).toContain(`107: ${why}`)
})

test('the page uses another merchant’s secret for the administrator only, and never shows it', async () => {
  const hash = createHash('md5').update(`1order-7anna10.00sektest${STRICT.secret}`).digest('hex')
  expect(textOf((await client.get(addressOf({ ...ORDER, hash }))).html)).toContain(
    'No common mistake',
  )
  const administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', KEY)
  const { html } = await administrator.get(addressOf({ ...ORDER, hash }))
  expect(textOf(html)).toContain('The wrong secret was hashed: the secret of merchant 2.')
  expect(html).not.toContain(STRICT.secret)
})
