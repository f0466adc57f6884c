import { describe, expect, test } from 'vitest'
import { CARD, type Fields, preparePage, TEMPLATES } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway({ templates: TEMPLATES })

async function prepare(over: Fields = {}) {
  const { id, path } = await preparePage(shop, { locale: 'en', ...over })
  const page = (await shop.browser.get<string>(path)).body
  return { id, path, version: /name="version" value="([^"]+)"/.exec(page)?.[1] ?? '' }
}
const submit = (path: string, fields: Fields, headers: Readonly<Record<string, string>>) =>
  shop.browser.submit(path, fields, headers)
const find = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body

const FOREIGN = [
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another port of this machine', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' }],
  ['a page without an origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ['another site, by an old browser', { origin: 'https://evil.example' }],
] as const

describe('attack 48 (csrf-hosted): the form of another page gets the page, and nothing is charged:', () => {
  test.each(FOREIGN)('%s', async (_who, headers) => {
    const { id, path, version } = await prepare()
    for (const fields of [
      CARD,
      { ...CARD, version: 'made up' },
      { action: 'cancel' },
      { payment_method: 'bank' },
    ]) {
      const { status, body } = await submit(path, fields, headers)
      expect([status, body.includes('id="mondidopayform"')]).toEqual([200, true])
    }
    expect(await find(id)).toMatchObject({ status: 'pending', payment_method: 'credit_card' })
    // The page's own form pays, also in a frame without an origin.
    expect((await submit(path, { ...CARD, version }, headers)).headers.get('location')).toContain(
      'status=approved',
    )
  })

  test.each([
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['our own page, on plain http', { origin: 'null' }],
    ['a program', {}],
  ])('the form of %s is paid, with or without a version', async (_who, headers) => {
    const { path } = await prepare()
    expect((await submit(path, CARD, headers)).headers.get('location')).toContain('status=approved')
  })

  test('a merchant’s own page without a version can be paid in a frame without an origin', async () => {
    const { path } = await prepare({ template_id: 3 })
    for (const [, headers] of FOREIGN.slice(0, 3)) {
      const told = (await submit(path, CARD, headers)).headers.get('location') ?? 'the page'
      expect(told).toMatch(headers.origin === 'null' ? /status=approved/ : /^the page$/)
    }
  })
})
