import { describe, expect, test } from 'vitest'
import { type Fields, preparePage, TEMPLATES } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway({ templates: TEMPLATES })

const prepare = (over: Fields = {}) => preparePage(shop, { template_id: 3, ...over })

describe('the address of a page with template=none', () => {
  test('shows the built-in page, whose links and errors stay there', async () => {
    const { path } = await prepare()
    const { body } = await shop.browser.get<string>(`${path}?template=none&lang=en`)
    expect(body).toContain('Card number')
    expect(body).toContain('href="?lang=sv&amp;template=none"')
    const wrong = await shop.browser.submit(`${path}?template=none`, { card_number: '1' })
    expect(wrong.status).toBe(422)
    const longer = await shop.browser.submit(`${path}?template=none`, { action: 'extend' })
    expect(longer.headers.get('location')).toMatch(/\?template=none$/)
    expect((await shop.browser.get<string>(path)).body).not.toContain('Kortnummer')
  })

  test('has links without template=none if the payment has no page template', async () => {
    const { path } = await prepare({ template_id: undefined })
    expect((await shop.browser.get<string>(`${path}?lang=en`)).body).toContain('href="?lang=sv"')
  })

  test('shows a page also if the parameter is a list, which is ignored', async () => {
    const { path } = await prepare()
    for (const address of [path, '/v1/form/nowhere']) {
      const { headers } = await shop.browser.get<string>(`${address}?template[]=none`)
      expect(headers.get('content-type')).toContain('text/html')
    }
  })
})
