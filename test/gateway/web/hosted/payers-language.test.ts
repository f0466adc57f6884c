import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../../mock-gateway/contract/wire.ts'
import { CARD, type Fields, preparePage } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { cardOf, hiddenField, pathOf, payerAt } from '../../three-d-secure/payer.ts'
import { controlOf } from '../control/client.ts'

const shop = await sharedGateway()

/** Prepares a payment for which the merchant requests Swedish. */
const prepare = (over: Fields = {}) => preparePage(shop, { locale: 'sv', ...over })
const { submit } = shop.browser
const follow = async (path: string, fields: Fields) =>
  payerAt(shop).follow(await submit(path, fields))
const look = async (path: string) => (await shop.browser.get<string>(path)).body
const requestOf = async (id: number) =>
  (await shop.get<Transaction>(`/v1/transactions/${id}`)).body.payment_request
const [ENGLISH, SWEDISH] = ['<html lang="en">', '<html lang="sv">']

describe('the language that a payer chose', () => {
  test('is used on the receipt whenever it is opened, and returned with the payment', async () => {
    const { id, path } = await prepare()
    await submit(`${path}?lang=en`, CARD)
    expect(await look(path)).toContain(ENGLISH)
    expect(await requestOf(id)).toMatchObject({ locale: 'en' })
  })

  test('is used at the bank, and afterwards', async () => {
    const { path } = await prepare()
    const bank = await follow(`${path}?lang=en`, { ...CARD, card_number: cardOf(10) })
    expect(bank.html).toContain(ENGLISH)
    expect(await look(path)).toContain(ENGLISH)
  })

  test('that was chosen at the bank is used on the page of a payment without another language', async () => {
    const control = controlOf(shop.gateway)
    const { url } = (await control.post('/payment-links', { amount: '10.00', currency: 'sek' }))
      .body
    const { pathname } = new URL(String(url))
    const page = await follow(pathname, { attempt: 'A'.repeat(22) })
    const bank = await follow(new URL(page.address).pathname, { ...CARD, card_number: cardOf(10) })
    expect(bank.html).toContain(SWEDISH)
    const answered = await follow(`${new URL(bank.address).pathname}?lang=en`, { action: 'cancel' })
    const action = / action="([^"]*)"/.exec(answered.html)?.[1] ?? ''
    const back = await follow(pathOf(action), { cres: hiddenField(answered.html, 'cres') })
    expect(back.html).toContain(ENGLISH)
  })

  test('is used at the bank after a form that pays immediately', async () => {
    const { html } = await payerAt(shop).pay({ card_number: cardOf(10), lang: 'en', locale: 'sv' })
    expect(html).toContain(ENGLISH)
  })
})

describe('a form that cannot be parsed is answered in the language', () => {
  const TWICE = 'card_cvv=1&card_cvv=2'
  const inSwedish = { 'accept-language': 'sv' }
  test.each([
    ['of the address', (path: string) => `${path}?lang=en`, TWICE],
    ['of an address that cannot be parsed', (path: string) => `${path}?lang=en&a=%zz`, 'a=1'],
    ['that the merchant requested', (path: string) => path, TWICE],
  ])('%s', async (_what, addressOf, body) => {
    const { path } = await prepare({ locale: addressOf('') === '' ? 'en' : 'sv' })
    const { status, body: html } = await shop.browser.send<string>(
      'POST',
      addressOf(path),
      body,
      inSwedish,
    )
    expect([status, html]).toEqual([400, expect.stringContaining(ENGLISH)])
  })
})
