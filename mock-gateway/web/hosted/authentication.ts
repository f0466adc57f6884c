import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { STATES } from '../../domain/order/states.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import { hrefOf } from '../../serializers/transaction.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { returnAddress } from './return-address.ts'

/**
 * Returns the address of a payment's 3-D Secure challenge, which leads back to the page when it
 * ends.
 */
export const challengeAddress = ({ href_token }: TransactionRow, { pay }: Addresses): string =>
  `${pay}/v1/acs/payment/${href_token}`

/**
 * Returns the address for a payer who returns from the bank: the shop with the result, or the
 * payment page.
 * @param lang the language chosen at the bank
 */
export function addressAfterBank(
  row: TransactionRow,
  merchant: Merchant,
  addresses: Addresses,
  lang?: Locale,
): string {
  const { claimsPaymentRef, payable } = STATES[row.status]
  if (claimsPaymentRef && row.status !== '3ds pending')
    return returnAddress(row, merchant, addresses, undefined, lang)
  if (!payable || row.error_name === null) return redirectUrl(hrefOf(row, addresses), { lang })
  return returnAddress(row, merchant, addresses, new GatewayError(row.error_name), lang)
}
