import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PAYER_FIELDS } from '../../mock-gateway/domain/payer/page-fields.ts'
import { launchBrowser } from '../helpers/browser.ts'
import { clientAt, type Fields, prepared } from '../helpers/gateway.ts'
import { callControl, runInMemory } from '../helpers/running.ts'
import { share } from '../helpers/shared.ts'

/*
 * Tests need the whole browser, which fills in forms as for people. They only choose the values,
 * with the browser's own protocol (Autofill.trigger).
 */
const gateway = await share(runInMemory('--control-key', 'key-of-the-autofill'))
const merchants = [{ id: gateway.merchant.id, settings: { payer_details: PAYER_FIELDS } }]
await callControl(gateway, 'POST', '/fixtures', { merchants })
const browser = await launchBrowser('whole')

const CARD = {
  number: '4111111111111111',
  name: 'Anna Andersson',
  expiryMonth: '12',
  expiryYear: '2030',
  cvc: '200',
}

/** Data of a person, under the names that the browser uses for them. */
const PERSON = {
  NAME_FULL: 'Anna Andersson',
  NAME_FIRST: 'Anna',
  NAME_LAST: 'Andersson',
  EMAIL_ADDRESS: 'anna@example.com',
  PHONE_HOME_WHOLE_NUMBER: '+46701234567',
  ADDRESS_HOME_STREET_ADDRESS: 'Storgatan 1\nLgh 2',
  ADDRESS_HOME_LINE1: 'Storgatan 1',
  ADDRESS_HOME_LINE2: 'Lgh 2',
  ADDRESS_HOME_ZIP: '12345',
  ADDRESS_HOME_CITY: 'Lund',
  ADDRESS_HOME_COUNTRY: 'SE',
}

async function prepare(over: Fields = {}): Promise<string> {
  const urls = { success_url: `${gateway.url}/health?`, error_url: `${gateway.url}/health?` }
  const shop = clientAt(gateway.url, gateway.merchant)
  const { body } = await shop.post('/v1/transactions', prepared({ ...urls, ...over }))
  return body.href
}

/** Opens a page, and waits until it can be filled in. */
async function open(address: string) {
  const { page } = await browser.open()
  await page.goto(address)
  const session = await page.context().newCDPSession(page)
  await session.send('Autofill.enable')
  return { page, session }
}

/**
 * Lets the browser fill in a form from a given field. The browser recognises a new form only a
 * moment after the form appears.
 */
async function fillFrom(
  page: Page,
  session: CDPSession,
  field: string,
  what: object,
): Promise<void> {
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: field,
  })
  const { node } = await session.send('DOM.describeNode', { nodeId })
  await page.focus(field)
  await expect
    .poll(async () => {
      await session
        .send('Autofill.trigger', { fieldId: node.backendNodeId, ...what })
        .catch(() => undefined)
      return page.inputValue(field)
    })
    .not.toBe('')
}

const address = { fields: Object.entries(PERSON).map(([name, value]) => ({ name, value })) }

const filledIn = (page: Page) =>
  page
    .locator('.pay :is(input:not([type=hidden]), select)')
    .evaluateAll((all) =>
      Object.fromEntries(all.map((each) => [each.id, 'value' in each ? each.value : ''])),
    )

const OF_PERSON = {
  email: 'anna@example.com',
  phone: '+46701234567',
  first_name: 'Anna',
  last_name: 'Andersson',
  address_1: 'Storgatan 1',
  address_2: 'Lgh 2',
  zip: '12345',
  city: 'Lund',
  country_code: 'SWE',
}

test('the browser’s own autofill fills in the whole form of a card, which pays', async () => {
  const { page, session } = await open(`${await prepare()}?lang=sv`)
  await fillFrom(page, session, '#email', { address })
  await fillFrom(page, session, '#card_number', { card: CARD })
  await expect
    .poll(() => filledIn(page))
    .toEqual({
      ...OF_PERSON,
      card_number: '4111 1111 1111 1111',
      card_holder: 'Anna Andersson',
      card_expiry: '12 / 2030',
      card_cvv: '200',
    })
  await page.click('.pay .button')
  await page.waitForURL('**/health?*status=approved*')
})

test('the browser’s own autofill fills in every invoice field except the personal number, and the Swish number', async () => {
  const items = JSON.stringify([
    { artno: '1', description: 'Cup', amount: '10.00', qty: '1', vat: '25' },
  ])
  const invoice = await open(`${await prepare({ items })}?lang=en&payment.selected=invoice`)
  await fillFrom(invoice.page, invoice.session, '#email', { address })
  const { email, phone, country_code } = OF_PERSON
  await expect
    .poll(() => filledIn(invoice.page))
    .toEqual({ email, phone, country_code, personal_number: '' })
  const swish = await open(`${await prepare()}?lang=en&payment.selected=swish`)
  await fillFrom(swish.page, swish.session, '#swish_number', { address })
  await expect.poll(() => filledIn(swish.page)).toMatchObject({ swish_number: '+46701234567' })
})
