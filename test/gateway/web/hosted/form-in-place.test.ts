import { describe, expect, test } from 'vitest'
import {
  CARD,
  createMerchant,
  type Fields,
  hashed,
  MERCHANT,
  prepared,
} from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const APP = createMerchant(2, { form_in_place: true })
const shop = await sharedGateway({ merchants: [MERCHANT, APP] })

const submit = (fields: Fields) => shop.browser.submit('/v1/form', fields)
const order = (over: Fields = {}, merchant: typeof APP | typeof MERCHANT = APP) =>
  hashed(
    { ...prepared({ locale: 'en', ...over }), process: undefined, merchant_id: merchant.id },
    merchant,
  )
const tokenIn = (html: string) => /name="page_token" value="([\w-]+)"/.exec(html)?.[1]

/** Posts an order, and returns the token of the page that answers. */
async function startPage() {
  const { status, body } = await submit(order())
  expect(status).toBe(200)
  return { page_token: tokenIn(body), html: body }
}

describe('with form_in_place, the order form', () => {
  test('gets the payment page as its answer, whose forms stay there and whose links lead to the page’s own address', async () => {
    const { html, page_token } = await startPage()
    const forms = [...html.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form)
    expect(forms.length).toBeGreaterThan(1)
    for (const form of forms) {
      const [, action = 'form'] = / action="([^"]*)"/.exec(form) ?? []
      expect([action, tokenIn(form)]).toEqual(['form', page_token])
    }
    const links = [...html.matchAll(/href="([^"]*\?lang=[^"]*)"/g)].map(([, link]) => link)
    expect(links.length).toBeGreaterThan(1)
    for (const link of links)
      expect(link?.replace('/story', '')).toContain(
        `http://localhost:4400/v1/form/${page_token}?lang=`,
      )
  })

  test('pays with a card, and leads to the shop', async () => {
    const { page_token } = await startPage()
    const { status, headers } = await submit({ ...CARD, page_token })
    expect(status).toBe(303)
    expect(headers.get('location')).toMatch(/^https:\/\/.*[?&]status=approved/)
  })

  test('shows the bank in a frame, which leads back out of it', async () => {
    const { page_token } = await startPage()
    const { status, headers, body } = await submit({
      ...CARD,
      card_number: '4000000000001091',
      page_token,
    })
    expect(status).toBe(200)
    expect(body).toContain(
      `<iframe class="bank-frame" src="http://localhost:4400/v1/acs/payment/${page_token}"`,
    )
    expect(headers.get('content-security-policy')).toContain("frame-src 'self'")
    const result = await shop.browser.get<string>(`/v1/form/${page_token}/result`)
    expect(result.body).toContain(
      '<form method="post" action="http://localhost:4400/v1/form" target="_top"',
    )
    expect(result.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    const after = await submit({ action: 'after_bank', page_token })
    expect([after.status, after.body.includes('bank-frame')]).toEqual([200, true])
  })
})

test('without form_in_place, the order form leads to the address of the page', async () => {
  const { status, headers } = await submit(order({}, MERCHANT))
  expect(status).toBe(303)
  expect(headers.get('location')).toMatch(/^http:\/\/localhost:4400\/v1\/form\/[\w-]{22}$/)
})
