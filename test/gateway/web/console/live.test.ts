/**
 * Tests of server-sent events of the console (HTML standard, 9.2): which streams get a message, and
 * when streams end.
 */

import { describe, expect, test } from 'vitest'
import { runGateway } from '../../../../mock-gateway/cli.ts'
import { clientAt, payment } from '../../../helpers/gateway.ts'
import { share } from '../../../helpers/shared.ts'
import { ask, formTokenAt, listenTo, logInAt, logOutAt } from './listener.ts'

const KEY = 'a-key-of-our-own'

const gateway = await share(
  runGateway(['--memory', '--port', '0', '--control-key', KEY], { LOG_LEVEL: 'silent' }, () => {}),
)
const console = `${gateway.url}/console`
const shop = clientAt(gateway.url, gateway.merchant)

const asMerchant = () => logInAt(gateway.url, '1', gateway.merchant.password)

describe('a stream', () => {
  test('sends a merchant the names of changes, and the interval for updates', async () => {
    const stream = await listenTo(`${console}/1/live`, await asMerchant())
    expect(stream.answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, private',
    })
    const paid = await shop.post('/v1/transactions', payment())
    const { changed, pace } = await stream.next()
    const names = [
      `transactions/${paid.body.id}`,
      `requests/${paid.headers.get('x-request-id')}`,
      'data',
    ]
    expect([changed, pace]).toEqual([names, 1000])
    stream.leave()
  })

  test('is closed to visitors without a login, and to other merchants (attack 116)', async () => {
    const stranger = await ask(`${console}/1/live`)
    expect([stranger.statusCode, stranger.headers.location]).toEqual([
      303,
      '/console/login?to=%2Fconsole%2F1%2Flive',
    ])
    const cookie = await asMerchant()
    for (const path of ['/live', '/2/live'])
      expect((await ask(console + path, cookie)).statusCode).toBe(404)
  })

  test('ends with its session, and sends nothing more', async () => {
    const cookie = await asMerchant()
    const stream = await listenTo(`${console}/1/live`, cookie)
    await logOutAt(gateway.url, '/console/1', cookie)
    expect(await stream.ended).toEqual([])
  })

  test('ends immediately when the password changes, on a page or in the control API; streams of other merchants continue', async () => {
    const control = { 'x-control-key': KEY, 'content-type': 'application/json' }
    const change = (path: string, body: object, method = 'POST') =>
      fetch(`${gateway.url}/_control${path}`, {
        method,
        headers: control,
        body: JSON.stringify(body),
      })
    await change('/merchants', { id: 77, password: 'first-password' })
    const other = await listenTo(`${console}/1/live`, await asMerchant())
    const all = await listenTo(`${console}/live`, await logInAt(gateway.url, 'admin', KEY))
    for (const [before, after] of [
      ['first-password', 'second-password'],
      ['second-password', 'third-password'],
    ] as const) {
      const cookie = await logInAt(gateway.url, '77', before)
      const stream = await listenTo(`${console}/77/live`, cookie)
      if (before === 'first-password') await change('/merchants/77', { password: after }, 'PUT')
      else {
        const form_token = await formTokenAt(`${console}/77/settings`, cookie)
        const form = { form_token, old_password: before, password: after, password_again: after }
        expect((await ask(`${console}/77/settings/password`, cookie, form)).statusCode).toBe(303)
      }
      await stream.ended
    }
    await shop.get('/v1/plans')
    for (const stream of [other, all]) {
      expect((await stream.next()).changed.length).toBeGreaterThan(0)
      stream.leave()
    }
  })
})
