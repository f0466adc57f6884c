import { beforeAll, describe, expect, test } from 'vitest'
import { PRESETS } from '../../../../mock-gateway/domain/presets.ts'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
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

  test('finds settings by words of their names, labels and descriptions', async () => {
    const found = async (q: string) => {
      const { html } = await client.get(`/8/settings/change?${new URLSearchParams({ q })}`)
      return [...html.matchAll(/<code>(\w+)<\/code><\/label>/g)].map(([, name]) => name)
    }
    expect(await found('page_tries')).toEqual(['page_tries'])
    expect(await found('Expires minutes')).toEqual(['page_minutes'])
    expect(await found('no such setting')).toEqual([])
    expect((await found('')).length).toBeGreaterThan(25)
  })

  test('describes each setting with the text of its schema', async () => {
    const { html } = await client.get('/8/settings/change')
    expect(textOf(fieldOf(html, 'page_tries'))).toContain('Number of attempts on a payment page.')
    expect(fieldOf(html, 'strict_hash')).toContain('<option value="false" selected>no</option>')
    expect(textOf(fieldOf(html, 'payer_options'))).toContain(
      'One or more of webhook, store_card, authorize',
    )
    expect((await client.get('/8/settings')).html).toContain('/console/8/settings/change')
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

  test('sets everything that an old client needs', async () => {
    await client.post('/8/settings/preset', { preset: 'prestashop' })
    expect(await settingsOf(8)).toMatchObject(PRESETS.prestashop.settings)
    const refused = await client.post('/8/settings/preset', { preset: 'shopify' })
    expect(textOf(refused.html)).toContain('preset must be one of woocommerce-1')
  })

  test('does not change values of the start-up configuration, and explains that', async () => {
    const given = await loggedIn(shop.gateway, 7)
    const { html } = await given.get('/7/settings/change')
    expect(textOf(fieldOf(html, 'page_minutes'))).toContain(
      '17 is set in the start-up configuration',
    )
    const { html: refused } = await given.post('/7/settings/save', { page_minutes: '5' })
    expect(textOf(refused)).toContain(
      'The start-up configuration defines page_minutes of this merchant. Change it there',
    )
  })

  test('does not change settings of another merchant', async () => {
    for (const path of ['save', 'preset', 'keys'])
      expect(
        (await client.post(`/7/settings/${path}`, { page_tries: '2', preset: 'ios' })).status,
      ).toBe(404)
    expect((await client.get('/7/settings/change')).status).toBe(404)
    expect((await client.post('/merchants', { name: 'Mine' })).status).toBe(404)
  })

  test('creates another pair of keys', async () => {
    const keyIn = async () =>
      /-----BEGIN PUBLIC KEY-----[^-]*/.exec((await client.get('/8/settings')).html)?.[0]
    const before = await keyIn()
    expect((await client.post('/8/settings/keys')).to).toBe('/console/8/settings?done=keys_renewed')
    expect(await keyIn()).not.toBe(before)
  })
})

describe('a merchant that the administrator creates', () => {
  let client: ConsoleClient
  beforeAll(async () => {
    client = await loggedIn(shop.gateway, 'admin', KEY)
  })

  test('has its password and secret shown once', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const { html } = await client.post('/merchants', { name, preset: 'woocommerce-3' })
    const [, id, password = '', secret = ''] =
      /Id (\d+) .*Password (\S+) Secret (\S+)/.exec(textOf(html.slice(html.indexOf('<main')))) ?? []
    expect(html).not.toContain('<img')
    const made = { id: Number(id), password, secret }
    expect((await shop.as(made).post('/v1/transactions', payment())).status).toBe(200)
    expect(await settingsOf(made.id)).toMatchObject(PRESETS['woocommerce-3'].settings)
    const { html: list } = await client.get('/merchants')
    expect(list).not.toContain(secret)
    expect(list).not.toContain('<img')
    expect(textOf(list)).toContain(`${id} ${name} the database`)
  })

  test('is rejected with the typed values', async () => {
    const { status, html } = await client.post('/merchants', { id: '7', name: 'Cups' })
    expect(status).toBe(400)
    expect(textOf(html)).toContain('Merchant 7 already exists')
    expect(html).toContain('value="Cups"')
  })
})
