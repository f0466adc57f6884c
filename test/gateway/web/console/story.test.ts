import { expect, test } from 'vitest'
import {
  CARD,
  encode,
  MERCHANT,
  payment,
  prepared,
  startGateway,
} from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2, secret: 'rival-secret' }
const ATTACK = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'

const HOOK = { trigger: 'payment', http_method: 'post', data_format: 'json' }

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL] })
const client = await loggedIn(shop.gateway)
const rival = await loggedIn(shop.gateway, 2)

const storyOf = async (id: number) => (await client.get(`/1/transactions/${id}`)).html

test('a payment that was declined, paid, captured and refunded is one timeline', async () => {
  const { body } = await shop.post(
    '/v1/transactions',
    prepared({ payment_ref: 'story-1', authorize: true }),
  )
  const page = new URL(body.href).pathname
  await shop.browser.get(page)
  await shop.browser.send('POST', page, encode({ ...CARD, card_cvv: '201' }))
  await controlOf(shop.gateway).post('/clock/advance', { seconds: 60 })
  await client.get('/1/controls')
  await client.post('/1/controls/clock.freeze')
  await shop.put(`/v1/transactions/${body.id}`, CARD)
  await shop.put(`/v1/transactions/${body.id}/capture`, { amount: '7.00' })
  await shop.post('/v1/refunds', { transaction_id: body.id, amount: '2.00', reason: 'too much' })
  const text = textOf(await storyOf(body.id))
  const told = [
    'Shop to Gateway: POST /v1/transactions 200',
    'The payment was created',
    'Payer to Gateway: Opens the payment page 200',
    'The payer opened a page: GET /v1/form/:token',
    'Gateway to Bank: Requests the payment declined by the bank, error 129',
    'Declined by the bank',
    'Error 129, errors.payment.declined: Payment declined',
    'In test mode this CVV means a declined payment',
    'The clock was changed: advance',
    'to 2026-03-14T12:01:00Z clock of all merchants',
    'The clock was changed: freeze',
    'of this merchant',
    'Authorized by the bank',
    'Captures 7.00 SEK',
    'The amount was captured',
    'Refunds 2.00 SEK',
    'The payment was refunded',
    'too much',
  ]
  let from = 0
  for (const part of told) {
    const found = text.indexOf(part, from)
    expect(found, `${part} after ${text.slice(from, from + 200)}`).toBeGreaterThanOrEqual(0)
    from = found
  }
  expect(text).toContain('Refund up to 5.00 SEK: POST /v1/refunds')
})

test('a story as a file has no external parts, secrets, card data or keys of its page', async () => {
  const { body } = await shop.post(
    '/v1/transactions',
    payment({
      payment_ref: 'story-2',
      metadata: JSON.stringify({ a: `${ATTACK} ${MERCHANT.secret} 4111111111111111` }),
      webhook: JSON.stringify({
        ...HOOK,
        url: 'https://shop.example/hook?see=https://name:hunter2@x.example',
      }),
    }),
  )
  const { html: file, headers } = await client.get(`/1/transactions/${body.id}/story.html`)
  expect(body).toMatchObject({ status: 'approved' })
  expect(headers.get('content-disposition')).toContain(`transaction-${body.id}.html`)
  const { body: fromControl } = await controlOf(shop.gateway).get<string>(`/stories/${body.id}`)
  const token = new URL(body.href).pathname.split('/').at(-1) ?? ''
  const { body: data } = await controlOf(shop.gateway).get<object>(`/stories/${body.id}.json`)
  for (const html of [file, fromControl, JSON.stringify(data)]) {
    expect(html).toContain('story-2')
    for (const never of [MERCHANT.secret, MERCHANT.password, '4111111111111111', 'hunter2', token])
      expect(html.includes(never), never).toBe(false)
  }
  for (const html of [file, fromControl, await storyOf(body.id)])
    for (const never of ['<img src=x', '<script>alert'])
      expect(html.includes(never), never).toBe(false)
  expect(file).not.toMatch(/(?:src|href)="(?!#)/)
  expect(file).toContain("default-src 'none'")
})

test('a story of a released reservation names the release before the next steps', async () => {
  const { body } = await shop.post('/v1/transactions', payment({ authorize: true }))
  await shop.post('/v1/refunds', { transaction_id: body.id, amount: body.amount, reason: 'late' })
  expect(textOf(await storyOf(body.id))).toContain('The reservation is released.')
})

test('a story of another merchant is not found, as page or file', async () => {
  const { body } = await shop.post('/v1/transactions', payment())
  for (const path of [`/2/transactions/${body.id}`, `/2/transactions/${body.id}/story.html`])
    expect((await rival.get(path)).status, path).toBe(404)
  expect((await controlOf(shop.gateway).get('/stories/999')).status).toBe(404)
})

test('the stories of a run are of the payments that changed in it, for all merchants', async () => {
  const reports: string[] = []
  const run = await startGateway({
    merchants: [MERCHANT, RIVAL],
    madeUpRows: true,
    report: async (html) => void reports.push(html),
  })
  const hook = JSON.stringify({ ...HOOK, url: 'http://localhost:9/?<img>' })
  await run.post('/v1/transactions', payment({ payment_ref: 'forgotten' }))
  await controlOf(run.gateway).post('/reset')
  const one = await run.post(
    '/v1/transactions',
    payment({ payment_ref: `run-1${ATTACK}`.slice(0, 60), card_holder: ATTACK, webhook: hook }),
  )
  const other = await run.as(RIVAL).post('/v1/transactions', payment({ payment_ref: 'run-2' }))
  await run.close()
  const [report = ''] = reports
  const ids = [...report.matchAll(/<section id="payment-(\d+)"/g)].map(([, id]) => Number(id))
  expect([reports.length, ids]).toEqual([1, [one.body.id, other.body.id]])
  expect(report).not.toMatch(/forgotten|<script>alert|<img|(?:src|href)="(?!#)/)
  expect(report).toContain("default-src 'none'")
})
