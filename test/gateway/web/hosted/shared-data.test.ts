import { expect, test } from 'vitest'
import { PAGE_METHODS } from '../../../../mock-gateway/domain/order/payment-methods.ts'
import { listSharedData } from '../../../../mock-gateway/web/hosted/shared-data.ts'
import { TEXTS } from '../../../../mock-gateway/web/hosted/texts.ts'

const NOTHING_ASKED = { payer_details: [] }
test.each(PAGE_METHODS)(
  'for %s the page tells the payer which data of the payment and the browser the shop gets',
  (method) => {
    const [ofMethod] = listSharedData(method, NOTHING_ASKED, 'en')
    expect(ofMethod).toBe(TEXTS.en.methods[method].follows)
    expect(listSharedData(method, NOTHING_ASKED, 'sv').at(-1)).toBe('Din webbläsare och IP-adress')
  },
)

test('the page lists the fields that the payer fills in by their labels', () => {
  const said = (method: 'swish' | 'invoice') =>
    listSharedData(method, { payer_details: ['email', 'zip'] }, 'en')[1]
  expect(said('swish')).toBe('What you fill in here: E-mail, Postcode')
  expect(said('invoice')).toBe('What you fill in here: E-mail, Phone')
})
