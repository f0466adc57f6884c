import { expect, test } from 'vitest'
import {
  CARD,
  createMerchant,
  encode,
  type Fields,
  MERCHANT,
  prepared,
} from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const WITHOUT_HELPER = createMerchant(2, { page_test_helper: false })
const shop = await sharedGateway({ merchants: [MERCHANT, WITHOUT_HELPER] })

/** Pays a payment, and opens the page of its steps. */
async function openStory(client: Pick<typeof shop, 'post'> = shop, over: Fields = {}) {
  const { body } = await client.post('/v1/transactions', prepared({ locale: 'en', ...over }))
  const path = new URL(body.href).pathname
  await shop.browser.send('POST', path, encode(CARD))
  const receipt = await shop.browser.get<string>(path)
  return { path, receipt: receipt.body, story: await shop.browser.get<string>(`${path}/story`) }
}

test('the test helper leads to the steps of a payment, without the data that only the merchant sees', async () => {
  const webhook = { trigger: 'payment_success', http_method: 'post', data_format: 'json' }
  const url = 'https://shop.example/hook?key=of-the-shop'
  const { path, receipt, story } = await openStory(shop, {
    metadata: '{"note":"of the shop"}',
    webhook: JSON.stringify({ ...webhook, url }),
  })
  expect(receipt).toContain(`href="http://localhost:4400${path}/story?lang=en"`)
  expect(story.status).toBe(200)
  for (const step of ['Creates the payment', 'Submits the payment page', 'Requests the payment'])
    expect(story.body).toContain(`<span>${step}</span>`)
  expect(story.body).not.toMatch(/of[- ]the[- ]shop|<dl>|<pre/)
})

test.each([
  ['a merchant without the test helper', WITHOUT_HELPER, {}],
  ['a live payment', MERCHANT, { test: false }],
] as const)('payers of %s see no steps', async (_whose, merchant, over) => {
  const { receipt, story } = await openStory(shop.as(merchant), over)
  expect(receipt).not.toContain('/story')
  expect([story.status, story.body.includes('class="sequence"')]).toEqual([404, false])
})
