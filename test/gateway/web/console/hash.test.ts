import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type HashVariant,
  hashesOf,
  matchRequestHash,
} from '../../../../mock-gateway/domain/order/hash.ts'
import { DEFAULT_MERCHANT } from '../../../../mock-gateway/merchants/seed.ts'
import { hashed, MERCHANT, payment, startGateway } from '../../../helpers/gateway.ts'
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

test('the page shows the text to hash of an order by each recipe, and the hash', async () => {
  const text = textOf((await client.get(addressOf(ORDER))).html)
  expect(text).toContain(
    `canonical 1order-7anna10.00sektest*** ${hashed(ORDER, MERCHANT).hash} always`,
  )
  expect(text).toContain('currency_as_sent 1order-7anna10.00SEKtest***')
  expect(text).toMatch(
    / A 1order-710\.00\*\*\* [0-9a-f]{32} currency, test with a login, or without customer_ref/,
  )
  expect(text).not.toContain(MERCHANT.secret)
})

test('the API accepts every hash on the page', () => {
  const request = {
    merchantId: '1',
    paymentRef: 'order-7',
    customerRef: 'anna',
    amount: '10.00',
    currency: 'SEK',
  }
  for (const { variant, hash } of hashesOf({ ...request, test: true }, MERCHANT.secret)) {
    const asked: readonly HashVariant[] = [variant]
    expect(matchRequestHash({ ...request, test: true }, hash, MERCHANT.secret, asked)).toEqual({
      ok: true,
      variant,
    })
  }
})

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

test('the page begins with the fields of the last request with error 107', async () => {
  const own = await startGateway()
  const visitor = await loggedIn(own.gateway)
  expect((await visitor.get('/1/hash')).html).not.toContain('error 107')
  await own.post('/v1/transactions', payment({ ...ORDER, hash: '0'.repeat(32) }))
  const { html } = await visitor.get('/1/hash')
  expect(html).toContain('name="payment_ref" value="order-7"')
  expect(textOf(html)).toContain('The fields come from the last request with error 107')
  expect(textOf(html)).toContain('No common mistake')
  expect((await visitor.get('/1/hash?payment_ref=')).html).toContain('name="payment_ref" value=""')
  expect((await visitor.get('/1/hash?amount=3.00')).html).toContain('name="payment_ref" value=""')
  await own.post(
    '/v1/transactions',
    payment({ ...ORDER, transaction_id: 99999, hash: '0'.repeat(32) }),
  )
  expect((await visitor.get('/1/hash')).status).toBe(200)
  await own.close()
})

test('the page names the mistake in a hash', async () => {
  const told = async (text: string, who = client, id = 1) => {
    const hash = createHash('md5').update(text).digest('hex')
    return textOf((await who.get(addressOf({ ...ORDER, hash }, id))).html)
  }
  expect(await told(`1order-7anna10sek${MERCHANT.secret}`)).toMatch(
    /Mistakes in the hash: The amount was hashed without decimals\. [^<]* The word test was left out/,
  )
  expect(await told('something else')).toContain(
    'No common mistake explains your hash. If you hashed this text, the secret is wrong.',
  )
})

test('the page recognises the public default password', async () => {
  const known = await startGateway({
    merchants: [{ ...MERCHANT, secret: DEFAULT_MERCHANT.secret }],
  })
  const visitor = consoleOf(known.gateway)
  await visitor.logIn(1, MERCHANT.password)
  const hash = createHash('md5')
    .update(`1order-7anna10.00sektest${MERCHANT.password}`)
    .digest('hex')
  expect(textOf((await visitor.get(addressOf({ ...ORDER, hash }))).html)).toContain(
    'was hashed: the API password',
  )
  await known.close()
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

test('the page marks the recipes that a strict account never accepts', async () => {
  const strict = consoleOf(shop.gateway)
  await strict.logIn(2, STRICT.password)
  const text = textOf((await strict.get(addressOf(ORDER, 2))).html)
  expect(text).toMatch(
    / B 2order-710\.00sek\*\*\* [0-9a-f]{32} test never: the setting strict_hash is on/,
  )
  expect(text).toMatch(/ C 2order-710\.00annasektest\*\*\* [0-9a-f]{32} always/)
})

test('the page shows the response_hash of a merchant’s own transaction, and the hashed text', async () => {
  const { body } = await shop.post(
    '/v1/transactions',
    payment({ payment_ref: 'order-8', customer_ref: 'kim' }),
  )
  const text = textOf((await client.get(addressOf({ transaction_id: body.id }))).html)
  expect(text).toContain('1order-8kim10.00sekapproved***')
  expect(text).toContain(`response_hash ${body.response_hash}`)
  const rival = consoleOf(shop.gateway)
  await rival.logIn(2, STRICT.password)
  expect((await rival.get(addressOf({ transaction_id: body.id }, 2))).status).toBe(404)
})

test('the page rejects a list instead of one value', async () => {
  expect((await client.get('/1/hash?payment_ref[]=1')).status).toBe(400)
  expect((await client.get('/1/hash?transaction_id[a]=1')).status).toBe(400)
})
