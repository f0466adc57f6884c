import { describe, expect, test } from 'vitest'
import {
  composeFromTemplate,
  composeMail,
  findPayerAddress,
  toPlainText,
} from '../../../mock-gateway/webhooks/mail/compose.ts'

const PAID = {
  status: 'approved',
  amount: '10.00',
  currency: 'sek',
  payment_ref: 'A100',
  card_type: 'VISA',
  card_number: '411111******1111',
  updated_at: '2026-03-14T12:00:00Z',
}
const ENGLISH = { payment_request: { locale: 'en' } }

const receipt = (trigger: string) => ({ trigger, type: 'receipt' })

test('a receipt contains amount, card and order, in the language of the payment', () => {
  expect(composeMail(receipt('payment'), PAID, 'Kaffebutiken').text).toBe(
    [
      'Kvitto på din betalning: Kaffebutiken',
      '',
      'Belopp: 10,00\u00a0kr',
      'Kort: Visa 1111',
      'Status: Betald',
      'Beställning: A100',
      'Datum: 14 mars 2026 12:00 UTC',
      '',
      'Simulerad betaltjänst: inga pengar har flyttats.',
      '',
    ].join('\n'),
  )
  expect(composeMail(receipt('payment_success'), { ...PAID, ...ENGLISH }, '').subject).toBe(
    'Receipt for your payment',
  )
})

test('an e-mail webhook is written for the merchant', () => {
  const webhook = { trigger: 'payment', type: 'Email' }
  expect(composeMail(webhook, { ...PAID, ...ENGLISH }, 'Shop').subject).toBe(
    'A payer has paid: Shop',
  )
})

test.each([
  [
    'refund',
    {
      ...PAID,
      refunds: [
        { amount: '1.00', reason: 'x' },
        { amount: '2.50', reason: 'Broken' },
      ],
    },
    'Refunded: 2.50\u00a0SEK\nReason: Broken',
  ],
  [
    'payment_error',
    { ...PAID, status: 'declined', error: { description: 'Payment declined' } },
    'Payment declined',
  ],
  ['payment', { ...PAID, status: 'pending' }, 'Status: Not paid yet'],
  ['payment', { ...PAID, status: 'authorized' }, 'Status: Amount reserved'],
  [
    'payment',
    { ...PAID, status: 'authorized', payment_method: 'invoice' },
    'Status: To be paid by invoice',
  ],
  [
    'stored_card',
    { card_type: 'VISA', card_number: '411111******1111', expires: '2027-12-31T23:59:59Z' },
    'Card: Visa 1111\nExpires: 12/27',
  ],
  ['alert', { message: 'A webhook failed: payment to http://shop.test' }, 'http://shop.test'],
])('a mail of %s describes the event', (trigger, body, told) => {
  expect(composeMail(receipt(trigger), { ...body, ...ENGLISH }, 'Shop').text).toContain(told)
})

test('text of payers and merchants stays text', () => {
  const body = { ...PAID, payment_ref: '<b>"1" & \'2\'</b>' }
  const { html } = composeMail(receipt('payment'), body, '<script>')
  expect(html).toContain('&lt;b&gt;&quot;1&quot; &amp; &#39;2&#39;&lt;/b&gt;')
  expect(html).not.toContain('<script>')
})

test.each([
  [
    { payment_details: { email: 'kim@example.org' }, metadata: { email: 'other@example.org' } },
    'kim@example.org',
  ],
  [{ payment_details: {}, metadata: { email: 'kim@example.org' } }, 'kim@example.org'],
  [
    { payment_details: { email: 'kim@example.org\r\nBcc: all@example.org' }, metadata: null },
    undefined,
  ],
  [{ payment_details: null, metadata: { email: ['kim@example.org'] } }, undefined],
  [{}, undefined],
])("the payer's e-mail address in %o is %s", (body, address) =>
  expect(findPayerAddress(body)).toBe(address),
)

describe('a mail template of the merchant', () => {
  const usual = 'Your receipt'
  test('can start with its subject', () => {
    expect(composeFromTemplate('Subject: Thanks &amp; bye\n<p>Hello</p>', usual)).toEqual({
      subject: 'Thanks & bye',
      html: '<p>Hello</p>',
      text: 'Hello',
    })
  })
  test('has the usual subject if it has none', () => {
    expect(composeFromTemplate('<p>Hello</p>', usual).subject).toBe(usual)
  })
  test('is also sent as plain text', () => {
    expect(toPlainText('<style>p{}</style><h1>Hi</h1><p>1 &lt; 2<br>ok</p>')).toBe('Hi\n1 < 2\nok')
  })

  test.each([
    ['<HEAD><title>No</title></HEAD>Yes', 'Yes'],
    ['<head><title>Hi</title><p>Yes', 'Hi Yes'],
    ['<script>if (1 < 2) "<p>"</script>Yes', 'Yes'],
    ['<style>a{}</style>1 < 2 <style>b{}', '1 < 2 b{}'],
    ['<header>Yes</header>', 'Yes'],
  ])('has only the visible text of %s in its plain text', (html, text) =>
    expect(toPlainText(html)).toBe(text),
  )
})
