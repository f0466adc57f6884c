import { describe, expect, test } from 'vitest'
import { maskPaymentRequest } from '../../../mock-gateway/parsing/order-fields.ts'
import { NONE_ENCRYPTED } from '../../../mock-gateway/parsing/parameters/decrypt.ts'
import type { Parameters } from '../../../mock-gateway/parsing/parameters/parameters.ts'
import { readUpdateTransaction } from '../../../mock-gateway/parsing/update-transaction.ts'
import type { TransactionRow } from '../../../mock-gateway/storage/tables/transactions.ts'
import { refusal } from '../domain/refusal.ts'

const stored = (sent: Parameters) => maskPaymentRequest(sent, NONE_ENCRYPTED)

const NUMBER = '5555555555554444'

describe('the stored payment request', () => {
  test('omits unknown parameters, card fields, and fields that the transaction itself has', () => {
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
    expect(stored(sent)).toEqual({})
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
        expect(stored({ [name]: value })).toEqual({})
    })

  for (const [sent, kept] of [
    ['5555 5555-5555 4444', '555555******4444'],
    ['abcdef0123456789abcdef0123456789', '************6789'],
    ['777', '****************'],
  ] as const)
    test(`contains only ${kept} of the card number ${sent}`, () =>
      expect(stored({ card_number: sent })).toEqual({ card_number: kept }))

  for (const [format, write] of [
    ['as an object', (details: object) => ({ ...details })],
    ['as JSON text', (details: object) => JSON.stringify(details)],
    ['as base64', (details: object) => btoa(JSON.stringify(details))],
  ] as const)
    test(`contains only the filled payer fields of payment_details ${format}, and no card field`, () => {
      const known = { first_name: 'Kim', email: 'kim@example.org' }
      const card = {
        card_number: NUMBER,
        card_cvv: '777',
        card_holder: NUMBER,
        card_type: NUMBER,
        card: NUMBER,
      }
      expect(stored({ payment_details: write({ ...known, ...card, city: '' }) as string })).toEqual(
        { payment_details: known },
      )
    })

  test('rejects payment_details that cannot be read', () => {
    expect(refusal(() => stored({ payment_details: [NUMBER] }))).toBe(
      'errors.payment_details.invalid',
    )
    const nested = { payment_details: { city: { card_number: NUMBER } } }
    expect(refusal(() => stored(nested))).toBe('errors.request.bad_format')
  })
})

const NOON = Date.UTC(2026, 2, 14, 12)

const readChanges = (sent: Parameters, plan_id: number | null) =>
  readUpdateTransaction(7, sent, { now: NOON, encrypted: NONE_ENCRYPTED }).readChanges({
    plan_id,
  } as TransactionRow)

describe('an invalid start date of a subscription', () => {
  test.each([
    ['the request', { plan_id: '1', start_date: 'soon' }, null],
    ['the transaction', { start_date: 'soon' }, 1],
  ])('is rejected if %s has a plan', (_whose, sent, plan) =>
    expect(refusal(() => readChanges(sent, plan))).toBe('errors.request.bad_format'),
  )

  test('has no effect if neither has a plan', () =>
    expect(readChanges({ amount: '10.00', start_date: 'soon' }, null)).toEqual({
      amount_text: '10.00',
      payment_request: { amount: '10.00', start_date: 'soon' },
    }))
})
