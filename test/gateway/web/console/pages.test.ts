import { describe, expect, test } from 'vitest'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'
import { consoleOf, loggedIn, textOf } from './client.ts'

const shop = await sharedGateway()
const client = await loggedIn(shop.gateway)

const paid = async (over = {}) => (await shop.post('/v1/transactions', payment(over))).body

describe('a list', () => {
  test('shows the newest rows first, with the same search as the API', async () => {
    await paid({ payment_ref: 'found-1' })
    await paid({ payment_ref: 'other-1' })
    const { html } = await client.get('/1/transactions?filter[payment_ref]=found*&filter[status]=')
    expect(textOf(html)).toContain('1 to 1 of 1')
    expect(html).toContain('found-1')
    expect(html).not.toContain('other-1')
    expect(html).toContain('name="filter[payment_ref]" value="found*"')
  })

  test('continues with older rows, with the same search', async () => {
    for (let count = 0; count < 27; count += 1) await paid({ payment_ref: `page-${count}` })
    const first = await client.get('/1/transactions?filter[payment_ref]=page-*')
    expect(textOf(first.html)).toContain('1 to 25 of 27')
    const [, older = ''] = /href="\/console([^"]*)" rel="next"/.exec(first.html) ?? []
    const { html } = await client.get(older.replaceAll('&amp;', '&'))
    expect(textOf(html)).toContain('26 to 27 of 27')
    expect(html).toContain('page-0')
    expect(html).not.toContain('rel="next"')
  })
})

test('a list as a file has the first thousand rows, and a note about that', async () => {
  const customers = Array.from({ length: 1_001 }, (_, at) => ({ ref: `c${at}` }))
  const large = await openGateway({ fixtures: { customers } })
  const visitor = consoleOf(large.gateway)
  await visitor.logIn(1, MERCHANT.password)
  const { html } = await visitor.get('/1/customers')
  expect(textOf(html)).toContain('1 to 25 of 1001')
  expect(html).toContain('title="The first 1000 rows"')
  expect((await visitor.get('/1/customers.csv')).html.trim().split('\r\n')).toHaveLength(1_001)
})

test('attack 86 (csv-out): a value that a spreadsheet would read as a formula begins with an apostrophe', async () => {
  const written = ['=cmd()', '+1', '-1', '@x', 'a "b", c']
  for (const payment_ref of written) await paid({ payment_ref, card_holder: payment_ref })
  const { headers, html } = await client.get('/1/transactions.csv')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
  const refs = html.split('\r\n').map((line) => /^\d+,(.*),10\.00 SEK,/.exec(line)?.[1])
  expect(refs.slice(1, 6)).toEqual(['"a ""b"", c"', "'@x", "'-1", "'+1", "'=cmd()"])
})

describe('a transaction', () => {
  test('is captured and refunded with a form', async () => {
    const { id } = await paid({ authorize: true })
    const page = await client.get(`/1/transactions/${id}`)
    expect(page.html).toContain(`action="/console/1/transactions/${id}/capture"`)
    expect(textOf(page.html)).toContain('Release The payer’s bank releases the whole reservation.')
    expect(textOf(page.html)).not.toContain('Amount to release')
    const captured = await client.post(`/1/transactions/${id}/capture`, { amount: '8.00' })
    expect(captured).toMatchObject({
      status: 303,
      to: `/console/1/transactions/${id}?done=captured`,
    })
    await client.post(`/1/transactions/${id}/refund`, { amount: '3.00', reason: 'broken' })
    const { body } = await shop.get(`/v1/transactions/${id}`)
    expect(body).toMatchObject({
      status: 'approved',
      amount: '8.00',
      refunds: [{ amount: '3.00', reason: 'broken' }],
    })
    const after = await client.get(`/1/transactions/${id}?done=refunded`)
    expect(textOf(after.html)).toContain('The refund was made.')
    expect(textOf(after.html)).toContain('Refunded 3.00 of 8.00 SEK.')
    expect(textOf((await client.get('/1/transactions')).html)).toContain('Partly refunded')
    expect(after.html).toContain('name="amount" value="5.00"')
    expect(after.html).toContain('<li class="row">Refund up to 5.00 SEK: POST /v1/refunds')
    await client.post(`/1/transactions/${id}/refund`, {
      amount: ' 1,5',
      reason: 'as people type it',
    })
    await client.post(`/1/transactions/${id}/refund`, { amount: '3.50', reason: 'all of it' })
    const last = await client.get(`/1/transactions/${id}`)
    expect(last.html).not.toContain('/refund"')
    expect(textOf(last.html)).toContain('Refunded in full.')
    const timeline = textOf((await client.get(`/1/transactions/${id}`)).html)
    expect(timeline).toContain('The payment is refunded in full. No further action is needed.')
    expect(timeline).not.toContain('The payment is complete')
  })

  test('a transaction that cannot be refunded gives the reason, like the API', async () => {
    const { id } = await paid()
    const { status, html } = await client.post(`/1/transactions/${id}/refund`, {
      amount: '11.00',
      reason: 'too much',
    })
    expect(status).toBe(400)
    expect(textOf(html)).toContain('134')
    expect(html).toContain('value="too much"')
    const blank = await client.post(`/1/transactions/${id}/refund`, { amount: '1.00', reason: '' })
    expect([blank.status, textOf(blank.html)]).toEqual([
      400,
      expect.stringMatching(/Refund reason .*Release|Refund .*eason/),
    ])
    expect(blank.html).toContain('value="1.00"')
  })
})

test('the page of a transaction shows its steps with their messages, or every request', async () => {
  const { id } = await paid()
  const [steps = '', all = ''] = await Promise.all(
    [false, true].map(
      async (every) => (await client.get(`/1/transactions/${id}?every=${every}`)).html,
    ),
  )
  expect(steps.match(/<summary><time/g)).toHaveLength(2)
  expect(all.match(/<summary><time/g)).toHaveLength(3)
  expect(textOf(steps)).toMatch(
    /POST \/v1\/transactions Open the request \{ .*"amount": "10\.00".* 200 answer \{ "id": /,
  )
})

describe('the days of the transactions', () => {
  const at = '/1/transactions?filter[payment_ref]=page-*&filter[created_at]'

  test.each([
    ['[from]=2026-03-14&filter[created_at][to]=2026-03-14', '20260314', 'Today'],
    ['[from]=2026-03-14&filter[created_at][to]=', '20260314..', 'From 14 Mar 2026'],
    ['[from]=&filter[created_at][to]=2026-03-14', '..20260314', 'Until 14 Mar 2026'],
    // A period that was chosen replaces the days that were shown.
    ['[period]=20260314&filter[created_at][shown]=&filter[created_at][from]=', '20260314', 'Today'],
  ])('the fields make one filter: %s', async (days, filter, text) => {
    const { html } = await client.get(at + days)
    expect(html).toContain(`<option value="${filter}" selected>${text}</option>`)
    const query = `?filter%5Bpayment_ref%5D=page-*&amp;filter%5Bcreated_at%5D=${filter}`
    expect(html).toContain(`href="/console/1/transactions.csv${query}"`)
    expect(html).toContain(`href="/console/1/transactions${query}&amp;offset=25"`)
  })

  test.each(['[from][x]=1', '[from]=2026-02-30', '[from]=tomorrow', '=2026-03-14', '[]=20260314'])(
    'a day in another form is rejected: %s',
    async (days) => expect((await client.get(at + days)).status).toBe(400),
  )
})

test.each([
  ['bytes that are not text', '/1/transactions?filter[payment_ref]=%ff', 200],
  ['a character that no text has', '/1/transactions?filter[payment_ref]=%00', 253],
])('every console page reports in English that it cannot read %s', async (_what, path, code) => {
  const { status, html } = await client.get(path)
  expect(status).toBe(400)
  expect(textOf(html)).toMatch(new RegExp(`This did not work .* ${code}, errors`))
})

test('the page of a failed capture does not say that the payment failed', async () => {
  const control = controlOf(shop.gateway)
  await control.post('/captures/next?merchant_id=1', { outcome: 129, seconds: 1 })
  const { id } = await paid({ authorize: true, payment_ref: 'late' })
  await client.post(`/1/transactions/${id}/capture`, { amount: '10.00' })
  await shop.gateway.clock.advance({ seconds: 2 })
  const text = textOf((await client.get(`/1/transactions/${id}`)).html)
  expect(text).toContain('The bank declined the capture of order late.')
  expect(text).toMatch(/Approved by the bank Capture failed error \d+/)
  expect(text).toContain('No money was taken, and the reservation is released.')
})
