import { expect, test } from 'vitest'
import { removeSecretsFromText } from '../../../../mock-gateway/domain/secrets.ts'
import { maskParameters } from '../../../../mock-gateway/web/http/request-contents.ts'

const NUMBER = '4111111111111111'

const kept = (
  parameters: Parameters<typeof maskParameters>[0],
  encrypted: readonly string[] = [],
) => maskParameters(parameters, new Set(encrypted))

test.each([
  ['a card number', { card_number: NUMBER }, { card_number: '411111******1111' }],
  [
    'one that is mistyped',
    { card_number: '4111 1111 1111 1112' },
    { card_number: '411111******1112' },
  ],
  ['one that is too short to show', { card_number: '41111' }, { card_number: '***' }],
  ['several', { card_number: [NUMBER] }, { card_number: '***' }],
  [
    'a card number under another name',
    { payment_ref: `by ${NUMBER}` },
    { payment_ref: 'by 411111******1111' },
  ],
  ['a card number as a name', { [NUMBER]: '200', [`a${NUMBER}`]: '200' }, {}],
  ['codes', { card_cvv: '200', cvc: '123' }, { card_cvv: '***', cvc: '(not kept)' }],
  [
    'what anything may stand in',
    { metadata: '{"card_cvv":"200"}', x: ['1'] },
    { metadata: '(not kept)', x: '(not kept)' },
  ],
  [
    'an object under a name whose text is kept',
    { locale: { card_cvv: '200' } },
    { locale: '(not kept)' },
  ],
  ['passwords', { password: 'x', api_key: 'z' }, { password: '(not kept)', api_key: '(not kept)' }],
  ['an empty code, which says that it is missing', { card_cvv: '' }, { card_cvv: '' }],
  ['nothing else', { amount: '10.00', test: true }, { amount: '10.00', test: true }],
])('the stored contents of %s contain no secret or card data', (_what, sent, expected) => {
  expect(kept(sent)).toEqual(expected)
})

test('long contents are cut, after their card numbers are masked', () => {
  const many = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [`n${'x'.repeat(at % 30)}`, 'x']),
  )
  expect(Object.keys(kept(many)).length).toBeLessThanOrEqual(100)
  const { payment_ref } = kept({ payment_ref: `${'x'.repeat(500)}${NUMBER}${'x'.repeat(9_000)}` })
  expect(payment_ref).toBe(`${'x'.repeat(500)}411111******…`)
})

test('a secret is removed from every field, also if JSON escapes it', () => {
  expect(removeSecretsFromText('{"a":"x-sëcret\\"y"}', ['sëcret"y', undefined, 'abc'])).toBe(
    '{"a":"x-***"}',
  )
})
