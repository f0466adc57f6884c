import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../mock-gateway/domain/json.ts'
import { readInput } from '../../../mock-gateway/operations/read-input.ts'
import { getOperation } from '../../../mock-gateway/operations/table.ts'
import { readTemplate as readWritten } from '../../../mock-gateway/operations/webhooks.ts'
import { readWebhookRequests } from '../../../mock-gateway/parsing/order-fields.ts'
import { refusal } from '../domain/refusal.ts'

const readTemplate = (sent: JsonObject) =>
  readWritten(readInput(getOperation('webhooks.createTemplate'), sent))

const URL = { url: 'https://shop.example/hook' }
const EMAIL = { email: 'orders@shop.example' }
const read = (webhook: JsonObject) =>
  readWebhookRequests({ webhook: { trigger: 'payment', ...webhook } })

const HTTP_CALL = {
  type: 'CustomHttp',
  trigger: 'payment',
  ...URL,
  httpMethod: 'post',
  dataFormat: 'json',
}
const LETTER = { type: 'Email', trigger: 'payment', ...EMAIL }

describe('a webhook', () => {
  for (const [sent, webhook] of [
    [URL, HTTP_CALL],
    [EMAIL, LETTER],
    [{ ...URL, ...EMAIL }, HTTP_CALL],
    // App SDKs of 2014 to 2016 leave the `+` of an address unescaped, and a form reads it as a
    // space.
    [
      { email: 'kim orders@shop.example', type: 'Email' },
      { ...LETTER, email: 'kim+orders@shop.example' },
    ],
    [
      { email: 'kim orders@shop.example', type: 'receipt' },
      { type: 'receipt', trigger: 'payment', email: 'kim+orders@shop.example' },
    ],
    [{ type: 'CustomHttp', ...URL }, HTTP_CALL],
    [{ type: 'customhttp', ...URL, ...EMAIL }, HTTP_CALL],
    [{ type: 'Email', ...EMAIL }, LETTER],
    [{ type: 'EMAIL', ...URL, ...EMAIL }, LETTER],
    [{ type: '', ...URL }, HTTP_CALL],
    [
      { type: 'receipt', ...EMAIL },
      { type: 'receipt', trigger: 'payment', ...EMAIL },
    ],
    [{ type: 'Receipt' }, { type: 'receipt', trigger: 'payment', email: null }],
    [{ type: 'constructor', ...URL }, HTTP_CALL],
    [
      { ...URL, trigger: 'REFUND', http_method: 'GET', data_format: 'Form_Data' },
      { ...HTTP_CALL, trigger: 'refund', httpMethod: 'get', dataFormat: 'form_data' },
    ],
  ] as const satisfies readonly (readonly [JsonObject, object])[])
    test(`a webhook of ${JSON.stringify(sent)} is read as ${JSON.stringify(webhook)}`, () =>
      expect(read(sent)).toEqual([webhook]))

  for (const sent of [
    {},
    { type: 'Email' },
    { type: 'Email', ...URL },
    { type: 'email', ...URL, email: '' },
    { type: 'CustomHttp' },
    { type: 'CustomHttp', ...EMAIL },
    { type: 'CUSTOMHTTP', ...EMAIL, url: null },
    { type: 'receipt', email: 'two@shop.example, three@shop.example' },
    { ...EMAIL, trigger: '' },
    { ...EMAIL, trigger: 'two words' },
    { email: 'a@b@c' },
    { email: 'kim two orders@shop.example' },
    { email: 'kim@shop example' },
    { email: ' kim@shop.example' },
    { email: 'two@shop.example, three@shop.example' },
    { email: 'two@shop.example\r\nBcc: three@shop.example' },
    { email: 'Two <two@shop.example>' },
    { url: 'ftp://shop.example/hook' },
    { url: '/hook' },
    { url: 'https://kim:secret@shop.example/hook' },
    { ...EMAIL, trigger: 'before_payment' },
    { ...EMAIL, ...URL, type: 'Email', trigger: 'Before_Payment' },
    { type: 'receipt', trigger: 'before_payment' },
    { url: 'http://169.254.169.254/latest/meta-data' },
    { url: 'http://0xa9fea9fe/' },
    { url: 'http://[fe80::1]/hook' },
    { url: 'http://metadata.google.internal/' },
    { url: `https://shop.example/${'x'.repeat(1980)}` },
    { ...URL, http_method: 'put' },
    { ...URL, data_format: 'yaml' },
  ] satisfies readonly JsonObject[])
    test(`a webhook of ${JSON.stringify(sent).slice(0, 80)} is rejected`, () =>
      expect(refusal(() => read(sent))).toBe('errors.webhook.invalid'))

  test('can have a url of 2,000 characters of any kind', () => {
    const path = (characters: number) => ({
      url: `https://shop.example/${'😀'.repeat(characters - 21)}`,
    })
    expect(refusal(() => read(path(2000)))).toBe('accepted')
    expect(refusal(() => read(path(2001)))).toBe('errors.webhook.invalid')
  })
})

test('webhooks are read alone or as a list, under both names', () => {
  const one = { trigger: 'payment', ...EMAIL }
  expect(readWebhookRequests({ webhook: [one, one], webhooks: JSON.stringify(one) })).toEqual([
    LETTER,
    LETTER,
    LETTER,
  ])
  expect(readWebhookRequests({})).toEqual([])
  expect(refusal(() => readWebhookRequests({ webhook: ['payment'] }))).toBe(
    'errors.webhook.invalid',
  )
})

test('a webhook that is sent again as the same text has the same result', () => {
  for (let time = 1; time <= 2; time++) {
    expect(
      readWebhookRequests({ webhook: JSON.stringify({ trigger: 'payment', ...EMAIL }) }),
    ).toEqual([LETTER])
    const incomplete = { webhooks: '[{"trigger":"payment"}]' }
    expect(refusal(() => readWebhookRequests(incomplete))).toBe('errors.webhook.invalid')
  }
})

test('a transaction can have at most 20 webhooks, under both names together', () => {
  const webhooks = (count: number) =>
    Array.from({ length: count }, () => ({ trigger: 'payment', ...EMAIL }))
  expect(readWebhookRequests({ webhook: webhooks(12), webhooks: webhooks(8) })).toHaveLength(20)
  expect(refusal(() => readWebhookRequests({ webhook: webhooks(12), webhooks: webhooks(9) }))).toBe(
    'errors.webhook.invalid',
  )
})

describe('the mail template of a webhook template', () => {
  const template = (template_id: JsonObject[string]) =>
    readTemplate({ name: 'receipts', trigger: 'refund', type: 'receipt', template_id }).template_id

  for (const [sent, number] of [
    ['7', 7],
    [7, 7],
    ['', null],
    [null, null],
  ] as const)
    test(`is ${number} if ${JSON.stringify(sent)} was sent`, () =>
      expect(template(sent)).toBe(number))

  for (const sent of ['0', '-1', '1.5', 'x', '07', 0, -1, 1.5, true])
    test(`is rejected if ${JSON.stringify(sent)} was sent`, () =>
      expect(refusal(() => template(sent))).toBe('errors.webhook_template.invalid'))
})

test.each([
  [
    'The template cannot be used: name: must be 1 to 64 letters, digits, _ or -.',
    () => readTemplate({ trigger: 'payment', name: 'a b' }),
  ],
  [
    'The template cannot be used: A webhook needs a trigger, such as payment.',
    () => readTemplate({ name: 'paid', trigger: '' }),
  ],
  [
    'The template cannot be used: A webhook for before_payment needs a url, because a mail cannot answer.',
    () => readTemplate({ name: 'paid', trigger: 'before_payment', ...EMAIL }),
  ],
  [
    'delay must be a whole number from 0 to 86400.',
    () => readInput(getOperation('webhooks.setSending'), { delay: '-1' }),
  ],
])('the explanation has only characters that a header can show: %s', (explain, read) => {
  expect(read).toThrow(expect.objectContaining({ explain }))
})
