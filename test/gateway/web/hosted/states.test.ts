import { afterAll, beforeAll, expect, test } from 'vitest'
import { STATES } from '../../../../mock-gateway/domain/states.ts'
import { type Database, openDatabase } from '../../../../mock-gateway/storage/database.ts'
import { prepared, startGateway, type TestGateway } from '../../../helpers/gateway.ts'
import { filePlace, type Place } from '../../storage/databases.ts'

let place: Place
let shop: TestGateway
let data: Database
beforeAll(async () => {
  place = await filePlace()
  shop = await startGateway({ database: place.target })
  data = await openDatabase(place.target)
})
afterAll(async () => {
  await data.close()
  await shop.close()
  await place.remove()
})

const FORM = { heading: 'Pay Merchant 1', form: true, back: false, error: undefined }
const RECEIPT = { heading: 'The payment is made', form: false, back: true, error: undefined }
const UNDER_WAY = { heading: 'That did not work', form: false, back: false, error: 'errors.transaction.locked' }

const PAGES = [
  ['pending', FORM],
  ['3ds pending', UNDER_WAY],
  ['authorized', RECEIPT],
  ['capture pending', RECEIPT],
  ['approved', RECEIPT],
  ['declined', FORM],
  ['failed', FORM],
] as const

test('every status has a page, and those that can be paid have the form', () => {
  expect(PAGES.map(([status]) => status)).toEqual(Object.keys(STATES))
  for (const [status, { form }] of PAGES) expect({ status, form }).toEqual({ status, form: STATES[status].payable })
})

test.each(PAGES)('a payment that is %s shows its page, in the language of the merchant', async (status, page) => {
  const { body } = await shop.post('/v1/transactions', prepared({ locale: 'en' }))
  await data.db.updateTable('transactions').set({ status }).where('id', '=', body.id).execute()
  const { status: http, body: html } = await shop.browser.get<string>(new URL(body.href).pathname)
  expect(http).toBe(200)
  expect(html).toContain('<html lang="en">')
  expect({
    heading: /<h1[^>]*>([^<]*)</.exec(html)?.[1],
    form: html.includes('<form'),
    back: html.includes('class="button"'),
    error: /data-error="([^"]*)"/.exec(html)?.[1],
  }).toEqual(page)
})
