import { beforeAll, expect, test } from 'vitest'
import { CARD, encode, type Fields, MERCHANT, payment, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { consoleOf, loggedIn, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL], control: KEY })
const client = await loggedIn(shop.gateway)
beforeAll(async () => {
  await shop.post('/v1/transactions', payment())
  await shop.post('/v1/transactions', payment({ hash: 'x'.repeat(32) }))
  await shop.as(RIVAL).get('/v1/refunds/77')
  await shop.get('/v1/plans', {}, { authorization: `Basic ${btoa('1:wrong')}` })
})

test("a merchant's request is shown with its answer, and the reason for a rejection", async () => {
  const text = textOf((await client.get('/1/requests')).html)
  expect(text).toMatch(
    /POST \/v1\/transactions 400 hash must be the MD5 of [^<]* 107 errors\.hash\.invalid/,
  )
  expect(text).toContain('POST /v1/transactions 200')
  expect(text).not.toContain('/v1/refunds')
  expect(text).not.toContain(MERCHANT.secret)
})

test('the filter shows only rejected requests', async () => {
  const text = textOf((await client.get('/1/requests?refused=true')).html)
  expect(text).toContain('errors.hash.invalid')
  expect(text).not.toContain('POST /v1/transactions 200')
  expect(textOf((await client.get('/1')).html)).toContain('(107)')
})

test('a form that is rejected with a redirect is listed as rejected, with its reason', async () => {
  const URLS = {
    success_url: 'https://shop.example/thanks',
    error_url: 'https://shop.example/sorry',
  }
  const form = (over: Fields) =>
    shop.browser.post<string>('/v1/form', payment({ merchant_id: 1, ...URLS, ...over }))
  const answers = [await form({ card_expiry: '1330' }), await form({ card_cvv: '201' })]
  const { body } = await shop.post('/v1/transactions', prepared())
  answers.push(
    await shop.browser.send<string>(
      'POST',
      new URL(body.href).pathname,
      encode({ ...CARD, card_cvv: '201' }),
    ),
  )
  for (const { status, headers } of answers) {
    expect(status).toBe(303)
    expect(headers.get('mondido-explain')).toBeTruthy()
  }
  const { html } = await client.get('/1/requests?refused=true')
  const text = textOf(html)
  expect(text).toMatch(
    /POST \/v1\/form 303 The card expiry must be MMYY [^<]* 127 errors\.card_expiry\.invalid/,
  )
  expect(text).toMatch(
    /POST \/v1\/form 303 In test mode this CVV means a declined payment[^<]* 129 errors\.payment\.declined/,
  )
  expect(text).toMatch(
    /POST \/v1\/form\/:token 303 In test mode this CVV means a declined payment[^<]* 129 errors\.payment\.declined/,
  )
})

test('an id that belongs to no payment is not listed as an order', async () => {
  await shop.get('/v1/transactions/99999')
  const { html } = await client.get('/1/requests')
  expect(html).toContain('GET /v1/transactions/99999')
  expect(html).not.toContain('/console/1/transactions/99999')
})

test('the order of another merchant is not shown to a merchant that asks for its id', async () => {
  const { body } = await shop.post('/v1/transactions', payment({ payment_ref: 'not-for-rivals' }))
  await shop.as(RIVAL).get(`/v1/transactions/${body.id}`)
  const rival = await loggedIn(shop.gateway, 2, RIVAL.password)
  for (const path of ['/2/requests', '/2/errors', '/2'])
    expect((await rival.get(path)).html).not.toContain('not-for-rivals')
  const administrator = await loggedIn(shop.gateway, 'admin', KEY)
  for (const path of ['/requests', '/2/requests'])
    for (const row of (await administrator.get(path)).html.split('<tr>'))
      expect(row.includes('404') && row.includes('not-for-rivals')).toBe(false)
})

test('a request leads to its order, and requests of payers are listed on request', async () => {
  const { body } = await shop.post('/v1/transactions', prepared({ payment_ref: 'seen' }))
  const page = new URL(body.href).pathname
  await shop.browser.get(page)
  await shop.browser.send('POST', page, encode({ ...CARD, card_cvv: '201' }))
  await shop.browser.send('POST', page, encode(CARD))
  const { html } = await client.get('/1/requests')
  expect(html).toContain(`<a href="/console/1/transactions/${body.id}">seen</a>`)
  expect(textOf(html)).not.toMatch(/GET \/v1\/form\/:token|POST \/v1\/form\/:token 303 \d/)
  expect(textOf(html)).toMatch(
    /POST \/v1\/form\/:token 303 In test mode .*129 errors\.payment\.declined/,
  )
  const all = (await client.get('/1/requests?views=true')).html
  expect(textOf(all)).toContain('GET /v1/form/:token 200')
  expect(textOf(all)).toMatch(/POST \/v1\/form\/:token 303 \d/)
  // The filters can be combined.
  expect(all.replaceAll(/&(?:#38|amp);/g, '&')).toContain('?refused=true&views=true"')
})

test('page views of people are not listed as requests', async () => {
  for (const path of [
    '/',
    '/?a=b',
    '/console',
    '/CONSOLE/1',
    '/docs',
    '/openapi.json',
    '/health',
    '/assets/none.css',
  ])
    await shop.gateway.handle(new Request(`http://localhost:4400${path}`))
  await shop.get('/v1/nothing')
  const administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', KEY)
  const text = textOf((await administrator.get('/requests')).html)
  expect(text.match(/GET \/v1\/nothing/g)).toHaveLength(1)
  expect(text).not.toMatch(/GET \/(?:console|docs|health|assets)/i)
})

test('the administrator sees the requests of all merchants, and those with a failed login', async () => {
  const administrator = consoleOf(shop.gateway)
  await administrator.logIn('admin', KEY)
  const text = textOf((await administrator.get('/requests')).html)
  expect(text).toContain(
    'GET /v1/refunds/77 404 The merchant has no refund with this id. 196 errors.not_found',
  )
  expect(text).toMatch(/401 Login failed\. [^<]* 182 errors\.authentication\.failed/)
  for (const path of ['/requests', '/1/requests'])
    expect((await administrator.get(path)).html.match(/aria-current="page">/g)).toHaveLength(2)
  expect((await client.get('/requests')).status).toBe(404)
})

test('older requests are on further pages, with the same filter', async () => {
  for (let count = 0; count < 30; count += 1) await shop.get('/v1/refunds/1')
  const first = (await client.get('/1/requests?refused=true')).html
  const [, older = ''] =
    /href="\/console(\/1\/requests\?refused=true&(?:#38;|amp;)?offset=25)"/.exec(first) ?? []
  const second = textOf((await client.get(older.replace(/&(?:#38;|amp;)/, '&'))).html)
  expect(second).toContain('GET /v1/refunds/1 404')
  expect(second).toContain('107 errors.hash.invalid')
  expect(second).not.toContain('POST /v1/transactions 200')
})
