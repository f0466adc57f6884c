/**
 * Changes that make an altered webhook. Everything else is as in the message that the gateway
 * signed.
 */
export interface Alteration {
  /** For the documents: the effect on the webhook. */
  readonly description: string
  /**
   * The signature uses another key, or is missing. Otherwise it is the original message's: an
   * attacker has no key. `valid`: it covers the replaced fields, and so does `response_hash`.
   */
  readonly signature?: 'wrong' | 'none' | 'valid'
  /** Age of the timestamp in seconds, negative for the future; the signature covers it. */
  readonly age?: number
  /** Replaced fields of the body. */
  readonly fields?: Readonly<Record<string, string | number | boolean>>
  /** The body is cut in half. */
  readonly cut?: true
}

/** Alterations of a webhook. A correct shop believes none except `copy` and `clock_ahead`. */
export const ALTERATIONS = {
  copy: { description: 'no alteration, with the same webhook-id' },
  wrong_signature: { description: 'a signature made with another key', signature: 'wrong' },
  no_signature: { description: 'no signature headers', signature: 'none' },
  old_timestamp: { description: 'a valid signature with a timestamp one day old', age: 86_400 },
  clock_ahead: { description: 'a valid signature with a timestamp two minutes ahead', age: -120 },
  other_amount: {
    description: 'amount 0.01 instead of the paid amount',
    fields: { amount: '0.01' },
  },
  other_currency: {
    description: 'currency jpy instead of the paid currency',
    fields: { currency: 'jpy' },
  },
  other_merchant: { description: "another merchant's id", fields: { merchant_id: 999_999 } },
  other_order: {
    description: 'the payment_ref of another order',
    fields: { payment_ref: 'another-order' },
  },
  approved_status: {
    description: 'status approved instead of the real status',
    fields: { status: 'approved' },
  },
  unknown_order: {
    description: 'a valid signature, and the payment_ref of an order that no shop has',
    signature: 'valid',
    fields: { payment_ref: 'unknown-order' },
  },
  live_payment: {
    description: 'a valid signature, and test false',
    signature: 'valid',
    fields: { test: false },
  },
  same_secret: {
    description:
      "another merchant's id and a valid signature of that merchant, whose secret is equal",
    signature: 'valid',
    fields: { merchant_id: 999_999 },
  },
  cut_body: { description: 'the first half of the body', cut: true },
} as const satisfies Readonly<Record<string, Alteration>>

export type AlterationName = keyof typeof ALTERATIONS

export const ALTERATION_NAMES = Object.keys(ALTERATIONS) as AlterationName[]
