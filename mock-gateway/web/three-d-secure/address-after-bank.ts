import type { Addresses } from '../../domain/addresses.ts'
import { hrefOf } from '../../serializers/transaction.ts'
import { findRow } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { Queries } from '../../storage/tables/schema.ts'

/**
 * Returns the payer's address after the bank: the payment's result, or the page that reports to the
 * browser library. An authentication with a hash of the request comes from the library, which pays
 * the order afterwards.
 */
export async function addressOfResult(
  queries: Queries,
  row: AuthenticationRow,
  addresses: Addresses,
): Promise<string> {
  const { merchant_id, transaction_id, request_hash } = row
  const payment =
    request_hash === null
      ? await findRow(queries, 'transactions', merchant_id, transaction_id ?? undefined)
      : undefined
  return payment
    ? `${hrefOf(payment, addresses)}/result`
    : `${addresses.pay}/v1/mpi_js/result/${row.token}`
}
