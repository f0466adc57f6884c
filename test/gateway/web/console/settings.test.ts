import { describe, expect, test } from 'vitest'
import { MERCHANT } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

const KEY = 'a-key-of-our-own'
const SIGNING = `whsec_${'a'.repeat(40)}`
const ids = [2, 3, 4, 5, 6, 7, 8, 9] as const
const settings = {
  page_minutes: 17,
  webhook_keys: [SIGNING],
  administrators: [{ email: 'kim@shop.example' }],
}

const others = ids.map((id) => ({ ...MERCHANT, id, settings }))
const shop = await sharedGateway({ merchants: [MERCHANT, ...others], control: KEY })

const apiStatus = async (id: number, password: string) =>
  (
    await shop.browser.get(
      '/v1/transactions',
      {},
      { authorization: `Basic ${btoa(`${id}:${password}`)}` },
    )
  ).status

const change = (password: string, old: string = MERCHANT.password) => ({
  old_password: old,
  password,
  password_again: password,
})

describe('a rotation', () => {
  const rotateAt = (id: number, fields: object) =>
    [`/${id}/settings/rotate`, { part: 'both', hours: '24', ...fields }] as const

  test('shows the new secret and password once, and the values that the next start would restore', async () => {
    const client = await loggedIn(shop.gateway, 8)
    const { status, html } = await client.post(...rotateAt(8, { old_password: MERCHANT.password }))
    expect([status, textOf(html)]).toEqual([
      200,
      expect.stringContaining('Write the new values there'),
    ])
    const [, password = ''] = /Password<.*?>([\w-]{22})</s.exec(html.replaceAll('<wbr>', '')) ?? []
    const again = await loggedIn(shop.gateway, 8, password)
    const settingsPage = (await again.get('/8/api_keys')).html
    expect(textOf(settingsPage)).toContain('Previous password valid until')
    expect(settingsPage).not.toContain(password)
    expect([await apiStatus(8, password), await apiStatus(8, MERCHANT.password)]).toEqual([
      200, 200,
    ])
  })

  test('requires the current password, and valid parts and hours', async () => {
    const client = await loggedIn(shop.gateway, 9)
    expect((await client.post(...rotateAt(9, { old_password: 'a wrong one' }))).status).toBe(401)
    for (const fields of [{ part: 'keys' }, { hours: '-1' }, { hours: '2161' }])
      expect(
        (await client.post(...rotateAt(9, { old_password: MERCHANT.password, ...fields }))).status,
      ).toBe(400)
    expect(await apiStatus(9, MERCHANT.password)).toBe(200)
  })
})

describe('a password', () => {
  test('can be changed with the old one, and the only remaining session is a new one', async () => {
    const [client, elsewhere] = [await loggedIn(shop.gateway, 3), await loggedIn(shop.gateway, 3)]
    const before = client.cookie()
    const { status, to } = await client.post('/3/settings/password', change('pass ord: åäö'))
    expect([status, to]).toEqual([303, '/console/3/api_keys?done=password_changed'])
    expect(client.cookie()).not.toBe(before)
    expect(textOf((await client.get('/3/api_keys?done=password_changed')).html)).toContain(
      'The password was changed.',
    )
    expect((await elsewhere.get('/3')).to).toContain('/console/login')
    await loggedIn(shop.gateway, 3, 'pass ord: åäö')
    expect(await apiStatus(3, MERCHANT.password)).toBe(401)
  })

  test('can be set by the administrator without the old one, who stays logged in', async () => {
    const administrator = await loggedIn(shop.gateway, 'admin', KEY)
    expect((await administrator.get('/4/api_keys')).html).not.toContain('old_password')
    const { status } = await administrator.post('/4/settings/password', change('forgotten', ''))
    expect(status).toBe(303)
    expect((await administrator.get('/4')).status).toBe(200)
    await loggedIn(shop.gateway, 4, 'forgotten')
  })

  test('counts as a failed login if the old one is wrong, and locks the account', async () => {
    const client = await loggedIn(shop.gateway, 5)
    for (let time = 0; time < 10; time += 1) {
      const { status, html } = await client.post(
        '/5/settings/password',
        change('another one', 'wrong one'),
      )
      expect(status).toBe(401)
      expect(textOf(html)).toContain('errors.authentication.failed')
      expect(html).toContain('name="old_password"')
    }
    const { status, html } = await client.post('/5/settings/password', change('another one'))
    expect([status, textOf(html).includes('errors.account.locked')]).toEqual([403, true])
  })

  test('can be changed by a logged-in merchant while ten failed logins lock its account', async () => {
    const client = await loggedIn(shop.gateway, 7)
    for (let time = 0; time < 10; time += 1) expect(await apiStatus(7, 'wrong')).toBe(401)
    expect(await apiStatus(7, MERCHANT.password)).toBe(403)
    expect(
      (await client.post('/7/settings/password', change('another one', 'wrong one'))).status,
    ).toBe(401)
    expect((await client.post('/7/settings/password', change('another one'))).status).toBe(303)
    expect(await apiStatus(7, 'another one')).toBe(200)
  })
})
