import { describe, expect, test } from 'vitest'
import { MERCHANT } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'
import { loggedIn, textOf } from './client.ts'

const KEY = 'a-key-of-our-own'
const GIVEN = { ...MERCHANT, id: 7, settings: { page_minutes: 17 } }
const OTHER = { ...MERCHANT, id: 8 }

const shop = await sharedGateway({ merchants: [GIVEN, OTHER], control: KEY })

const settingsOf = async (id: number) =>
  (await controlOf(shop.gateway).get<{ settings: object }>(`/merchants/${id}`)).body.settings

/** Returns the part of a page about one setting. */
const fieldOf = (html: string, name: string) =>
  html.split('<div class="field">').find((each) => each.includes(`>${name}<`)) ?? ''

describe('the form for settings', async () => {
  const client = await loggedIn(shop.gateway, 8)

  test('applies changes of a group immediately, and resets empty values to their defaults', async () => {
    const { status, to } = await client.post('/8/settings/account', {
      payer_options: 'webhook, authorize',
      strict_hash: 'true',
    })
    expect([status, to]).toEqual([303, '/console/8/settings?done=saved'])
    await client.post('/8/settings/payment-page', { page_tries: '3', page_minutes: '30' })
    await client.post('/8/settings/payment-page', { page_tries: '', page_minutes: '30' })
    expect(await settingsOf(8)).toMatchObject({
      page_tries: 10,
      page_minutes: 30,
      payer_options: ['webhook', 'authorize'],
      strict_hash: true,
    })
    expect(textOf((await client.get('/8/settings')).html)).toContain(
      'Payment page Minutes until the payment page expires: 30',
    )
  })

  test('rejects a wrong value next to its field, which keeps the typed text, and saves nothing', async () => {
    const before = await settingsOf(8)
    const typed = { page_tries: '4', page_minutes: '-7', page_test_helper: '<b>[' }
    const { status, html } = await client.post('/8/settings/payment-page', typed)
    expect(status).toBe(400)
    expect(textOf(fieldOf(html, 'page_minutes'))).toMatch(/>=0|Too small/)
    expect(fieldOf(html, 'page_minutes')).toContain('value="-7"')
    expect(fieldOf(html, 'page_minutes')).toContain('aria-invalid="true"')
    expect(fieldOf(html, 'page_tries')).toContain('value="4"')
    expect(html).not.toContain('<b>[')
    expect(await settingsOf(8)).toEqual(before)
  })

  test('applies a preset, and shows a setting of the configuration without a field', async () => {
    expect((await client.post('/8/settings/preset', { preset: 'woocommerce-3' })).status).toBe(303)
    expect(await settingsOf(8)).toMatchObject({ strict_hash: false })
    const { html } = await (await loggedIn(shop.gateway, 7)).get('/7/settings?q=page_minutes')
    expect(html).not.toContain('name="page_minutes"')
    expect(html).toContain('is set in the start-up configuration')
  })

  test('creates another pair of keys', async () => {
    const keyIn = async () =>
      /-----BEGIN PUBLIC KEY-----[^-]*/.exec((await client.get('/8/api_keys')).html)?.[0]
    const before = await keyIn()
    expect((await client.post('/8/settings/keys')).to).toBe('/console/8/api_keys?done=keys_renewed')
    expect(await keyIn()).not.toBe(before)
  })
})
