import { describe, expect, test } from 'vitest'
import {
  CARD,
  createMerchant,
  type Fields,
  MERCHANT,
  payment,
  preparePage,
} from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const LOGO = 'https://shop.example/logo.png'
const WITH_LOGO = createMerchant(2, { logo: LOGO })
const shop = await sharedGateway({
  merchants: [{ ...MERCHANT, settings: { frame_parents: [] } }, WITH_LOGO],
})

const prepare = (over?: Fields) => preparePage(shop, over)
const open = (path: string, headers = {}) => shop.browser.get<string>(path, {}, headers)
const pay = (path: string, card: Fields = {}) => shop.browser.submit(path, { ...CARD, ...card })
const statusOf = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body.status

describe('the page of a pending payment', () => {
  for (const [what, query, headers, language] of [
    ['by locale=en', '?locale=en', {}, 'en'],
    ['by the browser', '', { 'accept-language': 'en-GB,en;q=0.8' }, 'en'],
    ['by lang against the browser', '?lang=sv', { 'accept-language': 'en' }, 'sv'],
  ] as const)
    test(`is in ${language === 'sv' ? 'Swedish' : 'English'} ${what}`, async () => {
      const { body } = await open((await prepare()).path + query, headers)
      expect(body).toContain(`<html lang="${language}">`)
      expect(body).toContain(language === 'sv' ? 'Kortnummer' : 'Card number')
    })

  test('loads only its own script, style and pictures, and lets the shop redirect the payer anywhere afterwards', async () => {
    const policy = (await open((await prepare()).path)).headers.get('content-security-policy') ?? ''
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self' https: http:; frame-ancestors 'none'; require-trusted-types-for 'script'",
    )
  })
})

test('a merchant’s logo is a picture from the origin that the policy names', async () => {
  const { headers, body } = await open((await preparePage(shop.as(WITH_LOGO))).path)
  expect(body).toContain(`<img src="${LOGO}" alt="Merchant 2"`)
  expect(headers.get('content-security-policy')).toContain("img-src 'self' https://shop.example;")
})

describe('paying on the page', () => {
  test('paying an order that has been paid since reports that, and charges nothing', async () => {
    const [paid, left] = [
      await prepare({ payment_ref: 'twice' }),
      await prepare({ payment_ref: 'twice' }),
    ]
    expect((await pay(paid.path)).status).toBe(303)
    for (const card_cvv of ['200', '201']) {
      const { status, headers } = await pay(left.path, { card_cvv })
      expect(status).toBe(303)
      const page = (headers.get('location') ?? '').replace('http://localhost:4400', '')
      expect((await open(page)).body).toContain(
        'role="alert" data-error="errors.payment_ref.processed"',
      )
    }
    expect(await statusOf(left.id)).toBe('pending')
  })

  test('charges the prepared amount, whatever the form contains', async () => {
    const { id, path } = await prepare()
    await pay(path, {
      amount: '0.01',
      currency: 'vef',
      merchant_id: 2,
      payment_ref: 'x',
      test: 'false',
      authorize: 'true',
    })
    expect((await shop.get(`/v1/transactions/${id}`)).body).toMatchObject({
      status: 'approved',
      amount: '10.00',
      currency: 'sek',
      test: true,
      authorize: false,
    })
  })

  test('paying five times simultaneously charges once, and sends all payers back with the same result', async () => {
    const { id, path } = await prepare()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => pay(path)))
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1)
    expect(answers[0]?.headers.get('location')).toContain('status=approved')
    const { log_events } = (await shop.get(`/v1/transactions/${id}`)).body
    expect(log_events.filter(({ data }) => data.event === 'charged')).toHaveLength(1)
  })
})

test('a payment without return addresses ends at its own page', async () => {
  const fields = payment({ card_cvv: '201' })
  await shop.post('/v1/transactions', fields)
  const { body } = await shop.get<{ id: number; href: string }[]>('/v1/transactions', {
    'filter[payment_ref]': fields.payment_ref,
  })
  const { id, href } = body[0] as { id: number; href: string }
  const declined = await pay(new URL(href).pathname, { card_cvv: '203' })
  expect(declined.headers.get('location')).toMatch(
    `${href}?error_name=errors.card.expired&transaction_id=${id}&`,
  )
  const paid = await pay(new URL(href).pathname)
  expect(paid.headers.get('location')).toMatch(`${href}?transaction_id=${id}&`)
})

describe('the page of a paid payment', () => {
  test('shows a receipt and a link back, not the form', async () => {
    const { path } = await prepare()
    await pay(path)
    const { status, body } = await open(`${path}?lang=en`)
    expect(status).toBe(200)
    expect(body).toContain('The payment is complete')
    expect(body).toContain(`${path}/back"`)
    expect(body).not.toContain('<form')
  })

  test('shows every item of a long order, for a printer leaves out what is folded', async () => {
    const item = { artno: '1', description: 'Mug', amount: '2.00', vat: '0.00', qty: 1 }
    const { path } = await prepare({ items: JSON.stringify(Array(5).fill(item)) })
    await pay(path)
    const { body } = await open(path)
    expect(body.match(/Mug/g)).toHaveLength(5)
    expect(body).not.toContain('<details')
  })
})

for (const token of ['x', 'A'.repeat(22), '..%2f..', '%00', '%F0%9F%92%A9'])
  test(`an unknown payment (${token}) gives a page with status 404`, async () => {
    for (const answer of [await open(`/v1/form/${token}`), await pay(`/v1/form/${token}`)]) {
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.body).toContain('role="alert"')
    }
  })

describe('a payer with a wrong address sees a page, not a login:', () => {
  for (const [method, path, status, allowed] of [
    ['GET', '/v1/form', 405, 'POST'],
    ['GET', '/v1/form/', 405, 'POST'],
    ['PUT', '/v1/form', 405, 'POST'],
    ['PUT', '/v1/form/x', 405, 'GET, HEAD, POST'],
    ['DELETE', '/v1/form/TOKEN', 405, 'GET, HEAD, POST'],
    ['GET', '/v1/form/x/y', 404, null],
    ['POST', '/v1/form/x/y', 404, null],
    ['OPTIONS', '/v1/form/x/y', 404, null],
  ] as const)
    test(`${method} ${path} is ${status}`, async () => {
      const { path: page } = await prepare()
      const answer = await shop.browser.send<string>(method, path.replace('/v1/form/TOKEN', page))
      expect(answer.status).toBe(status)
      expect(answer.headers.get('allow')).toBe(allowed)
      expect(answer.headers.get('www-authenticate')).toBeNull()
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.body).toContain('role="alert"')
    })
})

test('a page address that is not UTF-8 is rejected', async () => {
  expect((await open('/v1/form/%FF')).status).toBe(400)
})

describe('the name on the card', () => {
  const holderIn = (html: string) =>
    /<input id="card_holder"[^>]*?(?: value="([^"]*)")?>/.exec(html)?.[1]
  const FIRST_NAME = 'payment_details[first_name]'

  test('is still filled in after a decline, when the payer opens the page again', async () => {
    const { id, path } = await prepare({ [FIRST_NAME]: 'Kim' })
    await pay(path, { card_holder: 'Anna Andersson', card_cvv: '201' })
    expect(await statusOf(id)).toBe('declined')
    expect(holderIn((await open(path)).body)).toBe('Anna Andersson')
  })

  test.each<[string, Fields, string | undefined]>([
    [
      'is filled in with the payer’s names',
      { [FIRST_NAME]: 'Kim', 'payment_details[last_name]': 'Berg' },
      'Kim Berg',
    ],
    ['is filled in with the one name that is known', { [FIRST_NAME]: 'Kim' }, 'Kim'],
    ['is empty if the merchant names nobody', {}, undefined],
    ['is empty if the name has a digit', { [FIRST_NAME]: '4111 1111' }, undefined],
  ])('%s', async (_what, over, name) => {
    expect(holderIn((await open((await prepare(over)).path)).body)).toBe(name)
  })
})
