import { describe, expect, test } from 'vitest'
import { MERCHANT } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

const OF_SETTINGS = {
  name: 'configured',
  trigger: 'refund',
  url: 'https://shop.example/configured',
}
const RIVAL = { ...MERCHANT, id: 2 }
const PAID = { name: 'paid', trigger: 'payment_success', url: 'https://shop.example/hook?a=1' }

const shop = await sharedGateway({
  merchants: [{ ...MERCHANT, settings: { webhooks: [OF_SETTINGS] } }, RIVAL],
})
const client = await loggedIn(shop.gateway)
const rival = await loggedIn(shop.gateway, 2)

const kept = async () =>
  (await controlOf(shop.gateway).get<object[]>('/webhooks/templates?merchant_id=1')).body

describe('templates of webhooks', () => {
  test('are created, changed and deleted with forms', async () => {
    const form = {
      ...PAID,
      http_method: 'post',
      data_format: 'form_data',
      email: '',
      type: '',
      template_id: '',
    }
    expect((await client.post('/1/webhook_templates', form)).to).toBe(
      '/console/1/webhook_templates?done=saved',
    )
    expect(await kept()).toMatchObject([
      { ...PAID, type: 'CustomHttp', data_format: 'form_data', template_id: null },
    ])
    const page = await client.get('/1/webhook_templates')
    expect(textOf(page.html)).toContain(
      'paid payment_success POST https://shop.example/hook?a=1 form_data',
    )
    const { html } = await client.get('/1/webhook_templates/paid')
    expect(html).toContain('name="url" value="https://shop.example/hook?a=1"')
    expect(html).toContain('<option selected>form_data')
    const mail = { ...form, url: '', email: 'ada@example.org', template_id: '7' }
    const unknown = await client.post('/1/webhook_templates/paid/change', mail)
    expect(textOf(unknown.html)).toContain('no mail template 7')
    await controlOf(shop.gateway).post('/templates', {
      name: 'mail',
      kind: 'receipt',
      source: 'Thanks',
    })
    mail.template_id = '1'
    await client.post('/1/webhook_templates/paid/change', { ...mail, name: 'other' })
    expect(await kept()).toMatchObject([
      { name: 'paid', type: 'Email', email: 'ada@example.org', template_id: 1 },
    ])
    await client.post('/1/webhook_templates', {
      name: 'receipt',
      trigger: 'refund',
      type: 'receipt',
    })
    expect((await client.get('/1/webhook_templates/receipt')).html).toContain(
      'value="receipt" selected',
    )
    for (const name of ['paid', 'receipt'])
      expect((await client.post(`/1/webhook_templates/${name}/remove`)).to).toContain(
        'done=removed',
      )
    expect(await kept()).toEqual([])
  })

  test('templates with mistakes are shown again as typed, with the reason', async () => {
    const wrong = { ...PAID, url: 'ftp://"shop', data_format: 'xml', template_id: 'x' }
    const added = await client.post('/1/webhook_templates', wrong)
    expect(added.status).toBe(400)
    expect(textOf(added.html)).toContain('1510, errors.webhook_template.invalid')
    for (const value of [
      'value="paid"',
      'value="ftp://&quot;shop"',
      '<option selected>xml',
      'value="x"',
    ])
      expect(added.html).toContain(value)
    const unnamed = await client.post('/1/webhook_templates', { ...PAID, name: '' })
    expect(textOf(unnamed.html)).toContain('must be 1 to 64 letters, digits, _ or -')
    await client.post('/1/webhook_templates', PAID)
    const changed = await client.post('/1/webhook_templates/paid/change', {
      trigger: '',
      url: PAID.url,
    })
    expect(textOf(changed.html)).toContain('A webhook needs a trigger')
    expect(changed.html).toContain('action="/console/1/webhook_templates/paid/change"')
    expect(await kept()).toMatchObject([PAID])
    await client.post('/1/webhook_templates/paid/remove')
  })

  test('templates from the settings are shown, but cannot be changed here', async () => {
    const { html } = await client.get('/1/webhook_templates')
    expect(textOf(html)).toContain('configured refund POST https://shop.example/configured')
    expect(html).not.toContain('/webhook_templates/configured"')
    const { status, html: refused } = await client.get('/1/webhook_templates/configured')
    expect(status).toBe(404)
    expect(textOf(refused)).toContain('1511, errors.webhook_template.not_found')
    expect((await client.post('/1/webhook_templates/configured/change', PAID)).status).toBe(404)
  })

  test('of another merchant are not found (attack 116, idor-console)', async () => {
    await client.post('/1/webhook_templates', PAID)
    expect((await rival.get('/1/webhook_templates')).status).toBe(404)
    expect((await rival.get('/2/webhook_templates/paid')).status).toBe(404)
    for (const act of ['change', 'remove'])
      expect((await rival.post(`/2/webhook_templates/paid/${act}`, PAID)).status).toBe(404)
    for (const path of ['/1/webhook_templates', '/1/controls/webhooks.setSending'])
      expect((await rival.post(path, { ...PAID, delay: 5 })).status).toBe(404)
    await rival.post('/2/webhook_templates', { ...PAID, merchant_id: 1, name: 'theirs' })
    expect(await kept()).toMatchObject([PAID])
  })
})

describe('webhook signing keys', () => {
  const OWN = `whsec_${btoa('a key of 32 bytes that is secret')}`
  const keys = async () =>
    (await controlOf(shop.gateway).get<{ settings: { webhook_keys: string[] } }>('/merchants/1'))
      .body.settings.webhook_keys

  test('are created and shown once, or imported, and later only their endings are shown', async () => {
    expect(textOf((await client.get('/1/webhook_templates')).html)).toContain(
      'Webhooks are signed with a key that is derived from the merchant’s secret.',
    )
    const { html } = await client.post('/1/webhook_keys/new', { key: '' })
    const [made = ''] = /whsec_[\w+/]{43}=/.exec(html.replaceAll('<wbr>', '')) ?? []
    expect((await client.post('/1/webhook_keys/new', { key: OWN })).to).toContain(
      '/1/webhook_templates?done=saved',
    )
    const page = (await client.get('/1/webhook_templates')).html.replaceAll('<wbr>', '')
    expect(textOf(page)).toContain(`whsec_***${made.slice(-4)}`)
    for (const key of [made, OWN]) expect(page).not.toContain(key)
    expect((await client.post('/1/webhook_keys/1/remove')).to).toContain('done=removed')
    expect((await client.post('/1/webhook_keys/7/remove')).status).toBe(404)
    expect((await client.get('/1/webhook_templates')).html).toContain(`whsec_***${OWN.slice(-4)}`)
    expect(JSON.stringify(await keys())).not.toContain(made)
  })

  test('keys with mistakes are rejected next to the field', async () => {
    const { status, html } = await client.post('/1/webhook_keys/new', { key: '<img src=x>' })
    expect(status).toBe(400)
    expect(html).toMatch(
      /id="wrong-key"[^>]*>The key cannot be used: .*must be whsec_ followed by base64/,
    )
    expect(html).toContain('value="&lt;img src=x&gt;"')
  })

  test('of another merchant cannot be seen or changed (attacks 116 idor-console, 47 csrf-console)', async () => {
    for (const path of ['/1/webhook_keys/new', '/1/webhook_keys/1/remove'])
      expect((await rival.post(path, { key: OWN })).status).toBe(404)
    expect((await client.post('/1/webhook_keys/1/remove', { form_token: 'x' })).status).toBe(401)
    expect((await client.get('/1/webhook_templates')).html).toContain(`whsec_***${OWN.slice(-4)}`)
  })
})
