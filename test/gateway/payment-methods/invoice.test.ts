import { describe, expect, test } from 'vitest'
import { TEST_PERSONS } from '../../../mock-gateway/acquirer/test-persons.ts'
import { CARD, MERCHANT } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { ITEM, invoice, PAYER, preparedInvoice } from './fields.ts'

const NO_LIVE = {
  id: 2,
  password: 'test only',
  secret: 's2',
  settings: { live_cards: 'refuse' as const },
}

const shop = await sharedGateway({ merchants: [MERCHANT, NO_LIVE] })

describe('an invoice that is processed', () => {
  test('is authorized after a credit check of the sent name and address', async () => {
    const { status, body } = await shop.post(
      '/v1/transactions',
      invoice({ email: 'anna@example.com' }),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'authorized',
      payment_method: 'invoice',
      transaction_type: 'invoice',
      amount: '10.00',
      org_auth_amount: 10,
      authorize: false,
      items: [ITEM],
      card_number: null,
      card_type: null,
      customer_name: 'Anna Andersson',
      payment_details: { ...PAYER, email: 'anna@example.com', card_number: null },
      payment_response: { result: 'approved', credit_check: 'approved' },
      processed_at: '2026-03-14T12:00:00Z',
      captures: [],
    })
    expect(body.log_events.map(({ data }) => data)).toMatchObject([
      { event: 'created', process: true },
      { event: 'credit_checked', status: 'authorized' },
    ])
  })

  test('can be captured', async () => {
    const { id } = (await shop.post('/v1/transactions', invoice())).body
    const { body } = await shop.put(`/v1/transactions/${id}/capture`, { amount: '4.00' })
    expect(body).toMatchObject({
      status: 'approved',
      amount: '4.00',
      org_auth_amount: 10,
      transaction_type: 'invoice',
    })
  })

  test('accepts metadata after a capture of a part', async () => {
    const { id } = (await shop.post('/v1/transactions', invoice())).body
    await shop.put(`/v1/transactions/${id}/capture`, { amount: '4.00' })
    const { body } = await shop.put(`/v1/transactions/${id}`, {
      metadata: '{"order":5}',
      process: false,
    })
    expect(body).toMatchObject({ status: 'approved', metadata: { order: 5 } })
  })

  test('an invoice in brackets is the same as in JSON', async () => {
    const fields = {
      ...invoice({}, { items: undefined, payment_details: undefined }),
      ...Object.fromEntries(
        Object.entries(PAYER).map(([name, value]) => [`payment_details[${name}]`, value]),
      ),
      ...Object.fromEntries(
        Object.entries(ITEM).map(([name, value]) => [`items[0][${name}]`, value]),
      ),
    }
    expect((await shop.post('/v1/transactions', fields)).body.status).toBe('authorized')
  })

  test('accepts item amounts without decimals and discounts below zero', async () => {
    const items = JSON.stringify([
      { ...ITEM, amount: 15, qty: 3 },
      { ...ITEM, artno: 'discount', amount: '-5.00' },
    ])
    expect((await shop.post('/v1/transactions', invoice({}, { items }))).body.status).toBe(
      'authorized',
    )
  })

  for (const [sent, shown] of [
    [{ country_code: 'se' }, { country_code: 'SWE' }],
    [
      { country_code: 'FI', personal_number: '131052-308t' },
      { country_code: 'FIN', personal_number: '131052-308T' },
    ],
    [{ personal_number: '19121212-1212' }, { personal_number: '191212121212' }],
    [
      { personal_number: undefined, ssn: '19121212 1212' },
      { personal_number: null, ssn: '191212121212' },
    ],
    [
      { segmentation: 'B2B', company_name: 'Cup AB', personal_number: '556036-0793' },
      { segmentation: 'b2b', company_name: 'Cup AB', personal_number: '5560360793' },
    ],
    [{ segmentation: 'b2b', company_name: 'Anna AB' }, { personal_number: '191212121212' }],
  ] as const)
    test(`an invoice with ${JSON.stringify(sent)} shows ${JSON.stringify(shown)}`, async () => {
      expect(
        (await shop.post('/v1/transactions', invoice(sent))).body.payment_details,
      ).toMatchObject(shown)
    })

  test('fails as service_instructions require', async () => {
    const metadata = '{"service_instructions":{"fail_as_code":"errors.invoice.credit_check"}}'
    expect((await shop.post('/v1/transactions', invoice({}, { metadata }))).body.code).toBe(225)
  })

  test('an invoice with test=false is simulated, unless the merchant rejects live payments: error 243', async () => {
    expect((await shop.post('/v1/transactions', invoice({}, { test: false }))).body.status).toBe(
      'authorized',
    )
    const strict = shop.as(NO_LIVE)
    expect((await strict.post('/v1/transactions', invoice({}, { test: false }))).body.code).toBe(
      243,
    )
    expect((await strict.post('/v1/transactions', invoice())).body.status).toBe('authorized')
  })

  test('an invoice in a wrongly formatted amount is rejected with error 1090', async () => {
    expect((await shop.post('/v1/transactions', invoice({}, { amount: '10' }))).body.code).toBe(
      1090,
    )
  })
})

describe('the test person', () => {
  for (const { country, number, registered, refusal } of TEST_PERSONS)
    test(`${number} of ${country} ${refusal ? `is declined with ${refusal}` : 'can buy'}`, async () => {
      const payer = { country_code: country, personal_number: number }
      const fields = invoice(payer)
      const { body } = await shop.post('/v1/transactions', fields)
      if (!refusal)
        return void expect(body).toMatchObject({
          status: 'authorized',
          payment_details: registered,
        })
      expect(body.name).toBe(refusal)
      const [kept] = (
        await shop.get<unknown[]>('/v1/transactions', { 'filter[payment_ref]': fields.payment_ref })
      ).body
      expect(kept).toMatchObject({
        status: 'declined',
        status_details: refusal,
        error: body,
        transaction_type: 'invoice',
        payment_details: { first_name: 'Anna' },
        payment_response: { result: 'declined', credit_check: 'declined', error: refusal },
        org_auth_amount: 10,
      })
    })

  test('gets the invoice at the registered address, under both names of the field', async () => {
    const { number, registered } = TEST_PERSONS[0] ?? expect.fail()
    const elsewhere = { personal_number: number, address: 'Annanvägen 2', address_1: 'Storgatan 1' }
    for (const payer of [
      elsewhere,
      { ...elsewhere, address_1: undefined },
      { ...elsewhere, address: undefined },
    ])
      expect(
        (await shop.post('/v1/transactions', invoice(payer))).body.payment_details,
      ).toMatchObject({
        ...registered,
        address: registered?.address_1,
      })
  })

  test('is treated like any other payer with test=false', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      invoice({ personal_number: '199610202385' }, { test: false }),
    )
    expect(body).toMatchObject({ status: 'authorized', payment_details: { first_name: 'Anna' } })
  })
})

describe('a prepared invoice', () => {
  test('waits for the payer at href', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      preparedInvoice({ personal_number: undefined }),
    )
    expect(body).toMatchObject({
      status: 'pending',
      transaction_type: null,
      payment_method: 'invoice',
    })
    expect(body.href).toContain('/v1/form/')
  })

  test('can have a wrongly formatted amount, which is rejected when paying', async () => {
    const { id, status } = (
      await shop.post('/v1/transactions', preparedInvoice({}, { amount: '10' }))
    ).body
    expect(status).toBe('pending')
    expect((await shop.put(`/v1/transactions/${id}`)).body.code).toBe(1090)
  })

  test('is processed by an update with the missing fields', async () => {
    const { id } = (
      await shop.post('/v1/transactions', preparedInvoice({ personal_number: undefined }))
    ).body
    expect((await shop.put(`/v1/transactions/${id}`)).body.code).toBe(156)
    const details = { 'payment_details[personal_number]': PAYER.personal_number }
    const { body } = await shop.put(`/v1/transactions/${id}`, details)
    expect(body).toMatchObject({ status: 'authorized', payment_details: PAYER })
  })

  for (const [what, over, code] of [
    ['another amount than that of its items', { amount: '11.00' }, 260],
    ['no items', { items: '[]' }, 166],
    [
      'an item without artno',
      { items: '[{"description":"Cup","amount":"10.00","qty":"1","vat":"25"}]' },
      2503,
    ],
    ['a zip of 11 characters', { 'payment_details[zip]': '1'.repeat(11) }, 219],
  ] as const)
    test(`rejects ${what}: error ${code}`, async () => {
      const { id } = (await shop.post('/v1/transactions', preparedInvoice())).body
      expect(
        (await shop.put(`/v1/transactions/${id}`, { ...over, process: false })).body.code,
      ).toBe(code)
    })

  test('becomes a card payment when a card pays it', async () => {
    const { id } = (await shop.post('/v1/transactions', preparedInvoice())).body
    const { body } = await shop.put(`/v1/transactions/${id}`, CARD)
    expect(body).toMatchObject({
      status: 'approved',
      payment_method: 'credit_card',
      transaction_type: 'credit_card',
    })
  })
})

test('after a declined invoice another person can be tried', async () => {
  const fields = invoice({ personal_number: '199610202385' })
  await shop.post('/v1/transactions', fields)
  const query = { 'filter[payment_ref]': fields.payment_ref }
  const [declined] = (await shop.get<readonly { id: number }[]>('/v1/transactions', query)).body
  const details = { 'payment_details[personal_number]': PAYER.personal_number }
  const { body } = await shop.put(`/v1/transactions/${declined?.id}`, details)
  expect(body).toMatchObject({ status: 'authorized', error: null, payment_details: PAYER })
})
