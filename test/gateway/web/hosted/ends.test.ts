import { beforeAll, describe, expect, test } from 'vitest'
import {
  CARD,
  createMerchant,
  type Fields,
  MERCHANT,
  preparePage,
  type TestGateway,
} from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const MINUTE = 60_000
const STAYS = createMerchant(2, { page_refused: 'page', page_minutes: 0 })

const shop = await sharedGateway({ merchants: [MERCHANT, STAYS] })
beforeAll(async () => {
  await shop.gateway.clock.freeze()
})

const prepare = (over: Fields = {}, client: Pick<TestGateway, 'post'> = shop) =>
  preparePage(client, { locale: 'en', ...over })
/** Moves the gateway's clock, and runs work that falls due meanwhile. */
const pass = (milliseconds: number) =>
  shop.gateway.clock.set(shop.gateway.clock.now() + milliseconds)
const open = (path: string) => shop.browser.get<string>(path)
const { submit } = shop.browser
const pay = (path: string, over: Fields = {}) => submit(path, { ...CARD, ...over })
/** Sends a form, and opens the page that its answer leads to. */
async function submitAndFollow(path: string, fields: Fields) {
  const { status, headers } = await submit(path, fields)
  expect(status).toBe(303)
  return open((headers.get('location') ?? '').replace('http://localhost:4400', ''))
}
const statusOf = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body.status
const versionIn = (html: string) => /name="version" value="([^"]+)"/.exec(html)?.[1]

describe('the time limit of a page', () => {
  test('is exactly 90 minutes, after which the page shows error 1280 and links back to the shop', async () => {
    const { id, path, ref } = await prepare()
    await pass(90 * MINUTE - 1)
    expect((await open(path)).status).toBe(200)
    const { happened } = await pass(1)
    expect(happened).toMatchObject([{ kind: 'expiry', id, what: `expired ${ref}` }])
    for (const answer of [
      await open(path),
      await submitAndFollow(path, CARD),
      await submitAndFollow(path, { action: 'extend' }),
    ]) {
      expect(answer.status).toBe(410)
      expect(answer.body).toContain('role="status" data-error="errors.transaction.timeout"')
      expect(answer.body).toContain(`<small>${ref}</small>`)
      expect(answer.body).toContain('<title>The time to pay')
      expect(answer.body).toContain(`href="http://localhost:4400${path}/back"`)
    }
    expect((await open(`${path}/back`)).headers.get('location')).toContain(
      `https://shop.example/sorry?error_name=errors.transaction.timeout&transaction_id=${id}&payment_ref=${ref}&status=failed&hash=`,
    )
    const { body } = await shop.get(`/v1/transactions/${id}`)
    expect(body).toMatchObject({
      status: 'failed',
      error: { code: 1280, name: 'errors.transaction.timeout' },
    })
    expect(body.log_events.map(({ data }) => data.event)).toEqual(['created', 'expired'])
    expect((await pass(1000 * MINUTE)).happened).toEqual([])
  })

  test('starts again when the payer asks for more time', async () => {
    const { path } = await prepare()
    await pass(89 * MINUTE)
    expect((await open(path)).body).toContain('data-seconds="60"')
    await pass(600)
    // Rounded up: a page that is opened again after these seconds has expired.
    expect((await open(path)).body).toContain('data-seconds="60"')
    expect((await submit(path, { action: 'extend' })).status).toBe(303)
    expect((await open(path)).body).toContain('data-seconds="5400"')
    await pass(90 * MINUTE - 1)
    expect((await pay(path)).headers.get('location')).toContain('status=approved')
  })

  test('is off if the merchant sets 0', async () => {
    const { path } = await prepare({}, shop.as(STAYS))
    await pass(1000 * 24 * 60 * MINUTE)
    const { status, body } = await open(path)
    expect(status).toBe(200)
    expect(body).not.toContain('data-seconds')
  })

  test('does not apply to the merchant’s own server', async () => {
    const { id } = await prepare()
    await pass(91 * MINUTE)
    expect((await shop.put(`/v1/transactions/${id}`, CARD)).body.status).toBe('approved')
  })
})

describe('the attempts on a page', () => {
  test('are limited to ten: the last decline fails the payment, and it cannot be tried again', async () => {
    const { id, path } = await prepare()
    for (let tried = 1; tried <= 9; tried++) {
      expect((await pay(path, { card_cvv: '201' })).headers.get('location')).toContain(
        'status=declined',
      )
      // The page does not show the number of remaining attempts while it is high.
      const told = /Tries left: (\d)/.exec((await open(path)).body)?.[1]
      expect(told).toBe(tried >= 7 ? String(10 - tried) : undefined)
    }
    const last = new URL((await pay(path, { card_cvv: '201' })).headers.get('location') ?? '')
    expect(Object.fromEntries(last.searchParams)).toMatchObject({
      error_name: 'errors.payment.declined',
      status: 'failed',
    })
    const answer = await submitAndFollow(path, CARD)
    expect([answer.status, await statusOf(id)]).toEqual([410, 'failed'])
    expect(answer.body).toContain('You have no tries left')
    expect((await shop.get(`/v1/transactions/${id}`)).body.log_events).toHaveLength(21)
  })

  test('are not counted if the bank was not asked', async () => {
    const { path } = await prepare()
    for (let tried = 0; tried < 12; tried++) await pay(path, { card_number: '4111111111111112' })
    expect((await pay(path)).headers.get('location')).toContain('status=approved')
  })
})

describe('the amount on the page', () => {
  test('is the charged amount: after a change the page is shown again with the new amount', async () => {
    const { id, path } = await prepare({ amount: '10.00' })
    const version = versionIn((await open(path)).body)
    await shop.put(`/v1/transactions/${id}`, { amount: '99.00', process: false })
    const answer = await submitAndFollow(path, { ...CARD, version })
    expect(answer.body).toContain('data-error="errors.amount.mismatch"')
    expect(answer.body).toContain('99.00\u00a0SEK')
    expect(await statusOf(id)).toBe('pending')
    expect(
      (await pay(path, { version: versionIn(answer.body) })).headers.get('location'),
    ).toContain('status=approved')
    expect((await shop.get(`/v1/transactions/${id}`)).body.amount).toBe('99.00')
  })

  test('is charged without asking again after a decline, after a change of metadata, and for a form without the amount', async () => {
    const { id, path } = await prepare()
    const version = versionIn((await open(path)).body)
    await pay(path, { version, card_cvv: '201' })
    await shop.put(`/v1/transactions/${id}`, { metadata: '{"a":1}', process: false })
    expect(versionIn((await open(path)).body)).toBe(version)
    expect((await pay(path)).headers.get('location')).toContain('status=approved')
  })
})

describe('a card on the page', () => {
  for (const [what, over] of [
    ['in wide digits', { card_number: '４１１１１１１１１１１１１１１１' }],
    ['as a month input writes it', { card_expiry: '2030-12' }],
    ['with the expiry in two fields', { card_expiry: '', expMM: '12', expYY: '30' }],
  ] as const)
    test(`can be typed ${what}`, async () => {
      const { path } = await prepare()
      expect((await pay(path, over)).headers.get('location')).toContain('status=approved')
    })

  test('is rejected with all its mistakes together', async () => {
    const { id, path } = await prepare()
    const typed = { card_number: '4111', card_holder: '5555 5555 5555 4444' }
    const { status, body } = await submit(path, typed)
    expect([status, await statusOf(id)]).toEqual([422, 'pending'])
    expect(body).toContain('role="alert" data-error="errors.card_number.invalid"')
    for (const field of ['card_number', 'card_holder', 'card_expiry', 'card_cvv']) {
      expect(body).toContain(`<li><a href="#${field}">`)
      expect(body).toMatch(
        new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}_problem`),
      )
    }
    expect(body).not.toContain('5555 5555')
    expect(body).toMatch(/<title>Error: /)
  })
})

test('a link to the page with a known error name shows the error', async () => {
  const { path } = await prepare()
  expect((await open(`${path}?error_name=errors.payment.canceled`)).body).toContain(
    'You cancelled the payment.',
  )
  expect((await open(`${path}?error_name=errors.made.up`)).body).not.toContain('role="alert"')
})
