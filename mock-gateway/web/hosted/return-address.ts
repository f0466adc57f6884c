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
 * Where the payer goes after paying, with what the merchant checks there (observed: 9). A payment
 * whose merchant named no such address, or none that its Liquid makes usable, ends at its own page.
 * @param lang the language of its own page, where the payer chose another than before
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
 * Where the payer goes when no transaction came about; undefined when the merchant named no usable
 * address.
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
