import { beforeAll, describe, expect, test } from 'vitest'
import {
  CARD,
  type Fields,
  hashed,
  MERCHANT,
  payment,
  prepared,
  preparePage,
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
  const { body } = await shop.post('/v1/transactions', prepared(over))
  const path = new URL(body.href).pathname
  const { headers } = await shop.browser.submit(path, { ...CARD, ...card })
  return { body, location: headers.get('location') ?? '' }
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
    const { id, path } = await preparePage(shop, over)
    const failures = async () =>
      (await shop.get(`/v1/transactions/${id}`)).body.log_events
        .filter(({ data }) => data.event === 'template_failed')
        .map(({ data }) => data.what)
    return { id, path, failures }
  }

  test('from the form', async () => {
    const { path, failures } = await prepare({ success_url: LIQUID })
    await shop.browser.get(path)
    expect(await failures()).toEqual([])
    await shop.browser.submit(path, CARD)
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
  const { headers } = await shop.browser.submit('/v1/form', hashed(fields, MERCHANT))
  expect(headers.get('location')).toBe(
    'https://shop.example/no?s=&error_name=errors.card_number.invalid',
  )
})

describe('control characters cannot add headers to the redirect, attack 32 (redirect-crlf):', () => {
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
