import { describe, expect, test } from 'vitest'
import type { StoredCard } from '../../../../mock-gateway/contract/wire.ts'
import { entryByKey } from '../../../../mock-gateway/domain/errors/errors.ts'
import { PAYMENT_METHODS } from '../../../../mock-gateway/domain/order/payment-methods.ts'
import { qrCodeOf } from '../../../../mock-gateway/web/pages/qr.ts'
import {
  CARD,
  encode,
  type Fields,
  MERCHANT,
  prepared,
  type TestGateway,
  type TestMerchant,
} from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { ITEM, PAYER } from '../../payment-methods/fields.ts'

const FEW: TestMerchant = {
  id: 2,
  password: 'few methods',
  secret: 's2',
  settings: { payment_methods: ['swish', 'bank'] },
}
const ASKING: TestMerchant = {
  id: 3,
  password: 'asks a lot',
  secret: 's3',
  settings: {
    payer_details: ['email', 'zip', 'country_code'],
    stored_card_cvv: true,
    payer_options: [],
  },
}

const shop = await sharedGateway({ merchants: [MERCHANT, FEW, ASKING] })

type Client = Pick<TestGateway, 'post'>
async function prepare(over: Fields = {}, client: Client = shop) {
  const { body } = await client.post('/v1/transactions', prepared({ locale: 'en', ...over }))
  return { id: body.id, path: new URL(body.href).pathname, ref: body.payment_ref }
}
const open = async (path: string) => (await shop.browser.send<string>('GET', path)).body
const submit = (path: string, fields: Fields) =>
  shop.browser.send<string>('POST', path, encode(fields))
const find = async (id: number, client: Pick<TestGateway, 'get'> = shop) =>
  (await client.get(`/v1/transactions/${id}`)).body
const queryOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
const offered = (html: string) =>
  [...html.matchAll(/payment\.selected=(\w+)/g)].map(([, name]) => name)
const chosen = (html: string) => /payment\.selected=(\w+)" aria-current/.exec(html)?.[1]

const ITEMS = { items: JSON.stringify([ITEM]) }

test('the code of Swish opens the page on the payer’s phone', async () => {
  const { body } = await shop.post('/v1/transactions', prepared({ locale: 'en' }))
  const { pathname } = new URL(body.href)
  await submit(pathname, { payment_method: 'swish', swish_number: '0701234567' })
  expect(await open(pathname)).toContain(`d="${qrCodeOf(`${body.href}?lang=en`)?.path}"`)
})

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

  test('only cards for a plan, because nothing else can be charged again', async () => {
    const terms = {
      name: 'Monthly',
      interval: 1,
      interval_unit: 'months',
      prices: '{"sek":"10.00"}',
    }
    const plan = (await shop.post<{ id: number }>('/v1/plans', terms)).body
    expect(offered(await open((await prepare({ plan_id: plan.id })).path))).toEqual([])
  })
})

describe('the page opens with', () => {
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
  ])('%s', async (_what, over, query, name) => {
    expect(chosen(await open((await prepare(over)).path + query))).toBe(name)
  })
})

const { swish, bank, paypal } = PAYMENT_METHODS

describe.each(Object.entries({ swish, bank, paypal }))(
  'a payer who pays with %s',
  (method, { asked }) => {
    const FORM =
      method === 'swish'
        ? { payment_method: 'swish', swish_number: '070-123 45 67' }
        : { payment_method: method }

    test.each(Object.entries(asked.answers))('and answers %s', async (answer, refusal) => {
      const { id, path } = await prepare()
      const asked = await submit(path, FORM)
      expect([asked.status, new URL(asked.headers.get('location') ?? '').pathname]).toEqual([
        303,
        path,
      ])
      const page = await open(path)
      expect(page).toContain(`name="answer" value="${answer}"`)
      if (refusal)
        expect(page).toContain(`returns error ${entryByKey(refusal.error).code} ${refusal.error}`)
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

  test('can still be paid with another method', async () => {
    const { id, path } = await swish()
    expect(queryOf(await submit(path, { action: 'back' }))).toEqual({})
    expect(await open(path)).toContain('id="swishform"')
    await shop.gateway.clock.advance({ seconds: 600 })
    expect((await find(id)).status).toBe('pending')
    expect(queryOf(await submit(path, CARD)).status).toBe('approved')
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

  test('reserves the money if the merchant sets that', async () => {
    const { path } = await swish({ authorize: true })
    expect(queryOf(await submit(path, { action: 'answer', answer: 'approved' })).status).toBe(
      'authorized',
    )
  })
})

describe('a form of an old page', () => {
  test.each([
    ['swish=1', { swish: 1, swish_number: '46701234567' }, 'swish'],
    ['paypal=1', { paypal: 1 }, 'paypal'],
    ['trustly=1', { trustly: 1 }, 'bank'],
  ] as const)('can contain %s', async (_what, fields, method) => {
    const { id, path } = await prepare()
    await submit(path, fields)
    expect(await find(id)).toMatchObject({ status: 'pending', payment_method: method })
    expect(await open(path)).toContain('id="simulator"')
  })

  test('can contain masterpass=1, which is treated as a card', async () => {
    const { path } = await prepare()
    expect(queryOf(await submit(path, { ...CARD, masterpass: 1 })).status).toBe('approved')
  })

  test('can send a whole invoice in one request', async () => {
    const { id, path } = await prepare(ITEMS)
    const { personal_number: ssn, ...payer } = PAYER
    const answer = await submit(path, {
      ...payer,
      ssn,
      payment_method: 'invoice',
      email: 'a@b.se',
      phone: '0701234567',
    })
    expect(queryOf(answer).status).toBe('authorized')
    expect(await find(id)).toMatchObject({
      transaction_type: 'invoice',
      payment_details: { last_name: 'Andersson' },
    })
  })
})

describe('an invoice', () => {
  const KNOWN = { email: 'anna@example.com', phone: '070-123 45 67' }
  const buy = (path: string, fields: Fields) =>
    submit(path, { payment_method: 'invoice', step: 'payer', ...fields })
  const NUMBER = { country_code: 'SWE', personal_number: '199006022397' }
  const wrongIn = (html: string) =>
    [...html.matchAll(/aria-invalid="true"[^>]*aria-describedby="(\w+)_problem/g)].map(
      ([, field]) => field,
    )

  test('is bought with one button, because the register has the address', async () => {
    const { id, path } = await prepare(ITEMS)
    const first = await open(`${path}?payment.selected=invoice`)
    for (const field of ['email', 'phone', 'country_code', 'personal_number'])
      expect(first).toContain(`id="${field}"`)
    expect(first).not.toContain('id="address_1"')
    expect(queryOf(await buy(path, { ...KNOWN, ...NUMBER })).status).toBe('authorized')
    const { payment_details } = await find(id)
    expect(payment_details).toMatchObject({
      email: KNOWN.email,
      last_name: 'Fakturasson',
      zip: '99999',
    })
    const receipt = await open(path)
    expect(receipt).toContain('>The purchase is complete</h1>')
    expect(receipt).toContain('<dt>Payment method</dt><dd>Invoice</dd>')
    expect(receipt).toMatch(/<dt>Date<\/dt><dd><time/)
    expect(receipt).toContain('T**** F**********')
    expect(receipt).not.toContain('Fakturasson')
  })

  test('shows each mistake at its field, and does not send the order', async () => {
    const { id, path } = await prepare(ITEMS)
    const slips = {
      email: 'anna',
      phone: '12',
      country_code: 'SWE',
      personal_number: '199006022398',
    }
    const { status, body } = await buy(path, slips)
    expect([status, wrongIn(body)]).toEqual([422, ['email', 'phone', 'personal_number']])
    expect(body).not.toContain('id="address_1"')
    expect((await find(id)).status).toBe('pending')
  })

  test('asks an unregistered person for the address, with the same button', async () => {
    const { id, path } = await prepare(ITEMS)
    const unknown = { ...KNOWN, ...NUMBER, personal_number: PAYER.personal_number }
    const asked = await buy(path, unknown)
    expect([
      asked.status,
      asked.body.includes('name="step" value="address"'),
      wrongIn(asked.body),
    ]).toEqual([200, true, []])
    const step = { ...unknown, step: 'address' }
    const without = await buy(path, { ...step, first_name: 'Anna', zip: '11122' })
    expect([without.status, wrongIn(without.body)]).toEqual([
      422,
      ['last_name', 'address_1', 'city'],
    ])
    const { first_name, last_name, address_1, zip, city } = PAYER
    expect(
      queryOf(await buy(path, { ...step, first_name, last_name, address_1, zip, city })).status,
    ).toBe('authorized')
    expect((await find(id)).payment_details).toMatchObject({ last_name, city })
  })

  test("contains the merchant's data, but not the number", async () => {
    const details = JSON.stringify({ ...PAYER, ...KNOWN })
    const { path } = await prepare({
      ...ITEMS,
      payment_method: 'invoice',
      payment_details: details,
    })
    const html = await open(path)
    expect(html).toContain(`value="${KNOWN.email}"`)
    expect(html).not.toContain(PAYER.personal_number)
  })

  test.each([
    ['199107172380', 'errors.invoice.address_not_found'],
    ['199610202385', 'errors.invoice.credit_approval_failed'],
    ['199312162390', 'errors.invoice.amount.requested.higher_than_maximum_purchase_amount'],
    ['199312172381', 'errors.invoice.amount.requested.lower_than_minimum_purchase_amount'],
  ])(
    'an invoice of the test person %s is declined with %s',
    async (personal_number, error_name) => {
      const { path } = await prepare(ITEMS)
      const fields = { ...PAYER, ...KNOWN, payment_method: 'invoice', personal_number }
      expect(queryOf(await submit(path, fields))).toMatchObject({ error_name, status: 'declined' })
    },
  )
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

  test('is offered only to its customer, without its token, and pays', async () => {
    const card = await store()
    const { id, path } = await prepare({ customer_ref: 'c7' })
    const html = await open(path)
    expect(html).toContain(`name="stored_card" value="${card.id}" checked`)
    expect(html).not.toContain(card.token)
    expect(queryOf(await submit(path, { stored_card: card.id })).status).toBe('approved')
    expect(await find(id)).toMatchObject({
      payment_method: 'stored',
      card_type: 'STORED_CARD',
      stored_card: { id: card.id },
    })
    const other = await prepare({ customer_ref: 'c8' })
    expect(await open(other.path)).not.toContain('stored_card_none')
    expect((await submit(other.path, { stored_card: card.id })).status).toBe(422)
    expect(await open((await prepare()).path)).not.toContain('stored_card_none')
  })

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

  test.each([
    ['201', 'errors.payment.declined'],
    ['202', 'errors.card_cvv.invalid'],
    ['203', 'errors.card.expired'],
  ])(
    'is declined for the code %s with %s if the merchant requires a code, and otherwise not',
    async (code, name) => {
      for (const client of [shop.as(ASKING), shop]) {
        const asks = client !== shop
        const card = await store(client, { customer_ref: `code ${code}` })
        const { id, path } = await prepare({ customer_ref: `code ${code}` }, client)
        const sent = {
          email: 'a@b.se',
          zip: '12345',
          country_code: 'SWE',
          stored_card: card.id,
          card_cvv: code,
        }
        const told = queryOf(await submit(path, sent))
        expect(told).toMatchObject(
          asks ? { status: 'declined', error_name: name } : { status: 'approved' },
        )
        expect((await find(id, client)).stored_card).toEqual({ id: card.id })
      }
    },
  )

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

  test('suggest another address for a typing error, and change nothing', async () => {
    const client = shop.as(ASKING)
    const { id, path } = await prepare({}, client)
    const sent = { ...CARD, email: 'anna@gmial.com', zip: '12345', country_code: 'SWE' }
    const { body } = await submit(path, { ...sent, card_cvv: '' })
    expect(body).toContain('Did you mean anna@gmail.com?')
    expect(body).toContain('value="anna@gmial.com"')
    await submit(path, sent)
    expect((await find(id, client)).payment_details).toMatchObject({ email: 'anna@gmial.com' })
  })

  test('appear on the receipt, for an invoice only with first letters, and never with the personal number', async () => {
    const details = {
      email: 'anna@example.com',
      first_name: 'Anna',
      last_name: 'Berg',
      address_1: 'Storgatan 1',
    }
    const where = { zip: '123 45', city: 'Lund', country_code: 'SWE' }
    const card = await prepare({ payment_details: JSON.stringify({ ...details, ...where }) })
    await submit(card.path, CARD)
    const receipt = await open(card.path)
    for (const text of ['Anna Berg', 'anna@example.com', 'Storgatan 1, 123 45 Lund, Sweden'])
      expect(receipt).toContain(`<dd>${text}</dd>`)
    const invoice = await prepare(ITEMS)
    const number = { country_code: 'SWE', personal_number: '199006022397' }
    await submit(invoice.path, {
      payment_method: 'invoice',
      email: 'a@b.se',
      phone: '0701234567',
      ...number,
    })
    const masked = await open(invoice.path)
    expect(masked).toContain('<dd>T**** F**********</dd>')
    expect(masked).not.toMatch(/Fakturasson|199006022397/)
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
