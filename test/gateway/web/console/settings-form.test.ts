import { beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'
import { type ConsoleClient, loggedIn, textOf } from './client.ts'

const KEY = 'a-key-of-our-own'
const GIVEN = { ...MERCHANT, id: 7, settings: { page_minutes: 17 } }
const OTHER = { ...MERCHANT, id: 8 }

const shop = await sharedGateway({ merchants: [GIVEN, OTHER], control: KEY })

const settingsOf = async (id: number) =>
  (await controlOf(shop.gateway).get<{ settings: object }>(`/merchants/${id}`)).body.settings

/** Returns the part of a page about one setting. */
const fieldOf = (html: string, name: string) =>
  html.split('<div class="field">').find((each) => each.includes(`>${name}<`)) ?? ''

describe('the form for settings', () => {
  let client: ConsoleClient
  beforeAll(async () => {
    client = await loggedIn(shop.gateway, 8)
  })

  test('applies changes immediately, keeps unchanged values, and resets empty ones to their defaults', async () => {
    const saved = await client.post('/8/settings/save', {
      page_tries: '3',
      payer_options: 'webhook, authorize',
      strict_hash: 'true',
    })
    expect([saved.status, saved.to]).toEqual([303, '/console/8/settings/change?done=saved'])
    await client.post('/8/settings/save', { page_tries: '', page_minutes: '90' })
    expect(await settingsOf(8)).toMatchObject({
      page_tries: 10,
      payer_options: ['webhook', 'authorize'],
      strict_hash: true,
    })
  })

  test('rejects a wrong value next to its field, which keeps the typed text, and saves nothing', async () => {
    const before = await settingsOf(8)
    const typed = { page_tries: '4', page_minutes: '-7', administrators: '<b>[{"key":1}]' }
    const { status, html } = await client.post('/8/settings/save', typed)
    expect(status).toBe(400)
    expect(textOf(fieldOf(html, 'page_minutes'))).toMatch(/>=0|Too small/)
    expect(fieldOf(html, 'page_minutes')).toContain('value="-7"')
    expect(fieldOf(html, 'page_minutes')).toContain('aria-invalid="true"')
    expect(fieldOf(html, 'page_tries')).toContain('value="4"')
    expect(html).not.toContain('<b>[')
    expect(await settingsOf(8)).toEqual(before)
  })

  test('creates another pair of keys', async () => {
    const keyIn = async () =>
      /-----BEGIN PUBLIC KEY-----[^-]*/.exec((await client.get('/8/settings')).html)?.[0]
    const before = await keyIn()
    expect((await client.post('/8/settings/keys')).to).toBe('/console/8/settings?done=keys_renewed')
    expect(await keyIn()).not.toBe(before)
  })
})
