import type { Metadata } from './reference.ts'

/** A payer as the merchant knows them (observed: 7.5). */
export interface Customer {
  readonly id: number
  readonly created_at: string
  readonly ref: string | null
  readonly metadata: Metadata | null
}
