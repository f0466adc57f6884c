import { beforeAll, expect, test } from 'vitest'
import {
  CARD,
  encode,
  type Fields,
  MERCHANT,
  payment,
  prepared,
  URLS,
} from '../../../helpers/gateway.ts'
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

test('a form that is rejected with a redirect is listed as rejected, with its reason', async () => {
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
