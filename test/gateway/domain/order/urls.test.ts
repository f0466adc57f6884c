import { describe, expect, test } from 'vitest'
import { checkReturnUrl, redirectUrl } from '../../../../mock-gateway/domain/order/urls.ts'
import { refusal } from '../refusal.ts'

const OWN = {
  own: [
    'http://localhost:4400/v1/form',
    'http://localhost:4400/_control',
    'https://pay.example/console',
  ],
}

describe('a return address is accepted', () => {
  for (const text of [
    'https://shop.example/paid',
    'HTTP://shop.example',
    'http://localhost:4300/paid?order=5#top',
    'http://localhost:4400/paid',
    'http://localhost:4400/v1/formular',
    'https://[::1]:8443/',
    'https://shop.example/paid?next=https%3A%2F%2Fa.example%2F%40x',
    'https://shop.example/paid?mail=kim@example.org',
    'https://shop.example/paid/{{ transaction.id }}?ref={{ transaction.metadata["a/b#c"] }}',
    'https://shop.example/{% if transaction.test %}test{% endif %}',
    'https://bücher.example/köp?namn=Å',
    'http://127.0.0.1:8080/paid',
    'http://[::1]:8080/paid',
    'http://my_shop.test/paid',
    `https://shop.example/${'a'.repeat(1979)}`,
    `https://shop.example/${'😀'.repeat(1979)}`,
  ])
    test(text.slice(0, 90), () => expect(checkReturnUrl(text, 'success_url', OWN)).toBe(text))
})

/** Includes attacks 31 (redirect-javascript), 32 (redirect-crlf) and 35 (redirect-liquid). */
describe('a return address is rejected', () => {
  for (const [text, problem] of [
    ['', 'not_valid_uri'],
    ['paid', 'not_valid_uri'],
    ['/paid', 'not_valid_uri'],
    ['//evil.example', 'not_valid_uri'],
    ['\\\\evil.example', 'not_valid_uri'],
    ['https:\\\\evil.example', 'not_valid_uri'],
    ['https://shop.example\\@evil.example/', 'not_valid_uri'],
    [' https://shop.example', 'not_valid_uri'],
    ['https:shop.example', 'not_valid_uri'],
    ['https:///shop.example', 'not_valid_uri'],
    ['https://', 'not_valid_uri'],
    ['https://shop example/', 'not_valid_uri'],
    ['https://shop.example:99999/', 'not_valid_uri'],
    ['https://a;sandbox/', 'not_valid_uri'],
    ['https://a%3bsandbox/', 'not_valid_uri'],
    ['https://a,sandbox/', 'not_valid_uri'],
    ['https://*/', 'not_valid_uri'],
    ["https://'self'/", 'not_valid_uri'],
    ['https://shop.example/\r\nSet-Cookie: a=b', 'not_valid_uri'],
    ['https://shop.example/\0', 'not_valid_uri'],
    ['javascript:alert(1)', 'forbidden_uri'],
    ['JavaScript:alert(1)', 'forbidden_uri'],
    [' java\tscript:alert(1)', 'forbidden_uri'],
    ['data:text/html,x', 'forbidden_uri'],
    ['vbscript:x', 'forbidden_uri'],
    ['blob:https://shop.example/1', 'forbidden_uri'],
    ['file:///etc/passwd', 'forbidden_uri'],
    ['ftp://shop.example/', 'forbidden_uri'],
    ['shop.example:443/paid', 'forbidden_uri'],
    ['https://shop.example@evil.example/', 'forbidden_uri'],
    ['https://user:secret@shop.example/', 'forbidden_uri'],
    ['https://shop.example/\u2028', 'forbidden_uri'],
    ['https://shop.example/\u202e', 'forbidden_uri'],
    [`https://shop.example/${'a'.repeat(1980)}`, 'forbidden_uri'],
    [`https://shop.example/${'😀'.repeat(1980)}`, 'forbidden_uri'],
    ['{{ transaction.metadata.url }}', 'forbidden_uri'],
    ['ht{{ "tps" }}://shop.example/', 'forbidden_uri'],
    ['https://{{ transaction.metadata.host }}/', 'forbidden_uri'],
    ['https://shop{{ "/@evil" }}.example/', 'forbidden_uri'],
    ['https://shop.example{{ transaction.metadata.x }}/', 'forbidden_uri'],
    ['https://shop.example:{{ transaction.metadata.x }}/', 'forbidden_uri'],
    ['{% if true %}https://evil.example{% endif %}', 'forbidden_uri'],
    ['https://shop.example{% if true %}@evil.example{% endif %}/', 'forbidden_uri'],
    ['http://localhost:4400/v1/form', 'reserved'],
    ['http://localhost:4400/v1/form/abc?x=1', 'reserved'],
    ['http://LOCALHOST.:4400//V1/x/../FORM/', 'reserved'],
    ['https://pay.example:443/console/login', 'reserved'],
    ['http://127.0.0.1:4400/v1/form', 'reserved'],
    ['http://127.1:4400/v1/form', 'reserved'],
    ['http://2130706433:4400/v1/form', 'reserved'],
    ['http://0x7f.0.0.2:4400/v1/form', 'reserved'],
    ['http://0:4400/v1/form', 'reserved'],
    ['http://[::1]:4400/v1/form', 'reserved'],
    ['http://[::ffff:127.0.0.1]:4400/v1/form', 'reserved'],
    ['http://[::]:4400/v1/form', 'reserved'],
    ['http://any.localhost:4400/v1/form', 'reserved'],
    ['http://localhost:4400/v1/%66%6Frm', 'reserved'],
    ['http://localhost:4400/%5Fcontrol', 'reserved'],
    ['http://localhost:4400/v1/form%2Fabc', 'reserved'],
    ['http://localhost:4400/v1\\form', 'not_valid_uri'],
  ] as const) {
    test(`as success_url with ${problem}: ${JSON.stringify(text.slice(0, 60))}`, () =>
      expect(refusal(() => checkReturnUrl(text, 'success_url', OWN))).toBe(
        `errors.success_url.${problem}`,
      ))
  }

  test('an error_url is rejected with the errors of error_url', () => {
    const refused = ['/x', 'ftp://x', 'http://localhost:4400/v1/form'].map((text) =>
      refusal(() => checkReturnUrl(text, 'error_url', OWN)),
    )
    expect(refused).toEqual([
      'errors.error_url.not_valid_uri',
      'errors.error_url.forbidden_uri',
      'errors.error_url.reserved',
    ])
  })
})

describe('a redirect', () => {
  for (const [title, url, expected] of [
    ['gets a query', 'https://a.example/p', 'https://a.example/p?status=approved'],
    ['extends a query', 'https://a.example/p?x=1', 'https://a.example/p?x=1&status=approved'],
    ['extends an empty query', 'https://a.example/p?', 'https://a.example/p?status=approved'],
    ['extends an open query', 'https://a.example/p?x&', 'https://a.example/p?x&status=approved'],
    ['keeps the fragment', 'https://a.example/p#f?g', 'https://a.example/p?status=approved#f?g'],
    [
      'keeps the spelling',
      'https://a.example?a=%7e+%zz&&b',
      'https://a.example?a=%7e+%zz&&b&status=approved',
    ],
    [
      'writes an internationalized host in ASCII',
      'https://sjö.example:8443/tack?å',
      'https://xn--sj-gka.example:8443/tack?%C3%A5&status=approved',
    ],
    [
      'encodes what no header carries',
      'https://a.example/å?b c#d e',
      'https://a.example/%C3%A5?b%20c&status=approved#d%20e',
    ],
  ] as const)
    test(title, () => expect(redirectUrl(url, { status: 'approved' })).toBe(expected))

  test('adds its parameters in order, and omits missing ones', () => {
    const url = redirectUrl('https://a.example/', {
      transaction_id: '7',
      payment_ref: 'å & #1',
      status: 'declined',
      hash: undefined,
      error_name: 'errors.payment.declined',
    })
    expect(url).toBe(
      'https://a.example/?transaction_id=7&payment_ref=%C3%A5%20%26%20%231&status=declined&error_name=errors.payment.declined',
    )
  })

  test('a redirect without parameters has the unchanged address', () =>
    expect(redirectUrl('https://a.example/p#f', {})).toBe('https://a.example/p#f'))
})
