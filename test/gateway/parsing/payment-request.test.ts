import { describe, expect, test } from 'vitest'
import { NONE_ENCRYPTED } from '../../../mock-gateway/parsing/parameters/decrypt.ts'
import type { Parameters } from '../../../mock-gateway/parsing/parameters/parameters.ts'
import { maskedPaymentRequest as masked } from '../../../mock-gateway/parsing/payment-request.ts'
import { refusal } from '../domain/refusal.ts'

const maskedPaymentRequest = (sent: Parameters, encrypted = NONE_ENCRYPTED) =>
  masked(sent, encrypted)

const NUMBER = '5555555555554444'

describe('the stored payment request', () => {
  test('contains single values, as they were sent', () => {
    const sent = {
      amount: '10.00',
      currency: 'SEK',
      payment_ref: 'A100',
      test: true,
      process: 'false',
      locale: 'en',
    }
    expect(maskedPaymentRequest({ ...sent, swish_number: '070-1', plan_id: 5 })).toEqual({
      ...sent,
      swish_number: '070-1',
      plan_id: 5,
    })
  })

  test('omits unknown parameters, and parameters that the transaction shows in its own fields', () => {
    const nested = { card_number: NUMBER, card_cvv: '777' }
    const shown = {
      items: [nested],
      metadata: nested,
      webhook: nested,
      webhooks: [nested],
      subscription_items: [nested],
    }
    const card = { card_holder: NUMBER, card_cvv: '777', card_expiry: NUMBER, card_type: NUMBER }
    const sent: Parameters = { ...shown, ...card, encrypted: NUMBER, [NUMBER]: '777', other: '1' }
    expect(maskedPaymentRequest(sent)).toEqual({})
  })

  for (const name of [
    'amount',
    'payment_ref',
    'swish_number',
    'locale',
    'start_date',
    'order_id',
    'card_number',
  ])
    test(`contains no list or object as ${name}`, () => {
      for (const value of [{ card_number: NUMBER }, [NUMBER], null])
        expect(maskedPaymentRequest({ [name]: value })).toEqual({})
    })

  for (const [sent, kept] of [
    ['5555 5555-5555 4444', '555555******4444'],
    ['abcdef0123456789abcdef0123456789', '************6789'],
    ['777', '****************'],
  ] as const)
    test(`contains only ${kept} of the card number ${sent}`, () =>
      expect(maskedPaymentRequest({ card_number: sent })).toEqual({ card_number: kept }))

  for (const [spelling, write] of [
    ['as an object', (details: object) => ({ ...details })],
    ['as JSON text', (details: object) => JSON.stringify(details)],
    ['as base64', (details: object) => btoa(JSON.stringify(details))],
  ] as const)
    test(`contains only the payer’s fields of payment_details ${spelling}, and no card field`, () => {
      const known = { first_name: 'Kim', email: 'kim@example.org' }
      const card = {
        card_number: NUMBER,
        card_cvv: '777',
        card_holder: NUMBER,
        card_type: NUMBER,
        card: NUMBER,
      }
      expect(
        maskedPaymentRequest({ payment_details: write({ ...known, ...card, city: '' }) as string }),
      ).toEqual({
        payment_details: known,
      })
    })

  test('contains no encrypted value', () => {
    const sent = {
      amount: '10.00',
      payment_ref: 'A100',
      card_number: NUMBER,
      payment_details: { first_name: 'Kim' },
    }
    const encrypted = new Set(['payment_ref', 'card_number', 'payment_details'])
    expect(maskedPaymentRequest(sent, encrypted)).toEqual({ amount: '10.00' })
  })

  test('omits payment_details that could not be read', () => {
    expect(refusal(() => maskedPaymentRequest({ payment_details: [NUMBER] }))).toBe(
      'errors.payment_details.invalid',
    )
    const nested = { payment_details: { city: { card_number: NUMBER } } }
    expect(refusal(() => maskedPaymentRequest(nested))).toBe('errors.request.bad_format')
  })
})
