import { beforeAll, describe, expect, test } from 'vitest'
import {
  CARD,
  encode,
  type Fields,
  hashed,
  MERCHANT,
  payment,
  prepared,
} from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()
beforeAll(async () => {
  // Renders an address first, because the thread starts with the first one, which takes a while on
  // a busy machine.
  await sentTo({ success_url: 'https://shop.example/{{ transaction.id }}' })
})

/** Returns the last address of the payer of a prepared payment. */
async function sentTo(over: Fields, card: Fields = {}) {
  const { status, body } = await shop.post('/v1/transactions', prepared(over))
  if (status !== 200) return { refused: `${body.code} ${body.name}`, body, location: '' }
  const path = new URL(body.href).pathname
  const { headers } = await shop.browser.send('POST', path, encode({ ...CARD, ...card }))
  return { body, refused: '', location: headers.get('location') ?? '' }
}

describe('Liquid in success_url', () => {
  test('is rendered with the transaction as it is after paying', async () => {
    const { body, location } = await sentTo({
      success_url:
        'https://shop.example/{{ transaction.id }}/{{ transaction.status }}?ref={{ transaction.payment_ref }}&{% if transaction.test %}t=1{% endif %}#{{ currency }}',
    })
    const address = new URL(location)
    expect(address.origin + address.pathname).toBe(`https://shop.example/${body.id}/approved`)
    expect(location).toContain(
      `?ref=${body.payment_ref}&t=1&transaction_id=${body.id}&payment_ref=`,
    )
    expect(address.hash).toBe('#sek')
  })

  for (const [expression, text] of [
    ['transaction.amount', '10.00'],
    ['transaction.metadata', '%7B%22k%22%3A%22a%20b%22%7D'],
    ["transaction.metadata['k']", 'a%20b'],
    ['transaction.merchant.name', 'Merchant%201'],
    ['nothing', ''],
    ['transaction.card_number', '411111%2A%2A%2A%2A%2A%2A1111'],
  ] as const)
    test(`{{ ${expression} }} becomes ${JSON.stringify(text)}`, async () => {
      const { location } = await sentTo({
        metadata: '{"k":"a b"}',
        success_url: `https://shop.example/a?v={{ ${expression} }}`,
      })
      expect(location).toContain(`/a?v=${text}&transaction_id=`)
    })
})

describe('Liquid in an address is rendered when the payer leaves, not when a page is shown', () => {
  const LIQUID = 'https://shop.example/{% include "x" %}'
  /** Prepares a payment. */
  async function prepare(over: Fields) {
    const { body } = await shop.post('/v1/transactions', prepared(over))
    const path = new URL(body.href).pathname
    const failures = async () =>
      (await shop.get(`/v1/transactions/${body.id}`)).body.log_events
        .filter(({ data }) => data.event === 'template_failed')
        .map(({ data }) => data.what)
    return { id: body.id, path, failures }
  }

  test('from the form', async () => {
    const { path, failures } = await prepare({ success_url: LIQUID })
    await shop.browser.get(path)
    expect(await failures()).toEqual([])
    await shop.browser.send('POST', path, encode(CARD))
    expect(await failures()).toEqual(['success_url'])
  })

  test('from the receipt', async () => {
    const { id, path, failures } = await prepare({ success_url: LIQUID })
    await shop.put(`/v1/transactions/${id}`, CARD)
    expect((await shop.browser.get(path)).body).toContain(`${path}/back"`)
    expect(await failures()).toEqual([])
    await shop.browser.get(`${path}/back`)
    expect(await failures()).toEqual(['success_url'])
  })

  test('from a page that can no longer be paid', async () => {
    const { path, failures } = await prepare({ amount: '0.00', error_url: LIQUID })
    expect((await shop.browser.get(path)).body).toContain(`${path}/back"`)
    expect(await failures()).toEqual([])
    await shop.browser.get(`${path}/back`)
    expect(await failures()).toEqual(['error_url'])
  })
})

test('Liquid in the error_url of an order that is rejected prints nothing', async () => {
  const fields = {
    ...payment({ card_number: '4111' }),
    success_url: 'https://shop.example/',
    error_url: 'https://shop.example/no?s={{ transaction.status }}',
    merchant_id: 1,
  }
  const { headers } = await shop.browser.send('POST', '/v1/form', encode(hashed(fields, MERCHANT)))
  expect(headers.get('location')).toBe(
    'https://shop.example/no?s=&error_name=errors.card_number.invalid',
  )
})

describe('an address that is not http(s) is rejected, attack 31 (redirect-javascript):', () => {
  for (const [url, refused] of [
    ['javascript:alert(1)', '1102 errors.success_url.forbidden_uri'],
    ['data:text/html,x', '1102 errors.success_url.forbidden_uri'],
    ['vbscript:x', '1102 errors.success_url.forbidden_uri'],
    ['blob:https://shop.example/x', '1102 errors.success_url.forbidden_uri'],
    [' java\tscript:alert(1)', /^110[02] /],
    ['//evil.example', '1100 errors.success_url.not_valid_uri'],
    ['\\\\evil.example', '1100 errors.success_url.not_valid_uri'],
    ['/relative', '1100 errors.success_url.not_valid_uri'],
  ] as const)
    test(JSON.stringify(url), async () =>
      expect((await sentTo({ success_url: url })).refused).toMatch(refused),
    )
})

describe('control characters cannot add headers to the redirect, attack 32 (redirect-crlf):', () => {
  for (const sign of ['\r\nSet-Cookie: a=b', '\n', '\u2028'])
    test(`${JSON.stringify(sign)} in the address is rejected`, async () => {
      expect((await sentTo({ success_url: `https://shop.example/${sign}` })).refused).toMatch(
        /^110[02] /,
      )
    })

  for (const value of ['\r\nSet-Cookie: a=b', '\u2028'])
    test(`${JSON.stringify(value)} printed into the address stays a part of it`, async () => {
      const { location } = await sentTo({
        metadata: JSON.stringify({ k: value }),
        success_url: 'https://shop.example/?k={{ transaction.metadata.k }}',
      })
      expect(location).toMatch(/^https:\/\/shop\.example\/\?k=[!-~]*$/)
    })
})

describe('Liquid cannot change the target of the redirect, attack 35 (redirect-liquid):', () => {
  for (const url of [
    '{{ transaction.metadata.x }}',
    '{% if true %}https://evil.example{% endif %}',
    'https://{{ transaction.metadata.x }}/',
    'https://{{ transaction.metadata.x }}.shop.example/',
    'https://shop.example{{ transaction.metadata.x }}/',
    'https://shop.example:{{ transaction.metadata.x }}/',
    'https{{ transaction.metadata.x }}://shop.example/',
  ])
    test(`${url} is rejected because of Liquid in scheme or host`, async () => {
      expect((await sentTo({ success_url: url })).refused).toMatch(/^110[02] errors\.success_url/)
      expect((await sentTo({ error_url: url })).refused).toMatch(/^110[13] errors\.error_url/)
    })

  for (const x of [
    '@evil.example/',
    '//evil.example',
    '\\evil.example',
    '../../..',
    '#',
    '?',
    '.evil.example',
    '{{ transaction.id }}',
  ])
    test(`${x} from metadata cannot change the target`, async () => {
      const { location } = await sentTo({
        metadata: JSON.stringify({ x }),
        success_url:
          'https://shop.example/{{ transaction.metadata.x }}/a?k={{ transaction.metadata.x }}',
      })
      const address = new URL(location)
      expect(address.origin).toBe('https://shop.example')
      expect(address.searchParams.get('k')).toBe(x)
    })

  for (const success_url of [
    'https://shop.example/{% include "x" %}',
    `https://shop.example/{% for i in (1..300) %}{{ transaction.payment_ref }}-much-too-long{% endfor %}`,
    'https://shop.example/{% for i in (1..99999) %}{% for j in (1..99999) %}{{ j | upcase }}{% endfor %}{% endfor %}',
  ])
    test(`an empty result of ${success_url} leaves the payer on the page, and the log has the reason`, async () => {
      const { body, location } = await sentTo({ success_url })
      expect(location).toContain(body.href)
      const { log_events } = (await shop.get(`/v1/transactions/${body.id}`)).body
      const failures = log_events.filter(({ data }) => data.event === 'template_failed')
      expect(failures.map(({ data }) => data.what)).toContain('success_url')
    })
})

test('attack 37 (open-redirect-form): a form with a wrong hash redirects to no address', async () => {
  const fields = {
    ...payment(),
    success_url: 'https://evil.example/',
    error_url: 'https://evil.example/{{ transaction.id }}',
    merchant_id: 1,
    hash: '0'.repeat(32),
  }
  const { status, headers } = await shop.browser.send('POST', '/v1/form', encode(fields))
  expect(status).toBe(400)
  expect(headers.get('location')).toBeNull()
})
