import { type Addresses, ownAddresses } from '../../domain/addresses.ts'
import type { GatewayError } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { checkReturnUrl, redirectUrl } from '../../domain/order/urls.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { hrefOf, responseHashOf } from '../../serializers/transaction.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { Templates } from '../../templates/templates.ts'
import type { Work } from '../../work/work.ts'

/**
 * Returns the payer's address after paying, with the parameters that the merchant checks (observed:
 * 9). Without a usable address of the merchant it is the payment's own page.
 * @param lang the language of the payment's page, if the payer changed it
 */
export function returnAddress(
  row: TransactionRow,
  merchant: Merchant,
  addresses: Addresses,
  refusal?: GatewayError,
  lang?: Locale,
): string {
  const own = redirectUrl(hrefOf(row, addresses), { lang })
  return redirectUrl((refusal ? row.error_url : row.success_url) ?? own, {
    ...(refusal ? { error_name: refusal.entry.name } : {}),
    transaction_id: String(row.id),
    payment_ref: row.payment_ref,
    status: row.status,
    hash: responseHashOf(row, merchant),
  })
}

/**
 * Returns the payer's address if no transaction was created; undefined without a usable address of
 * the merchant.
 */
export async function returnAddressOfRefused(
  parameters: Parameters,
  work: Work,
  templates: Templates,
  refusal: GatewayError,
): Promise<string | undefined> {
  try {
    const sent = text(parameters, 'error_url')
    const checked = sent && checkReturnUrl(sent, 'error_url', { own: ownAddresses(work.addresses) })
    return (
      checked &&
      redirectUrl(await templates.bareAddress(work, checked, 'error_url'), {
        error_name: refusal.entry.name,
      })
    )
  } catch {
    return undefined
  }
}
