import { describe, expect, test } from 'vitest'
import { MERCHANT, payment, startGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { consoleOf, loggedIn, textOf, withoutOwnScript } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL], control: 'a-key-of-our-own' })
const client = await loggedIn(shop.gateway)
const rival = await loggedIn(shop.gateway, 2)

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

  test('ends amounts at one edge, below their heading', async () => {
    await paid({ payment_ref: 'aligned', amount: '1249.50' })
    const { html } = await client.get('/1/transactions?filter[payment_ref]=aligned')
    expect(html).toContain('<th scope="col" class="quantity">Amount</th>')
    expect(html).toMatch(/<td [^>]*class="number quantity first-end">1,249\.50 SEK/)
    // No row has an error.
    expect(html).not.toContain('<th scope="col">Error</th>')
  })

  test('explains a mistake in a search', async () => {
    const { status, html } = await client.get('/1/transactions?filter[secret]=x')
    expect(status).toBe(400)
    expect(textOf(html)).toContain('errors.filter_parameter.not_supported')
  })

  test.each(['offset=-1', 'filter[secret]=x'])(
    'ends each sentence with one full stop: %s',
    async (query) => {
      const { html } = await client.get(`/1/transactions?${query}`)
      expect(/<p>([^<]*)<\/p>\s*<p class="quiet">/.exec(html)?.[1]).toMatch(/[^.]\.$/)
    },
  )

  test.each(['refunds', 'subscriptions', 'plans', 'customers', 'stored_cards'])(
    'a list of %s can be empty',
    async (name) => {
      const { status, html } = await rival.get(`/2/${name}`)
      expect(status).toBe(200)
      expect(textOf(html)).toMatch(/No (?:\w+ )?\w+s yet\./)
    },
  )
})

describe('a list as a file', () => {
  test('has the first thousand rows, and a note about that', async () => {
    const customers = Array.from({ length: 1_001 }, (_, at) => ({ ref: `c${at}` }))
    const large = await startGateway({ fixtures: { customers } })
    const visitor = consoleOf(large.gateway)
    await visitor.logIn(1, MERCHANT.password)
    const { html } = await visitor.get('/1/customers')
    expect(textOf(html)).toContain('1 to 25 of 1001')
    expect(html).toContain('title="The first 1000 rows"')
    expect((await visitor.get('/1/customers.csv')).html.trim().split('\r\n')).toHaveLength(1_001)
    await large.close()
  })
})

describe('a downloaded list is safe in a spreadsheet, attack 86 (csv-out):', () => {
  test('a value that a spreadsheet would read as a formula begins with an apostrophe', async () => {
    const written = ['=cmd()', '+1', '-1', '@x', 'a "b", c']
    for (const payment_ref of written) await paid({ payment_ref, card_holder: payment_ref })
    const { headers, html } = await client.get('/1/transactions.csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
    const refs = html.split('\r\n').map((line) => /^\d+,(.*),10\.00 SEK,/.exec(line)?.[1])
    expect(refs.slice(1, 6)).toEqual(['"a ""b"", c"', "'@x", "'-1", "'+1", "'=cmd()"])
  })
})

describe('a transaction', () => {
  test('shows its fields, the reason of a decline, and its history with actors', async () => {
    const { id } = await paid({ card_cvv: '201', metadata: '{"note":"<b>bold</b>"}' })
    const refused =
      (await shop.get<{ id: number }[]>('/v1/transactions', { limit: 1 })).body[0]?.id ?? id
    const { html } = await client.get(`/1/transactions/${refused}`)
    const text = textOf(html)
    expect(text).toContain('errors.payment.declined')
    expect(text).toContain('by merchant')
    expect(html).toContain('&lt;b&gt;bold')
  })

  test('shows its result in words, with payer, card and amounts', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      payment({ authorize: true, card_number: '4000000000001000' }),
    )
    const id = body.id
    await shop.put(`/v1/transactions/${id}/capture`, { amount: '8.00' })
    const text = textOf((await client.get(`/1/transactions/${id}`)).html)
    expect(text).toContain('Visa 1000 expires 12/30')
    expect(text).toContain('Captured 8.00 SEK')
    expect(text).toContain('Gateway to Bank: Requests the payment authorized by the bank')
  })

  test("a customer's page names the payer and the sum of its payments, without a column Customer", async () => {
    const of = { customer_ref: 'payer-17', store_card: true }
    await paid({ ...of, amount: '100.00' })
    await paid({ ...of, amount: '5.00', currency: 'eur' })
    const { id } = await paid({
      ...of,
      amount: '30.00',
      payment_details: JSON.stringify({
        first_name: 'Ada',
        last_name: 'Berg',
        email: 'ada@shop.example',
      }),
    })
    await shop.post('/v1/refunds', { transaction_id: id, amount: '10.00', reason: 'late' })
    const { body } = await shop.get<{ customer: { id: number } }>(`/v1/transactions/${id}`)
    const { html } = await client.get(`/1/customers/${body.customer.id}`)
    const text = textOf(html)
    expect(text).toContain('Name Ada Berg E-mail ada@shop.example Paid in total')
    expect(text).toMatch(/Paid in total (?=.*120\.00 SEK)(?=.*5\.00 EUR)/)
    expect(html).toContain('Stored cards')
    expect(html).not.toMatch(/<th[^>]*>Customer/)
  })

  test('a declined transaction names the bank as the cause, and the next step', async () => {
    await paid({ card_cvv: '201' })
    const [{ id } = { id: 0 }] = (
      await shop.get<{ id: number }[]>('/v1/transactions', { limit: 1 })
    ).body
    const text = textOf((await client.get(`/1/transactions/${id}`)).html)
    expect(text).toContain('Declined by the bank. In test mode this CVV means a declined payment.')
    expect(text).not.toContain('Declined by the bank. Payment declined.')
    expect(text).toContain('The payer can try again')
  })

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

  test('a transaction that a refund has released offers no capture, because the API would reject it', async () => {
    const { id } = await paid({ authorize: true })
    expect((await client.get(`/1/transactions/${id}`)).html).toContain('/capture"')
    await client.post(`/1/transactions/${id}/refund`, { amount: '10.00', reason: 'not sent' })
    const { html } = await client.get(`/1/transactions/${id}`)
    expect(html).not.toMatch(/\/(?:capture|refund)"/)
    expect(textOf(html)).toContain('The reservation is released.')
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

describe('a page of one object', () => {
  test('shows related objects, and can cancel the object', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      payment({ store_card: true, customer_ref: 'anna' }),
    )
    const card = (body.stored_card as { id: number }).id
    const { html } = await client.get(`/1/stored_cards/${card}`)
    expect(html).toContain(`href="/console/1/transactions/${body.id}"`)
    expect(html).toMatch(/href="\/console\/1\/customers\/\d+"/)
    expect(html).toMatch(/<span class="amount">Visa\u00a01111 <span class="status good">active/)
    expect(html).not.toContain(`href="/console/1/stored_cards/${card}"`)
    await client.post(`/1/stored_cards/${card}/cancel`)
    expect((await shop.get(`/v1/stored_cards/${card}`)).body.status).toBe('cancelled')
    expect((await client.get(`/1/stored_cards/${card}`)).html).not.toContain('/cancel"')
  })
})

describe('a merchant cannot use the console for other merchants, attack 116 (idor-console):', () => {
  test.each([
    '',
    '/transactions',
    '/transactions.csv',
    '/transactions/1',
    '/customers',
    '/subscriptions/1',
    '/controls',
  ])('pages of another merchant are not found: /1%s', async (path) =>
    expect((await rival.get(`/1${path}`)).status).toBe(404),
  )

  test('objects of another merchant are not found among one’s own', async () => {
    const { id } = await paid()
    expect((await rival.get(`/2/transactions/${id}`)).status).toBe(404)
    expect(
      (await rival.post(`/2/transactions/${id}/refund`, { amount: '1.00', reason: 'x' })).status,
    ).toBe(404)
    expect(
      (await rival.post(`/1/transactions/${id}/refund`, { amount: '1.00', reason: 'x' })).status,
    ).toBe(404)
    expect((await shop.get(`/v1/transactions/${id}`)).body.refunds).toEqual([])
  })

  test('objects of another merchant cannot be cancelled, and the answer is the same as for an unknown id', async () => {
    const { body } = await shop.post('/v1/transactions', payment({ store_card: true }))
    const { id } = body.stored_card as { id: number }
    const [others, nobodys] = [id, 999].map((card) => rival.post(`/2/stored_cards/${card}/cancel`))
    expect((await others)?.status).toBe(404)
    const [own, never] = [await others, await nobodys].map((answer) => textOf(answer?.html ?? ''))
    expect(own).toBe(
      never?.replaceAll('There is no stored card 999', `There is no stored card ${id}`),
    )
    expect((await shop.get(`/v1/stored_cards/${id}`)).body.status).toBe('active')
  })

  test.each(['/merchants', '/controls', '/operations', '/controls/fixtures.json'])(
    'pages of the administrator are not found: %s',
    async (path) => expect((await rival.get(path)).status).toBe(404),
  )
})

test('the menu has few entries, and on a merchant’s pages the administrator’s way to all merchants', async () => {
  const administrator = await loggedIn(shop.gateway, 'admin', 'a-key-of-our-own')
  const menuOf = async (page: string) =>
    textOf(/<nav id="menu".*?<\/nav>/s.exec((await administrator.get(page)).html)?.[0] ?? '')
  expect(await menuOf('/1')).toMatch(
    /Overview Payments Subscriptions Customers Requests (?:\d+ need attention )?Webhooks Test controls Settings All merchants Log out/,
  )
  expect(await menuOf('/merchants')).toMatch(/^ ?Merchants Requests Test controls Log out ?$/)
})

test('one press filters transactions, and another press removes the filter', async () => {
  const { html } = await client.get('/1/transactions?filter[status]=declined')
  expect(html).toContain(
    'href="/console/1/transactions" class="set" aria-label="Without Status: declined"',
  )
  expect(html).toContain(
    'href="/console/1/transactions?filter%5Bstatus%5D=declined&amp;filter%5Bcreated_at%5D=20260314"',
  )
  const { html: none } = await client.get(
    '/1/transactions?filter[status]=declined&filter[created_at]=20260313',
  )
  expect(textOf(none)).toContain('No transactions match the search')
})

describe('the days of the transactions', () => {
  const at = '/1/transactions?filter[payment_ref]=page-*&filter[created_at]'

  test.each([
    ['[from]=2026-03-14&filter[created_at][to]=2026-03-14', '20260314', '2026-03-14'],
    ['[from]=2026-03-14&filter[created_at][to]=', '20260314..', 'from 2026-03-14'],
    ['[from]=&filter[created_at][to]=2026-03-14', '..20260314', 'to 2026-03-14'],
  ])('two fields make one filter: %s', async (days, filter, text) => {
    const { html } = await client.get(at + days)
    expect(html).toContain(`aria-label="Without Created at: ${text}"`)
    const query = `?filter%5Bpayment_ref%5D=page-*&amp;filter%5Bcreated_at%5D=${filter}`
    expect(html).toContain(`href="/console/1/transactions.csv${query}"`)
    expect(html).toContain(`href="/console/1/transactions${query}&amp;offset=25"`)
  })

  test('two empty fields filter nothing', async () => {
    const { html } = await client.get(
      '/1/transactions?filter[created_at][from]=&filter[created_at][to]=',
    )
    expect(html).not.toContain('Show all')
  })

  test('the fields have the days of an address', async () => {
    const { html } = await client.get('/1/transactions?filter[created_at]=20260301..20260314')
    expect(html).toContain('type="date" name="filter[created_at][from]" value="2026-03-01"')
    expect(html).toContain('type="date" name="filter[created_at][to]" value="2026-03-14"')
  })

  test.each(['[from][x]=1', '[from]=2026-02-30', '[from]=tomorrow', '=2026-03-14', '[]=20260314'])(
    'a day in another form is rejected: %s',
    async (days) => expect((await client.get(at + days)).status).toBe(400),
  )

  test('an invalid range has the error of the API, and the fields keep their values', async () => {
    const { status, html } = await client.get(
      '/1/transactions?filter[created_at][from]=2026-03-14&filter[created_at][to]=2026-03-01',
    )
    expect(status).toBe(400)
    expect(textOf(html)).toContain('The range in filter[created_at] ends before it starts.')
    expect(html).toContain('name="filter[created_at][from]" value="2026-03-14"')
    expect(html).toContain('name="filter[created_at][to]" value="2026-03-01"')
  })
})

describe('every console page', () => {
  test('is never in a frame, runs only our script and sends forms nowhere else (attack 46, clickjack-console)', async () => {
    for (const path of ['/login', '/1', '/1/transactions', '/1/nothing']) {
      const { headers, html } = await client.get(path)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
          "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      )
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store, private')
      expect(html).toMatch(/<script src=/)
      expect(withoutOwnScript(html)).not.toMatch(/<script|\son\w+=|style=/)
    }
  })

  test.each(['/1?done[]=x', '/1?done=all_sent_again&count[]=1', '/1?done=__proto__'])(
    'opens with any message in its address: %s',
    async (path) => expect((await client.get(path)).status).toBe(200),
  )

  test.each([
    ['bytes that are not text', '/1/transactions?filter[payment_ref]=%ff', 200],
    ['a character that no text has', '/1/transactions?filter[payment_ref]=%00', 253],
  ])('reports in English that it cannot read %s', async (_what, path, code) => {
    const { status, html } = await client.get(path)
    expect(status).toBe(400)
    expect(textOf(html)).toMatch(new RegExp(`This did not work .* ${code}, errors`))
  })

  test('reports a form that is larger than a request can be', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`field_${at}`, '']))
    const { status, html } = await client.post('/1/settings/password', fields)
    expect(status).toBe(400)
    expect(textOf(html)).toContain('This did not work')
  })

  test('ignores forms of strangers', async () => {
    const { status, to } = await consoleOf(shop.gateway).post('/1/controls/payments.force', {
      outcome: 'x'.repeat(300_000),
    })
    expect([status, to]).toEqual([303, '/console/login'])
  })

  test('reports an unknown address', async () => {
    const { status, html } = await client.get('/1/nothing')
    expect(status).toBe(404)
    expect(textOf(html)).toContain('There is no page at this address')
  })
})
