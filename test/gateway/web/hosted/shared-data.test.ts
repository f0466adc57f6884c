import { expect, test } from 'vitest'
import { PAGE_METHODS } from '../../../../mock-gateway/domain/order/payment-methods.ts'
import { listSharedData } from '../../../../mock-gateway/web/hosted/shared-data.ts'
import { TEXTS } from '../../../../mock-gateway/web/hosted/texts.ts'
import { payment, prepared, startGateway } from '../../../helpers/gateway.ts'

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

test('card values on the page equal those of the transaction', async () => {
  const shop = await startGateway()
  const { body } = await shop.post('/v1/transactions', payment())
  expect(body).toMatchObject({
    card_number: '411111******1111',
    card_expiry: '1230',
    card_holder: 'Anna Andersson',
  })
  const { href } = (await shop.post('/v1/transactions', prepared({ locale: 'en' }))).body
  const page = (await shop.browser.get<string>(new URL(href).pathname)).body
  expect(page).toContain(
    '<li>The name on the card, when it expires, its type, and the first six and last four digits of its number</li>',
  )
  await shop.close()
})
