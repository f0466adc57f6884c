import { describe, expect, test } from 'vitest'
import { TEST_PERSONS } from '../../../mock-gateway/acquirer/test-persons.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { invoice, preparedInvoice } from './fields.ts'

const shop = await sharedGateway()

describe('an invoice that is processed', () => {
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

  test('is treated like any other payer with test=false', async () => {
    const { body } = await shop.post(
      '/v1/transactions',
      invoice({ personal_number: '199610202385' }, { test: false }),
    )
    expect(body).toMatchObject({ status: 'authorized', payment_details: { first_name: 'Anna' } })
  })
})

describe('a prepared invoice', () => {
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
})
