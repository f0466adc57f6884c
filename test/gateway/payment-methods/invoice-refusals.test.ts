import { describe, expect, test } from 'vitest'
import { findEntryByCode } from '../../../mock-gateway/domain/errors/errors.ts'
import type { Fields } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { ITEM, invoice, type PayerFields, preparedInvoice } from './fields.ts'

const shop = await sharedGateway()

async function refused(fields: Fields, code: number) {
  const { status, headers, body } = await shop.post('/v1/transactions', fields)
  expect({ status, code: body.code }).toEqual({ status: findEntryByCode(code)?.http, code })
  expect(headers.get('mondido-explain')).toMatch(/^\S.{10,}/)
  const { body: kept } = await shop.get<unknown[]>('/v1/transactions', {
    'filter[payment_ref]': fields.payment_ref,
  })
  expect(kept).toEqual([])
}

const items = (...rows: readonly Readonly<Record<string, unknown>>[]) => ({
  items: JSON.stringify(rows),
})

describe('an invoice, prepared or not, is rejected for', () => {
  const CASES: readonly (readonly [what: string, over: Fields, code: number])[] = [
    ['no items', { items: undefined }, 166],
    ['an empty list of items', { items: '[]' }, 166],
    ['items that are not a list', { items: '{"artno":"1"}' }, 254],
    ['an item without artno', items({ ...ITEM, artno: '' }), 2503],
    ['an artno of 51 characters', items({ ...ITEM, artno: 'x'.repeat(51) }), 315],
    ['an item without description', items({ ...ITEM, description: '' }), 255],
    ['a description of 151 characters', items({ ...ITEM, description: 'x'.repeat(151) }), 258],
    ['an item without amount', items({ ...ITEM, amount: '' }), 257],
    ['an item amount in words', items({ ...ITEM, amount: 'ten' }), 259],
    ['an item without qty', items({ ...ITEM, qty: '' }), 2511],
    ['an item without vat', items({ ...ITEM, vat: '' }), 2502],
    ['items that cost less than the transaction', items({ ...ITEM, amount: '9.99' }), 260],
    ['items that cost more than the transaction', items(ITEM, ITEM), 260],
    ['no payment_details', { payment_details: undefined }, 164],
    ['empty payment_details', { payment_details: '{}' }, 164],
  ]
  for (const [what, over, code] of CASES)
    for (const make of [invoice, preparedInvoice])
      test(`${what}: error ${code} (${make.name})`, () => refused(make({}, over), code))
})

describe('an invoice that is processed is rejected for', () => {
  const CASES: readonly (readonly [what: string, payer: PayerFields, code: number])[] = [
    ['no country_code', { country_code: undefined }, 161],
    ['no personal_number', { personal_number: undefined }, 156],
    ['no first_name', { first_name: undefined }, 159],
    ['no last_name', { last_name: '' }, 160],
    ['no address', { address_1: undefined }, 162],
    ['no zip', { zip: undefined }, 158],
    ['no city', { city: undefined }, 163],
    ['no company_name of a company', { segmentation: 'b2b' }, 1600],
  ]
  for (const [what, payer, code] of CASES) {
    test(`${what}: error ${code}`, () => refused(invoice(payer), code))
    test(`${what}, but not if it is prepared, because the payer adds the field`, async () => {
      expect((await shop.post('/v1/transactions', preparedInvoice(payer))).body.status).toBe(
        'pending',
      )
    })
  }
})

describe("a payer's field is rejected, prepared or not, for", () => {
  const CASES: readonly (readonly [what: string, payer: PayerFields, code: number])[] = [
    ['a segmentation that is neither b2c nor b2b', { segmentation: 'c2c' }, 1601],
    ['an invalid country_code', { country_code: 'Sweden' }, 220],
    ['a country where invoices are not offered', { country_code: 'DNK' }, 154],
    ['a personal number with a wrong check digit', { personal_number: '191212121213' }, 211],
    ['a personal number in words', { personal_number: 'twelve' }, 211],
    ['an ssn with a wrong check digit', { personal_number: undefined, ssn: '191212121213' }, 211],
    ['a Swedish personal number without its century', { personal_number: '121212-1212' }, 240],
    ['a Swedish number in Norway', { country_code: 'NOR' }, 211],
    ['the number of a company for a person', { personal_number: '556036-0793' }, 211],
    ['no number of a company', { segmentation: 'b2b', personal_number: '556036-0794' }, 267],
    ['a first_name of 101 characters', { first_name: 'x'.repeat(101) }, 212],
    ['a last_name of 101 characters', { last_name: 'x'.repeat(101) }, 213],
    ['an address_1 of 101 characters', { address_1: 'x'.repeat(101) }, 216],
    ['an address of 101 characters', { address_1: undefined, address: 'x'.repeat(101) }, 216],
    ['an address_2 of 101 characters', { address_2: 'x'.repeat(101) }, 311],
    ['a zip of 11 characters', { zip: '1'.repeat(11) }, 219],
    ['a city of 256 characters', { city: 'x'.repeat(256) }, 218],
    ['a company_name of 101 characters', { company_name: 'x'.repeat(101) }, 324],
    ['an email without @', { email: 'anna.example.com' }, 214],
    ['an email of 257 characters', { email: `${'a'.repeat(245)}@example.com` }, 337],
    ['a phone in words', { phone: 'call me' }, 215],
    ['a campaign of 256 characters', { campaign: 'x'.repeat(256) }, 1601],
  ]
  for (const [what, payer, code] of CASES)
    for (const make of [invoice, preparedInvoice])
      test(`${what}: error ${code} (${make.name})`, () => refused(make(payer), code))
})

test('if there are several mistakes, the first one in the documented order is reported', async () => {
  const nothing = {
    country_code: 'SWE',
    last_name: undefined,
    zip: undefined,
    city: undefined,
    address_1: undefined,
  }
  await refused(
    invoice(
      { ...nothing, personal_number: undefined, first_name: undefined },
      { items: undefined },
    ),
    166,
  )
  await refused(invoice({ ...nothing, personal_number: undefined, first_name: undefined }), 156)
  await refused(invoice({ ...nothing, first_name: undefined }), 159)
  await refused(invoice(nothing), 160)
})
