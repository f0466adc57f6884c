import type { Item, PaymentMethod } from '../../contract/wire.ts'
import { GatewayError } from '../errors/errors.ts'
import type { JsonObject } from '../json.ts'
import type { MerchantSettings } from '../merchant.ts'
import { parseAmount } from '../money/money.ts'
import type { SentPaymentDetails } from '../payer/payment-details.ts'
import { checkItems, checkItemsTotal } from './items.ts'
import { rulesOf } from './payment-methods.ts'

/** What of a transaction its method of payment makes demands on. */
export interface Order {
  readonly paymentMethod: PaymentMethod
  /**
   * As sent: in a bad format it is refused when paying, so it is compared with the items only in a
   * good one.
   */
  readonly amount: string
  readonly items: readonly Item[] | undefined
  readonly paymentDetails: SentPaymentDetails | undefined
}

/**
 * Checks what the method of payment demands (specification: Create transaction). What the merchant
 * knows, items and the existence of payment_details, is needed from the beginning; what the payer
 * knows may wait until it is processed (our decision, as with card data).
 * @param complete true when the transaction is processed now
 * @returns the details of the payer in their normal form
 * @throws errors.merchant.invoice.not_configured (181), errors.items.missing (166) and what
 *   `checkItems` throws, errors.items.transaction_amount_mismatch (260), what `checkInvoicePayer`
 *   and `readSwishNumber` throw
 */
export function checkOrder(
  { paymentMethod, amount, items, paymentDetails }: Order,
  settings: MerchantSettings,
  complete: boolean,
): SentPaymentDetails | undefined {
  const { itemized, checkPayer } = rulesOf(paymentMethod)
  if (paymentMethod === 'invoice' && !settings.invoice)
    throw new GatewayError('errors.merchant.invoice.not_configured', {
      explain: 'The setting "invoice" of this merchant is false',
    })
  if (itemized) {
    const rows = checkItems((items ?? []) as readonly JsonObject[], { required: true })
    const total = parseAmount(amount)
    if (total.ok) checkItemsTotal(rows, total.value)
  }
  return checkPayer(paymentDetails, complete)
}
