import { expect, test } from 'vitest'
import { PAGE_METHODS } from '../../../../mock-gateway/domain/order/payment-methods.ts'
import { listSharedData } from '../../../../mock-gateway/web/hosted/payment-form.ts'
import { TEXTS } from '../../../../mock-gateway/web/hosted/texts.ts'

const NOTHING_ASKED = { payer_details: [] }
test.each(PAGE_METHODS)(
  'for %s the page tells the payer which data of the payment and the browser the shop gets',
  (method) => {
    const [ofMethod] = listSharedData(TEXTS.en, method, NOTHING_ASKED)
    expect(ofMethod).toBe(TEXTS.en.methods[method].follows)
    expect(listSharedData(TEXTS.sv, method, NOTHING_ASKED).at(-1)).toBe(
      'Din webbläsare och IP-adress',
    )
  },
)

test('the page lists the fields that the payer fills in by their labels', () => {
  const said = (method: 'swish' | 'invoice') =>
    listSharedData(TEXTS.en, method, { payer_details: ['email', 'zip'] })[1]
  expect(said('swish')).toBe('What you fill in here: E-mail, Postcode')
  expect(said('invoice')).toBe('What you fill in here: E-mail, Phone')
})
