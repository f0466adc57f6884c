import {
  type Merchant,
  newReference,
  type Payment,
  requestHash,
} from '../../../examples/shared/payment.ts'
import { getCaller } from '../../../examples/shared/service.ts'

/** Members of a transaction that the test shops read. */
export interface Transaction {
  readonly id: number
  readonly payment_ref: string
  readonly merchant_id: number
  readonly status: string
  readonly amount: string
  readonly currency: string
  readonly test: boolean
  readonly created_at: string
  readonly processed_at: string | null
  readonly refunds: readonly { readonly amount: string }[]
  readonly subscription: { readonly id: number } | null
}

type Fields = Readonly<Record<string, string>>

export const createPayment = (): Payment => ({
  payment_ref: newReference(),
  amount: '100.00',
  currency: 'sek',
  test: true,
})

/** Creates the calls of a test shop. */
export function createShopCalls(base: string, merchant: Merchant) {
  const call = getCaller(base, merchant)
  let plan: Promise<{ readonly id: number }> | undefined
  /** Returns the fields of a payment, with webhooks to `/hook` of the shop. */
  const createFields = (here: string, payment: Payment): Fields => ({
    ...payment,
    test: String(payment.test),
    hash: requestHash(payment, merchant),
    webhook: JSON.stringify(
      ['payment', 'refund', 'recurring_success'].map((trigger) => ({
        trigger,
        url: `${here}/hook`,
        http_method: 'post',
        data_format: 'json',
      })),
    ),
  })
  return {
    call,
    createFields,
    /** Prepares a payment. @returns the address of its payment page */
    async openPage(here: string, payment: Payment, more: Fields): Promise<string> {
      const fields = { ...createFields(here, payment), process: 'false', ...more }
      return (await call<{ href: string }>('POST', '/v1/transactions', fields)).href
    },
    /** Returns the field that begins a subscription by month. */
    async subscribe(): Promise<Fields> {
      const prices = JSON.stringify({ sek: '100.00' })
      const terms = { name: 'Monthly', interval: '1', interval_unit: 'months', prices }
      plan ??= call('POST', '/v1/plans', terms)
      return { plan_id: String((await plan).id) }
    },
    /** Lists the transactions with a reference, the newest first. */
    findTransactions: (paymentRef: string): Promise<readonly Transaction[]> =>
      call('GET', '/v1/transactions', { 'filter[payment_ref]': paymentRef }),
  }
}

/** Reads the body of a webhook. @returns undefined for half a body */
export function parseTransaction(text: string): Transaction | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
