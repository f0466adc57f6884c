import { CheckError } from './check-error.ts'
import { createApiClient } from './gateway-calls.ts'
import type { CheckedGateway, Purchase } from './stage.ts'

/** Members of a transaction that the check reads. */
export interface WireTransaction {
  readonly id: number
  readonly href: string
  readonly payment_ref: string
  readonly amount: string
  readonly currency: string
  readonly success_url: string | null
  readonly status: string
  readonly subscription: { readonly id: number } | null
}

/** Reads the merchant's transactions. */
export interface TransactionReader {
  /** @throws CheckError if the address is not a payment page of the merchant */
  findByPage(page: string): Promise<Purchase>
  read(purchase: Purchase): Promise<WireTransaction>
}

export function createTransactionReader(gateway: CheckedGateway): TransactionReader {
  const api = createApiClient(gateway)
  return {
    async findByPage(page) {
      const token = URL.parse(page)?.pathname.split('/').at(-1) ?? ''
      const found = (await api(
        'GET',
        `/transactions?filter[href_token]=${encodeURIComponent(token)}`,
      )) as readonly WireTransaction[]
      const own = found.find(({ href }) => href === page)
      if (own) return toPurchase(own)
      throw new CheckError(
        `The shop sent the payer to ${page}, which is not a payment page of the merchant ${gateway.merchant.id} at ${gateway.url}.`,
      )
    },
    read: async ({ id }) => (await api('GET', `/transactions/${id}`)) as WireTransaction,
  }
}

export const toPurchase = ({
  id,
  payment_ref,
  href,
  amount,
  currency,
  success_url,
}: WireTransaction): Purchase => ({
  id,
  paymentRef: payment_ref,
  page: href,
  amount,
  currency,
  successUrl: success_url ?? '',
})
