import { describe, expect, test } from 'vitest'
import type { StoredCard } from '../../../../mock-gateway/contract/wire.ts'
import { getEntryByKey } from '../../../../mock-gateway/domain/errors/errors.ts'
import { PAYMENT_METHODS } from '../../../../mock-gateway/domain/order/payment-methods.ts'
import {
  CARD,
  createMerchant,
  type Fields,
  MERCHANT,
  prepared,
  preparePage,
  type TestGateway,
} from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { ITEM } from '../../payment-methods/fields.ts'

const FEW = createMerchant(2, { payment_methods: ['swish', 'bank'] })
const ASKING = createMerchant(3, {
  payer_details: ['email', 'zip', 'country_code'],
  stored_card_cvv: true,
  payer_options: [],
})

const shop = await sharedGateway({ merchants: [MERCHANT, FEW, ASKING] })

type Client = Pick<TestGateway, 'post'>
const prepare = (over: Fields = {}, client: Client = shop) =>
  preparePage(client, { locale: 'en', ...over })
const open = async (path: string) => (await shop.browser.send<string>('GET', path)).body
const { submit } = shop.browser
const find = async (id: number, client: Pick<TestGateway, 'get'> = shop) =>
  (await client.get(`/v1/transactions/${id}`)).body
const queryOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
const offered = (html: string) =>
  [...html.matchAll(/payment\.selected=(\w+)/g)].map(([, name]) => name)
const chosen = (html: string) => /payment\.selected=(\w+)" aria-current/.exec(html)?.[1]

const ITEMS = { items: JSON.stringify([ITEM]) }

describe('the page offers', () => {
  test.each([
    ['the methods that can pay the order', {}, ['credit_card', 'swish', 'bank', 'paypal']],
    [
      'an invoice for items that add up',
      ITEMS,
      ['credit_card', 'invoice', 'swish', 'bank', 'paypal'],
    ],
    ['Swish in kronor only', { currency: 'eur' }, ['credit_card', 'bank', 'paypal']],
    [
      'the methods that the merchant has chosen',
      { currency: 'eur', payment_method: 'swish' },
      ['credit_card', 'swish', 'bank', 'paypal'],
    ],
  ])('%s', async (_what, over, names) => {
    expect(offered(await open((await prepare(over)).path))).toEqual(names)
  })

  test('only the methods of the setting payment_methods, and rejects a form of another method', async () => {
    const { id, path } = await prepare({}, shop.as(FEW))
    const html = await open(path)
    expect([offered(html), chosen(html)]).toEqual([['swish', 'bank'], 'swish'])
    expect((await submit(path, CARD)).status).toBe(303)
    expect((await find(id, shop.as(FEW))).status).toBe('pending')
  })
})

test.each([
  ['the method that payment_method names', { payment_method: 'paypal' }, '', 'paypal'],
  [
    'the card when the name is the merchant’s own',
    { payment_method: 'my_module' },
    '',
    'credit_card',
  ],
  ['the one in its address', {}, '?payment.selected=swish', 'swish'],
  ['the one in its address, as old pages call it', {}, '?payment.selected=trustly_tab', 'bank'],
  [
    'the card when the address names none that is offered',
    { currency: 'eur' },
    '?payment.selected=swish',
    'credit_card',
  ],
])('the page opens with %s', async (_what, over, query, name) => {
  expect(chosen(await open((await prepare(over)).path + query))).toBe(name)
})

const { swish, bank, paypal } = PAYMENT_METHODS

describe.each(Object.entries({ swish, bank, paypal }))(
  'a payer who pays with %s',
  (method, { approval }) => {
    const FORM =
      method === 'swish'
        ? { payment_method: 'swish', swish_number: '070-123 45 67' }
        : { payment_method: method }

    test.each(Object.entries(approval.answers))('and answers %s', async (answer, refusal) => {
      const { id, path } = await prepare()
      const approval = await submit(path, FORM)
      expect([approval.status, new URL(approval.headers.get('location') ?? '').pathname]).toEqual([
        303,
        path,
      ])
      const page = await open(path)
      expect(page).toContain(`name="answer" value="${answer}"`)
      if (refusal)
        expect(page).toContain(
          `returns error ${getEntryByKey(refusal.error).code} ${refusal.error}`,
        )
      const told = queryOf(await submit(path, { action: 'answer', answer }))
      const status = refusal ? refusal.kind : 'approved'
      expect(told).toMatchObject({ status, ...(refusal && { error_name: refusal.error }) })
      expect(await find(id)).toMatchObject({
        status,
        payment_method: method,
        transaction_type: method,
      })
    })
  },
)

describe('a payment that was handed to an app', () => {
  const swish = async (over: Fields = {}) => {
    const made = await prepare({
      payment_method: 'swish',
      swish_number: '46701234567',
      process: true,
      ...over,
    })
    return made
  }

  test('a payment that the merchant hands to an app shows the app immediately', async () => {
    expect(await open((await swish()).path)).toContain('070\u2011123\u00a045\u00a067')
  })

  test('can be answered once: one of fifty simultaneous answers counts', async () => {
    const { id, path } = await swish()
    const answers = Array.from({ length: 50 }, (_, at) => (at % 2 ? 'approved' : 'declined'))
    const told = await Promise.all(
      answers.map((answer) => submit(path, { action: 'answer', answer })),
    )
    const { log_events } = await find(id)
    expect(log_events.filter(({ data }) => data.event === 'charged')).toHaveLength(1)
    expect(told.every((answer) => answer.status === 303)).toBe(true)
  })

  test('is not approved for an amount that the payer has not seen: error 203', async () => {
    const { id, path } = await swish()
    const version = /name="version" value="([^"]+)"/.exec(await open(path))?.[1]
    await shop.put(`/v1/transactions/${id}`, { amount: '99.00', process: false })
    const answer = await submit(path, { action: 'answer', answer: 'approved', version })
    expect(answer.body).toContain('data-error="errors.amount.mismatch"')
    expect((await find(id)).status).toBe('pending')
  })

  test('is not approved if the order has been paid since: error 146', async () => {
    const { path, ref } = await swish()
    await shop.post('/v1/transactions', prepared({ ...CARD, payment_ref: ref, process: true }))
    const answer = await submit(path, { action: 'answer', answer: 'approved' })
    expect(answer.body).toContain('data-error="errors.payment_ref.processed"')
  })
})

describe('an invoice', () => {
  const buy = (path: string, fields: Fields) =>
    submit(path, { payment_method: 'invoice', step: 'payer', ...fields })
  const wrongIn = (html: string) =>
    [...html.matchAll(/aria-invalid="true"[^>]*aria-describedby="(\w+)_problem/g)].map(
      ([, field]) => field,
    )

  test('shows each mistake at its field, and does not send the order', async () => {
    const { id, path } = await prepare(ITEMS)
    const slips = {
      email: 'anna',
      phone: '12',
      country_code: 'SWE',
      personal_number: '199006022398',
    }
    const { status, body } = await buy(path, slips)
    expect([status, wrongIn(body)]).toEqual([422, ['personal_number', 'email', 'phone']])
    expect(body).not.toContain('id="address_1"')
    expect((await find(id)).status).toBe('pending')
  })

  test('asks for the address of a payer whom the register does not know', async () => {
    const { path } = await prepare(ITEMS)
    const payer = { email: 'anna@example.com', phone: '0701234567', country_code: 'SWE' }
    const { status, body } = await buy(path, { ...payer, personal_number: '198112189876' })
    expect([status, wrongIn(body)]).toEqual([200, []])
    expect(body).toContain('id="address_1"')
    expect(body).toContain('value="anna@example.com"')
  })
})

describe('a stored card on the page', () => {
  const store = async (client: Client = shop, over: Fields = {}) =>
    (
      await client.post<StoredCard>('/v1/stored_cards', {
        ...CARD,
        card_type: 'VISA',
        currency: 'sek',
        test: true,
        customer_ref: 'c7',
        ...over,
      })
    ).body

  test('a stored card that was cancelled since is rejected with error 150', async () => {
    const card = await store(shop, { customer_ref: 'c9' })
    const { path } = await prepare({ customer_ref: 'c9' })
    await shop.send('DELETE', `/v1/stored_cards/${card.id}`)
    expect(queryOf(await submit(path, { stored_card: card.id })).error_name).toBe(
      'errors.stored_card.not_active',
    )
  })

  describe('that the payer deletes', () => {
    const remove = (path: string, id: number) =>
      submit(path, { action: 'remove_card', stored_card: id })

    test("is cancelled like in the API, and the page and the payment's log show that", async () => {
      const [gone, kept] = [
        await store(shop, { customer_ref: 'r1' }),
        await store(shop, { customer_ref: 'r1' }),
      ]
      const { id, path } = await prepare({ customer_ref: 'r1', payment_method: 'bank' })
      const answer = await remove(`${path}?lang=en`, gone.id)
      expect(queryOf(answer)).toEqual({
        lang: 'en',
        'payment.selected': 'credit_card',
        removed: 'card',
      })
      const html = await open(`${path}${new URL(answer.headers.get('location') ?? '').search}`)
      expect(html).toContain('The card has been removed.')
      expect([html.includes(`value="${gone.id}"`), html.includes(`value="${kept.id}"`)]).toEqual([
        false,
        true,
      ])
      expect((await shop.get<StoredCard>(`/v1/stored_cards/${gone.id}`)).body.status).toBe(
        'cancelled',
      )
      const told = { event: 'card_removed', stored_card_id: gone.id, by: 'page' }
      const { log_events } = await find(id)
      expect(log_events.filter(({ data }) => data.event === 'card_removed')).toMatchObject([
        { data: told },
      ])
      await remove(path, gone.id)
      expect((await find(id)).log_events).toEqual(log_events)
    })

    test("stays if it is another customer's, or if the payment is made", async () => {
      const card = await store(shop, { customer_ref: 'r2' })
      const { path } = await prepare({ customer_ref: 'r3' })
      expect(queryOf(await remove(path, card.id))).toEqual({})
      const own = await prepare({ customer_ref: 'r2' })
      await submit(own.path, CARD)
      await remove(own.path, card.id)
      expect((await shop.get<StoredCard>(`/v1/stored_cards/${card.id}`)).body.status).toBe('active')
    })

    test.each([undefined, '', '0', 'all', '99999999999999999999'])(
      'is ignored if it is %s',
      async (id) => {
        const { path } = await prepare({ customer_ref: 'r4' })
        const answer = await submit(path, { action: 'remove_card', stored_card: id })
        expect([answer.status, queryOf(answer)]).toEqual([303, {}])
      },
    )
  })

  test('requires its security code if the merchant sets that', async () => {
    const client = shop.as(ASKING)
    const card = await store(client)
    const { path } = await prepare({ customer_ref: 'c7' }, client)
    const details = { email: 'a@b.se', zip: '12345', country_code: 'SWE' }
    const without = await submit(path, { ...details, stored_card: card.id })
    expect(without.body).toContain('data-error="errors.card_cvv.missing"')
    expect(
      queryOf(await submit(path, { ...details, stored_card: card.id, card_cvv: '200' })).status,
    ).toBe('approved')
  })

  test('is created if the payer ticks the box, for a named customer, if the merchant allows it', async () => {
    const { id, path } = await prepare({ customer_ref: 'c10' })
    expect(await open(path)).toContain('name="store_card"')
    await submit(path, { ...CARD, store_card: true })
    expect((await find(id)).stored_card).not.toBeNull()
    const nobody = await prepare()
    expect(await open(nobody.path)).not.toContain('name="store_card"')
    await submit(nobody.path, { ...CARD, store_card: true })
    expect((await find(nobody.id)).stored_card).toBeNull()
    expect(
      await open((await prepare({ customer_ref: 'c11' }, shop.as(ASKING))).path),
    ).not.toContain('name="store_card"')
  })
})

describe('plans on the page', () => {
  const terms = { name: 'Monthly', interval: 1, interval_unit: 'months', prices: '{"sek":"99.00"}' }
  const newPlan = async () => (await shop.post<{ id: number }>('/v1/plans', terms)).body.id

  test('are the plans in metadata.plans: ?plan= preselects a plan, and paying starts its subscription', async () => {
    const [first, second] = [await newPlan(), await newPlan()]
    const { id, path } = await prepare({ metadata: JSON.stringify({ plans: [first, second] }) })
    expect(await open(`${path}?plan=${second}`)).toContain(`value="${second}" checked`)
    expect(await open(path)).toContain(`value="${first}" checked`)
    await submit(path, { ...CARD, plan_id: second })
    expect((await find(id)).subscription).not.toBeNull()
  })

  test('plans that the page does not offer cannot be chosen', async () => {
    const [offered, other] = [await newPlan(), await newPlan()]
    for (const plans of [{}, { metadata: JSON.stringify({ plans: [offered] }) }]) {
      const { id, path } = await prepare(plans)
      await submit(path, { ...CARD, plan_id: other })
      expect(await find(id)).toMatchObject({ status: 'approved', subscription: null })
    }
  })
})

describe("the payer's fields on the page", () => {
  test('are those of the setting payer_details: checked, stored, and typed once', async () => {
    const client = shop.as(ASKING)
    const { id, path } = await prepare({}, client)
    const { status, body } = await submit(path, { ...CARD, email: 'anna', zip: '123 45' })
    expect(status).toBe(422)
    for (const field of ['email', 'country_code']) expect(body).toContain(`<a href="#${field}">`)
    expect(body).toContain('value="123 45"')
    const details = { email: 'anna@example.com', zip: '123 45', country_code: 'SWE' }
    expect(queryOf(await submit(path, { ...CARD, ...details })).status).toBe('approved')
    expect((await find(id, client)).payment_details).toMatchObject(details)
  })

  test("contain the merchant's data at first", async () => {
    const details = JSON.stringify({ email: 'kim@example.com' })
    expect(
      await open((await prepare({ payment_details: details }, shop.as(ASKING))).path),
    ).toContain('value="kim@example.com"')
  })

  test.each([['metadata["newsletter"]'], ['metadata[newsletter]']])(
    'are stored in metadata if an input has the name %s',
    async (name) => {
      const { id, path } = await prepare({ metadata: '{"order":{"id":7}}' })
      await submit(path, { ...CARD, [name]: 'on', 'metadata[note]': 'Ring the bell' })
      expect((await find(id)).metadata).toEqual({
        order: { id: 7 },
        newsletter: true,
        note: 'Ring the bell',
      })
    },
  )

  test('never set service_instructions, and never contain a card number', async () => {
    const { id, path } = await prepare()
    await submit(path, {
      ...CARD,
      'metadata[service_instructions][fail_as_code]': '129',
      'metadata[note]': CARD.card_number,
    })
    const { status, metadata } = await find(id)
    expect(status).toBe('approved')
    expect(JSON.stringify(metadata)).not.toMatch(/service|4111111111111111/)
  })
})
