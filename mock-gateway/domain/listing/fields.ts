/**
 * How a field is compared (specification: Listing): `string` by equality or wildcard; `word`
 * likewise, ignoring case (stored in lower case: statuses, currencies, card types); `exact` only by
 * equality, so that a secret cannot be found letter by letter; `boolean` by equality or wildcard;
 * `integer`, `decimal` (hundredths) and `date` (epoch milliseconds) by equality or range.
 */
export type FieldType = 'string' | 'word' | 'exact' | 'boolean' | 'integer' | 'decimal' | 'date'

/** The fields a resource can be filtered and ordered by. Every resource has `id`. */
export type ResourceFields = Readonly<Record<string, FieldType>>

/** Specification: Filterable transaction fields. */
export const TRANSACTION_FIELDS = {
  amount: 'decimal',
  card_holder: 'string',
  card_number: 'string',
  card_type: 'word',
  created_at: 'date',
  currency: 'word',
  customer_id: 'integer',
  error_url: 'string',
  href_token: 'exact',
  id: 'integer',
  payment_ref: 'string',
  status: 'word',
  stored_card_id: 'integer',
  subscription_id: 'integer',
  success_url: 'string',
  template_id: 'integer',
  test: 'boolean',
  transaction_type: 'word',
  updated_at: 'date',
} as const satisfies ResourceFields

/** Specification: Filterable stored card fields. */
export const STORED_CARD_FIELDS = {
  card_holder: 'string',
  card_number: 'string',
  card_type: 'word',
  created_at: 'date',
  currency: 'word',
  customer_id: 'integer',
  expires: 'date',
  id: 'integer',
  status: 'word',
  test: 'boolean',
  token: 'string',
  updated_at: 'date',
} as const satisfies ResourceFields

/** Observed: 6.6 for `ref`; the others are our decision. */
export const CUSTOMER_FIELDS = {
  created_at: 'date',
  id: 'integer',
  ref: 'string',
  updated_at: 'date',
} as const satisfies ResourceFields

/** Our decision. */
export const REFUND_FIELDS = {
  amount: 'decimal',
  created_at: 'date',
  id: 'integer',
  reason: 'string',
  transaction_id: 'integer',
} as const satisfies ResourceFields

/** Our decision. */
export const PLAN_FIELDS = {
  created_at: 'date',
  id: 'integer',
  interval: 'integer',
  interval_unit: 'word',
  name: 'string',
  periods: 'integer',
  status: 'word',
  trial_length: 'integer',
  updated_at: 'date',
} as const satisfies ResourceFields

/** Our decision. */
export const SUBSCRIPTION_FIELDS = {
  created_at: 'date',
  customer_id: 'integer',
  id: 'integer',
  next_at: 'date',
  plan_id: 'integer',
  price: 'decimal',
  status: 'word',
  stored_card_id: 'integer',
  updated_at: 'date',
} as const satisfies ResourceFields

/** Our decision. */
export const WEBHOOK_FIELDS = {
  created_at: 'date',
  data_format: 'string',
  email: 'string',
  http_method: 'string',
  id: 'integer',
  transaction_id: 'integer',
  trigger: 'string',
  type: 'string',
  url: 'string',
} as const satisfies ResourceFields
