import { expect, test } from 'vitest'
import { CARD, type Fields, MERCHANT, preparePage, startGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway({
  merchants: [{ ...MERCHANT, settings: { logo: 'https://shop.example/logo.png' } }],
})

async function pagesOf(over: Fields) {
  const { path } = await preparePage(shop, { locale: 'en', ...over })
  const form = await shop.browser.get<string>(path)
  const mistaken = await shop.browser.submit(path, {
    ...CARD,
    card_number: '1',
    card_holder: over.payment_ref,
  })
  await shop.browser.submit(path, CARD)
  return [form, mistaken, await shop.browser.get<string>(path)]
}

test('a merchant’s logo is a picture from the origin that the policy names', async () => {
  const [form] = await pagesOf({})
  expect(form?.body).toContain('<img src="https://shop.example/logo.png" alt="Merchant 1"')
  expect(form?.headers.get('content-security-policy')).toContain(
    "img-src 'self' https://shop.example;",
  )
})

test.each([
  'javascript:alert(1)',
  'http://shop.example/a.png',
  'data:text/html;base64,PGI+',
  'https://a.example/"onerror=x',
])('the logo %s is rejected', async (logo) => {
  await expect(startGateway({ merchants: [{ ...MERCHANT, settings: { logo } }] })).rejects.toThrow(
    'logo',
  )
})

test.each([
  '*',
  'https://*',
  'https://*.example',
  'shop.example',
  'https://shop.example/path',
  "'self'",
  'http://a; script-src *',
])('the parent %s is rejected', async (parent) => {
  const merchant = { ...MERCHANT, settings: { frame_parents: [parent] } }
  await expect(startGateway({ merchants: [merchant] })).rejects.toThrow('frame_parents')
})
