import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CARD,
  encode,
  type Fields,
  MERCHANT,
  prepared,
  startGateway,
  TEMPLATES,
  type TestGateway,
} from '../../../helpers/gateway.ts'

const TERMS = {
  key: 'terms',
  label: { sv: 'Jag godkänner köpvillkoren', en: 'I accept the terms of sale' },
  required: true,
  link: 'https://shop.example/terms',
} as const
const NEWSLETTER = { key: 'newsletter', label: { sv: 'Nyhetsbrev, tack', en: 'Newsletter, please' } } as const
const NOTE = { key: 'note', type: 'text', label: { sv: 'Hälsning', en: 'Greeting' } } as const

const ASKING = { id: 2, password: 'asks a lot', secret: 's2' }

let shop: TestGateway
beforeAll(async () => {
  const settings = { page_inputs: [TERMS, NEWSLETTER, NOTE] }
  const asking = { ...ASKING, settings: { ...settings, payer_details: ['email' as const] } }
  shop = await startGateway({ merchants: [{ ...MERCHANT, settings }, asking], templates: TEMPLATES })
})
afterAll(() => shop.close())

async function prepare(over: Fields = {}) {
  const { body } = await shop.post('/v1/transactions', prepared({ locale: 'en', ...over }))
  return { id: body.id, path: new URL(body.href).pathname }
}
const open = async (path: string) => (await shop.browser.get<string>(path)).body
const submit = (path: string, fields: Fields) => shop.browser.send<string>('POST', path, encode(fields))
const metadataOf = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body.metadata

describe('what the merchant asks besides', () => {
  test.each([
    ['credit_card', CARD],
    ['swish', { payment_method: 'swish', swish_number: '070-123 45 67' }],
    ['bank', { payment_method: 'bank' }],
    ['paypal', { payment_method: 'paypal' }],
  ])('stands in the form of %s, and its answers are metadata: a tick is true', async (method, fields) => {
    const { id, path } = await prepare({ metadata: '{"order":7}' })
    const html = await open(`${path}?payment.selected=${method}`)
    expect(html).toContain('name="metadata[&#34;newsletter&#34;]"')
    expect(html).not.toMatch(/<input type="checkbox"[^>]* checked/)
    expect(html).toContain('<a href="https://shop.example/terms" target="_blank" rel="noopener">Read more')
    const answers = { 'metadata["terms"]': 'on', 'metadata["newsletter"]': 'on', 'metadata["note"]': 'From Åsa' }
    expect((await submit(path, { ...fields, ...answers })).status).toBe(303)
    expect(await metadataOf(id)).toEqual({ order: 7, terms: true, newsletter: true, note: 'From Åsa' })
  })

  test('is asked again where an answer is needed, and keeps the others', async () => {
    const { id, path } = await prepare()
    const { status, body } = await submit(path, { ...CARD, 'metadata["newsletter"]': 'on', 'metadata["note"]': 'Hi' })
    expect(status).toBe(422)
    expect(body).toContain(
      '<a href="#metadata_terms"><span class="named">I accept the terms of sale</span><span class="told">I accept the terms of sale: required before you can pay.</span></a>',
    )
    expect(body).toMatch(
      /id="metadata_terms"[^>]* required aria-invalid="true" aria-describedby="metadata_terms_problem"/,
    )
    expect(body).toMatch(/id="metadata_newsletter"[^>]* checked/)
    expect(body).toMatch(/id="metadata_note"[^>]* value="Hi"/)
    expect((await submit(path, { ...CARD, 'metadata["terms"]': 'on' })).status).toBe(303)
    expect(await metadataOf(id)).toEqual({ terms: true })
  })

  test('is not asked by a page of the merchant’s own, which asks what it asks', async () => {
    const order = prepared({ template_id: 3 })
    const { href } = (await shop.as(ASKING).post('/v1/transactions', order)).body
    const paid = await submit(new URL(href).pathname, { ...CARD, email: 'a@b.se' })
    expect(paid.headers.get('location')).toContain('status=approved')
    const again = (await shop.as(ASKING).post('/v1/transactions', prepared({ template_id: 3 }))).body
    expect((await submit(new URL(again.href).pathname, CARD)).headers.get('location')).toContain('status=approved')
  })

  test('is no place for a card number', async () => {
    const { id, path } = await prepare()
    const answers = { 'metadata["terms"]': 'on', 'metadata["note"]': '4111 1111 1111 1111' }
    const { status, body } = await submit(path, { ...CARD, ...answers })
    expect(status).toBe(422)
    expect(body).toContain('Greeting: do not type a card number here.')
    expect(await metadataOf(id)).toBeNull()
  })

  test.each([
    ['a key that steers the page', { ...NOTE, key: 'plans' }],
    ['a key that is no name', { ...NOTE, key: '"><script>' }],
    ['one language only', { key: 'a', label: { sv: 'A' } }],
    ['a link that is a script', { ...TERMS, link: 'javascript:alert(1)' }],
    ['a key that another one has', NOTE],
  ])('is not had with %s', async (_what, question) => {
    const settings = { page_inputs: [{ ...TERMS, key: NOTE.key }, question] } as never
    await expect(startGateway({ merchants: [{ ...MERCHANT, settings }] })).rejects.toThrow('page_inputs')
  })
})
