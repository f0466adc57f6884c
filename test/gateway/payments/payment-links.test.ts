import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import {
  CARD,
  type Fields,
  MERCHANT,
  START,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { type ControlAnswer, type ControlClient, controlOf } from '../web/control/client.ts'

const OTHER = { ...MERCHANT, id: 2 }
const LINK = { amount: '100.00', currency: 'sek', description: 'One hour of work' }

interface Link extends ControlAnswer {
  readonly id: number
  readonly url: string
}

const shop = await sharedGateway({ merchants: [MERCHANT, OTHER] })
const control = controlOf(shop.gateway)

const make = async (over: Fields = {}) =>
  (await control.post<Link>('/payment-links', { ...LINK, ...over })).body
const stateOf = async ({ id }: Link) => {
  const { status, used } = (await control.get<Link>(`/payment-links/${id}`)).body
  return [status, used]
}
const look = ({ url }: Link, query = '?lang=en') =>
  shop.browser.get<string>(new URL(url).pathname + query)
const press = ({ url }: Link, fields: Fields = {}) =>
  shop.browser.submit(new URL(url).pathname, fields)
const pathOf = ({ headers }: { headers: Headers }) =>
  new URL(headers.get('location') ?? '').pathname
const begin = async (link: Link, fields: Fields = {}) => pathOf(await press(link, fields))
const pay = (path: string) => shop.browser.submit(path, CARD)
/** Presses the button of a payment page, and follows the redirect to the page that the payer sees. */
async function payAndSee(path: string, fields: Fields = CARD) {
  const { headers } = await shop.browser.submit(path, fields)
  return shop.browser.get<string>(headers.get('location') ?? '')
}
const transactions = async () => (await shop.get<Transaction[]>('/v1/transactions')).body
const newest = async () => (await transactions())[0]

test('a link is created, shown, opened and paid, and its payment has link_payment', async () => {
  const link = await make({
    payment_ref: 'order-{n}',
    success_url: 'https://shop.example/thanks',
  })
  expect(link).toMatchObject({
    status: 'active',
    uses: 1,
    used: 0,
    test: true,
    payment_ref: 'order-{n}',
  })
  const page = await look(link)
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('One hour of work')])
  expect(await transactions()).toEqual([])
  const path = await begin(link)
  expect(await newest()).toMatchObject({
    link_payment: true,
    status: 'pending',
    payment_ref: 'order-1',
    amount: '100.00',
    items: [{ description: 'One hour of work', amount: '100.00' }],
    log_events: [{ data: { event: 'created', process: false, payment_link: link.id } }],
  })
  expect((await pay(path)).headers.get('location')).toMatch(
    /^https:\/\/shop\.example\/thanks\?.*status=approved/,
  )
  expect((await newest())?.status).toBe('approved')
  expect((await shop.get('/v1/transactions?filter[link_payment]=true')).body.code).toBe(205)
  expect(await stateOf(link)).toEqual(['used_up', 1])
  for (const answer of [await look(link), await press(link)])
    expect([answer.status, answer.body]).toEqual([
      410,
      expect.stringContaining('errors.payment_ref.processed'),
    ])
})

test('if several payers open the last use at once, one pays, and the others see that the link is used up', async () => {
  const link = await make({ uses: 2, payment_ref: 'race-{n}' })
  await pay(await begin(link))
  const paths = await Promise.all([1, 2, 3].map(() => begin(link)))
  const answers = await Promise.all(paths.map((path) => payAndSee(path)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
  expect(await stateOf(link)).toEqual(['used_up', 2])
  for (const { body } of answers.filter(({ status }) => status === 410))
    expect(body).toContain('Länken gäller inte längre')
})

test('a declined payment does not use up the link: the next payer can pay', async () => {
  const link = await make()
  await shop.browser.submit(await begin(link), { ...CARD, card_cvv: '201' })
  expect(await stateOf(link)).toEqual(['active', 0])
})

test('the same button press twice creates one payment', async () => {
  const link = await make()
  const before = (await transactions()).length
  const paths = [
    await begin(link, { attempt: 'a'.repeat(22) }),
    await begin(link, { attempt: 'a'.repeat(22) }),
  ]
  expect(paths[0]).toBe(paths[1])
  expect((await transactions()).length).toBe(before + 1)
})

test('the same attempt id at another link creates another payment', async () => {
  const [one, other] = [await make(), await make({ payment_ref: 'other-{n}' })]
  const attempt = { attempt: 'b'.repeat(22) }
  const paths = [await begin(one, attempt), await begin(other, attempt)]
  expect(paths[0]).not.toBe(paths[1])
  await pay(paths[1] ?? '')
  expect([await stateOf(one), await stateOf(other)]).toEqual([
    ['active', 0],
    ['used_up', 1],
  ])
})

test('a closed link creates no payment, also from a page that was open before, and closing it twice has no further effect', async () => {
  const link = await make()
  const path = await begin(link)
  await control.post(`/payment-links/${link.id}/close`)
  const { body } = await control.delete<Link>(`/payment-links/${link.id}`)
  expect(body).toMatchObject({
    status: 'closed',
    closed_at: new Date(START).toISOString().replace('.000', ''),
  })
  for (const answer of [
    await look(link),
    await shop.browser.get<string>(`${path}?lang=en`),
    await payAndSee(`${path}?lang=en`),
  ])
    expect([answer.status, answer.body]).toEqual([
      410,
      expect.stringContaining('errors.transaction.timeout'),
    ])
})

test('an approval in an app after the link has ended pays nothing, and the payer sees the reason', async () => {
  const link = await make()
  const path = await begin(link)
  await shop.browser.submit(path, { payment_method: 'bank', action: 'pay' })
  await control.post(`/payment-links/${link.id}/close`)
  const answer = await payAndSee(path, { answer: 'approved' })
  expect([answer.status, (await newest())?.status]).toEqual([410, 'pending'])
})

test('a link can start a plan', async () => {
  const prices = JSON.stringify({ sek: '100.00' })
  const plan = { name: 'Monthly', interval: 1, interval_unit: 'months', prices }
  const { id } = (await shop.post<{ id: number }>('/v1/plans', plan)).body
  const link = await make({ plan_id: id })
  expect((await look(link)).body).toContain('Monthly')
  await pay(await begin(link))
  expect((await newest())?.subscription).toEqual({ id: expect.any(Number) })
})

test('a merchant sees only its own links', async () => {
  const link = await make({ merchant_id: 2 })
  expect(link.merchant_id).toBe(2)
  expect((await control.get(`/payment-links/${link.id}`)).body.code).toBe(196)
  expect((await control.post(`/payment-links/${link.id}/close`)).body.code).toBe(196)
  expect(
    (await control.get<Link[]>('/payment-links?merchant_id=2')).body.map(({ id }) => id),
  ).toEqual([link.id])
  expect((await control.get<Link[]>('/payment-links?limit=1')).body).toHaveLength(1)
})

describe('a link', () => {
  let shop: TestGateway
  let control: ControlClient
  beforeAll(async () => {
    shop = await startGateway()
    control = controlOf(shop.gateway)
  })
  afterAll(() => shop.close())

  test.each<[string, Fields, number]>([
    ['without an amount', { amount: undefined }, 108],
    ['of nothing', { amount: '0.00' }, 109],
    ['in no currency', { currency: 'xyz' }, 117],
    ['whose order id is too long', { payment_ref: `${'x'.repeat(60)}{n}` }, 145],
    ['that pays one order twice', { payment_ref: 'order', uses: 2 }, 145],
    ['with a plan that there is not', { plan_id: 99 }, 135],
    ['with a long description', { description: 'x'.repeat(151) }, 253],
    ['that has expired', { expires_at: '2026-03-14T12:00:00Z' }, 253],
    ['with less than no uses', { uses: -1 }, 253],
    ['with an invalid address', { success_url: 'shop' }, 1100],
    ['with a misspelt name', { reference: 'order-{n}' }, 253],
  ])('%s is rejected', async (_what, over, code) => {
    const { body } = await control.post('/payment-links', { ...LINK, ...over })
    expect(body.code).toBe(code)
  })

  test('expires by the clock, also for a payer who has opened it', async () => {
    const { url } = (
      await control.post<Link>('/payment-links', { ...LINK, expires_at: '2026-03-14T13:00:00Z' })
    ).body
    const path = new URL(url).pathname
    const { headers } = await shop.browser.send('POST', path, '')
    shop.clock.advance(3_600_000)
    for (const at of [path, new URL(headers.get('location') ?? '').pathname]) {
      const answer = await shop.browser.get<string>(`${at}?lang=en`)
      expect([answer.status, answer.body]).toEqual([
        410,
        expect.stringContaining('The time to pay is over'),
      ])
    }
  })

  test('a link in a foreign page’s form is shown, and creates no payment', async () => {
    const { url } = (await control.post<Link>('/payment-links', LINK)).body
    const before = (await shop.get<Transaction[]>('/v1/transactions')).body.length
    const answer = await shop.browser.send<string>('POST', new URL(url).pathname, '', {
      'sec-fetch-site': 'cross-site',
    })
    expect([
      answer.status,
      (await shop.get<Transaction[]>('/v1/transactions')).body.length,
    ]).toEqual([200, before])
  })
})
