import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Fields, MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

const shop = await sharedGateway()
const client = await loggedIn(shop.gateway)

/** Pays, and returns the console page of the request. */
async function pageOf(fields: Fields) {
  const { headers, body } = await shop.post('/v1/transactions', payment(fields))
  const { html, status } = await client.get(`/1/requests/${headers.get('x-request-id')}`)
  return { html, status, body, text: textOf(html) }
}

test('a request can be copied as curl and in five languages, without card and password', async () => {
  const { text, html } = await pageOf({ payment_ref: 'order-2', 'metadata[a]': `it's` })
  expect(text).toContain('curl -X POST')
  expect(text).toContain('-u 1:PASSWORD')
  expect(text).toContain('card_number=CARD_NUMBER')
  for (const part of [
    'CURLOPT_POSTFIELDS',
    'await fetch(',
    'Net::HTTP',
    'urllib.request',
    'new HttpClient()',
  ])
    expect(text).toContain(part)
  for (const never of [MERCHANT.password, MERCHANT.secret]) expect(html).not.toContain(never)
})

test('a wrong hash is explained with its mistake, and the hash tool has the fields', async () => {
  const hash = createHash('md5').update(`1order-310sek${MERCHANT.secret}`).digest('hex')
  const { text, html } = await pageOf({ payment_ref: 'order-3', hash })
  expect(text).toContain('errors.hash.invalid')
  expect(text).toMatch(/MD5 .* of 1order-310\.00sektest\*\*\* right [0-9a-f]{32} sent [0-9a-f]{32}/)
  expect(text).toContain('The amount was hashed without decimals')
  expect(html).toMatch(/href="\/console\/1\/hash\?hash=[0-9a-f]{32}&(?:amp;)?payment_ref=order-3&/)
  expect(text.match(/Check the hash/g)).toHaveLength(1)
  expect(html).toContain('href="/docs/errors/107"')
})

test('a password that was hashed instead of the secret is named, although it is not stored', async () => {
  const hash = createHash('md5').update(`1order-410.00sektest${MERCHANT.password}`).digest('hex')
  expect((await pageOf({ payment_ref: 'order-4', hash })).text).toContain(
    'The wrong secret was hashed: the API password.',
  )
})
