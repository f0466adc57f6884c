import { describe, expect, test } from 'vitest'
import { TEST_PERSONS } from '../../../mock-gateway/acquirer/test-persons.ts'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { findEntryByCode } from '../../../mock-gateway/domain/errors/errors.ts'
import { type Fields, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { PAYER, preparedInvoice } from './fields.ts'

const shop = await sharedGateway()

const page = (await shop.post('/v1/transactions', prepared())).body

const tokenOf = ({ href }: Transaction) => href.split('/').at(-1)

/** Looks up an address like the payment page of this transaction, without a password. */
const lookUp = <Body = unknown>(transaction: Transaction, over: Fields = {}) =>
  shop.browser.get<Body>('/v1/ssn', {
    token: tokenOf(transaction),
    transaction_id: transaction.id,
    merchant_id: transaction.merchant_id,
    test: true,
    ssn: '199006022397',
    country: 'SWE',
    ...over,
  })

describe('the address of a personal number', () => {
  for (const { country, number, registered } of TEST_PERSONS)
    test(`of the test person ${number} in ${country} is ${registered ? 'found' : 'not found'}`, async () => {
      const { status, body } = await lookUp(page, { ssn: number, country })
      if (registered) expect(body).toEqual({ id: page.id, address_2: null, ...registered, country })
      else expect({ status, body }).toMatchObject({ status: 400, body: { code: 265 } })
    })

  for (const [ssn, country] of [
    ['9006022397', 'SWE'],
    ['900602-2397', 'SWE'],
    ['19900602-2397', 'se'],
  ] as const)
    test(`is found for ${ssn} in ${country}`, async () => {
      expect((await lookUp<{ city: string }>(page, { ssn, country })).body).toMatchObject({
        country: 'SWE',
        zip: '99999',
      })
    })

  test('the address of any other payer is the one that the merchant sent', async () => {
    const { body } = await shop.post('/v1/transactions', preparedInvoice({ address_2: 'c/o Bo' }))
    const { personal_number, country_code, ...address } = PAYER
    const found = await lookUp(body, { ssn: personal_number })
    expect(found.body).toEqual({
      id: body.id,
      ...address,
      address_2: 'c/o Bo',
      country: country_code,
    })
  })

  test('the address of any other payer is not found if the merchant sent none: error 265', async () => {
    expect((await lookUp(page, { ssn: PAYER.personal_number })).body).toMatchObject({ code: 265 })
  })
})

describe('a look-up is rejected for', () => {
  const CASES: readonly (readonly [what: string, over: Fields, code: number])[] = [
    ['no token', { token: undefined }, 2090],
    ['an unknown token', { token: 'A'.repeat(22) }, 2090],
    ['no transaction_id', { transaction_id: undefined }, 2090],
    ['another transaction_id', { transaction_id: 999_999 }, 2090],
    ['another merchant_id', { merchant_id: 2 }, 2090],
    ['no ssn', { ssn: undefined }, 209],
    ['no country', { country: '' }, 209],
    ['a country where invoices are not offered', { country: 'DNK' }, 220],
    ['a wrong check digit', { ssn: '199006022398' }, 238],
    ['a number without century in Norway', { country: 'NOR', ssn: '9006022397' }, 238],
  ]
  for (const [what, over, code] of CASES)
    test(`${what}: error ${code}`, async () => {
      const { status, headers, body } = await lookUp<{ code: number }>(page, over)
      expect({ status, code: body.code }).toEqual({ status: findEntryByCode(code)?.http, code })
      expect(headers.get('mondido-explain')).toMatch(/^\S.{10,}/)
    })
})
