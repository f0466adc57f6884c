import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Fields, MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { consoleOf, loggedIn, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2, secret: 'rival-secret' }
const KEY = 'a-key-of-our-own'

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL], control: KEY })
const client = await loggedIn(shop.gateway)

/** Pays, and returns the console page of the request. */
async function pageOf(fields: Fields) {
  const { headers, body } = await shop.post('/v1/transactions', payment(fields))
  const { html, status } = await client.get(`/1/requests/${headers.get('x-request-id')}`)
  return { html, status, body, text: textOf(html) }
}

test('the request id in an answer leads to a page with request, answer, changes and ignored parameters', async () => {
  const { text, html, body } = await pageOf({ payment_ref: 'order-1', colour: 'red' })
  expect(text).toContain('POST /v1/transactions')
  expect(text).toContain('payment_ref order-1')
  expect(text).toContain('colour (not kept) ignored: this call has no such parameter')
  expect(text).not.toContain('order-1 ignored')
  expect(text).toContain('card_number 411111******1111')
  expect(text).toContain('card_cvv ***')
  expect(text).toContain('"status": "approved"')
  expect(html).toContain(`<a href="/console/1/transactions/${body.id}">`)
  expect(text).toMatch(/ database \d+\.\d\d ms everything else/)
  expect(text).toContain('authorization ***')
})

test('the page of a request lists the webhooks that it caused, and no others', async () => {
  const hook = { url: 'http://localhost:9/nobody', http_method: 'post', data_format: 'json' }
  const webhook = JSON.stringify(
    ['payment', 'payment_success'].map((trigger) => ({ ...hook, trigger })),
  )
  const paid = await pageOf({ webhook, authorize: true })
  const captured = await shop.put(`/v1/transactions/${paid.body.id}/capture`, { amount: '10.00' })
  const capture = await client.get(`/1/requests/${captured.headers.get('x-request-id')}`)
  const idsOn = (html: string) =>
    [...html.matchAll(/href="\/console\/1\/webhooks\/(\d+)"/g)].map(([, id]) => Number(id))
  const [first, second] = [idsOn(paid.html), idsOn(capture.html)]
  expect([first.length, second.length]).toEqual([2, 1])
  expect(new Set([...first, ...second]).size).toBe(3)
  expect(idsOn((await pageOf({ hash: 'wrong', webhook })).html)).toEqual([])
})

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
  expect(text).toMatch(/Right .* MD5 of 1order-310\.00sektest\*\*\* is [0-9a-f]{32}/)
  expect(text).toContain('The amount was hashed without decimals')
  expect(html).toMatch(/href="\/console\/1\/hash\?hash=[0-9a-f]{32}&(?:amp;)?payment_ref=order-3&/)
  expect(html).toContain('href="/docs/errors/107"')
})

test('a password that was hashed instead of the secret is named, although it is not stored', async () => {
  const hash = createHash('md5').update(`1order-410.00sektest${MERCHANT.password}`).digest('hex')
  expect((await pageOf({ payment_ref: 'order-4', hash })).text).toContain(
    'The wrong secret was hashed: the API password.',
  )
})

test('markup that a client sent is text', async () => {
  const attack = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
  const { html } = await pageOf({
    payment_ref: 'order-5',
    [`n${attack}`]: attack,
    'metadata[a]': attack,
    hash: attack,
  })
  expect(html).not.toContain('<script>alert')
  expect(html).not.toContain('<img src=x')
})

test('a request of another merchant, or with a failed login, is not found', async () => {
  const { headers } = await shop.as(RIVAL).get('/v1/plans')
  const nobody = await shop.get(
    '/v1/plans',
    {},
    { authorization: `Basic ${btoa('1:wrong-password')}` },
  )
  const [theirs, lost] = [headers, nobody.headers].map((each) => each.get('x-request-id'))
  for (const path of [
    `/1/requests/${theirs}`,
    `/1/requests/${lost}`,
    `/2/requests/${theirs}`,
    '/1/requests/x',
  ])
    expect((await client.get(path)).status, path).toBe(404)
  const administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', KEY)
  expect((await administrator.get(`/2/requests/${theirs}`)).status).toBe(200)
  const { html, status } = await administrator.get(`/requests/${lost}`)
  expect(status).toBe(200)
  expect(html).not.toContain('wrong-password')
})

test('each list of requests links to the pages of the requests', async () => {
  const { html } = await client.get('/1/requests')
  const [, path = ''] = /href="\/console(\/1\/requests\/[0-9a-f-]{36})"/.exec(html) ?? []
  expect((await client.get(path)).status).toBe(200)
})
