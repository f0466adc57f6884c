import type { Metadata } from './reference.ts'

/** A message to the merchant on a payment event (specification: Webhook). */
export interface Webhook {
  readonly id: number
  readonly created_at: string
  readonly type: string
  readonly response: Metadata | null
  readonly http_method: string | null
  readonly email: string | null
  readonly url: string | null
  readonly trigger: string
  readonly data_format: string | null
  readonly request_body: string | null
}
