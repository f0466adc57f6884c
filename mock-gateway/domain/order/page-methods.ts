import type { PaymentMethod } from '../../contract/transaction.ts'

/** Methods that a payer can choose on the payment page, in the order in which it shows them. */
export const PAGE_METHODS = ['credit_card', 'invoice', 'swish', 'bank', 'paypal'] as const satisfies PaymentMethod[]

export type PageMethod = (typeof PAGE_METHODS)[number]
