import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveTemplate } from '../../../../mock-gateway/templates/save.ts'
import { MERCHANT, payment, START } from '../../../helpers/gateway.ts'
import { until } from '../../../helpers/sink.ts'
import { openShop, type Shop } from '../../webhooks/shop.ts'
import { type ConsoleClient, consoleOf, textOf, withoutOwnScript } from './client.ts'

const OWN = {
  name: 'paid',
  type: 'email',
  trigger: 'payment_success',
  email: 'own@example.org',
  template_id: 7,
}
const RIVAL = { ...MERCHANT, id: 2 }
const SCRIPT = '<script>alert(1)</script>'

let shop: Shop
let client: ConsoleClient
let rival: ConsoleClient
beforeAll(async () => {
  shop = await openShop({ merchants: [{ ...MERCHANT, settings: { webhooks: [OWN] } }, RIVAL] })
  client = consoleOf(shop.gateway)
  rival = consoleOf(shop.gateway)
  await client.logIn(1, MERCHANT.password)
  await rival.logIn(2, RIVAL.password)
  const source =
    'Subject: {{ transaction.payment_ref }}\n<h1>Thanks</h1>{{ transaction.payment_ref }}'
  await saveTemplate(shop.database.db, 1, 7, { name: 'paid', kind: 'receipt', source }, START)
})
afterAll(() => shop.close())

/**
 * Pays, and waits for the mail.
 * @returns the path of its page
 */
async function mailed(payment_ref: string): Promise<string> {
  await shop.post('/v1/transactions', payment({ payment_ref }))
  return until(async () => {
    const { html } = await client.get('/1/mails')
    const [, path] = textOf(html).includes(payment_ref)
      ? (/href="\/console(\/1\/mails\/\d+)"/.exec(html) ?? [])
      : []
    return path
  })
}

describe('a mail', () => {
  test('is listed, shown, and downloaded as a file', async () => {
    const older = await mailed('first')
    const path = await mailed('second')
    const { html } = await client.get('/1/mails')
    expect(textOf(html)).toMatch(/own@example\.org second \d+ kept/)
    expect(html.indexOf(`${path}"`)).toBeLessThan(html.indexOf(`${older}"`))
    const mail = await client.get(path)
    expect(textOf(mail.html)).toContain('second From gateway@mondido.local To own@example.org Date')
    expect(mail.html).toContain('&lt;h1&gt;Thanks&lt;/h1&gt;second')
    expect(mail.html).toMatch(/href="\/console\/1\/transactions\/\d+"/)
    expect(mail.html).toMatch(/href="\/console\/1\/webhooks\/\d+"/)
    expect(mail.html).toMatch(/action="\/console\/1\/webhooks\/\d+\/send"/)
    const file = await client.get(`${path}.eml`)
    expect(file.headers.get('content-type')).toContain('message/rfc822')
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="mail-\d+\.eml"$/,
    )
    expect(file.html).toMatch(
      /^From: gateway@mondido\.local\r\nTo: own@example\.org\r\nSubject: second\r$/m,
    )
  })

  test('is shown as text, including its subject (attack 30, console-stored-xss)', async () => {
    const path = await mailed(SCRIPT)
    for (const page of ['/1/mails', path]) {
      const { html } = await client.get(page)
      expect(html).toContain('&lt;script&gt;alert(1)')
      expect(withoutOwnScript(html)).not.toContain('<script')
    }
  })

  test('of another merchant is not found (attack 116, idor-console)', async () => {
    const path = await mailed('mine')
    for (const end of ['', '.eml']) {
      expect((await rival.get(`${path}${end}`)).status).toBe(404)
      expect((await rival.get(`${path.replace('/1/', '/2/')}${end}`)).status).toBe(404)
    }
    expect(textOf((await rival.get('/2/mails')).html)).toContain('No mails yet.')
    expect((await client.get('/1/mails/x.eml')).status).toBe(404)
  })
})
