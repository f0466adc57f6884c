import type { Item, PaymentMethod, TransactionType } from '../../contract/transaction.ts'
import { GatewayError } from '../errors/errors.ts'
import type { JsonObject } from '../json.ts'
import type { MerchantSettings } from '../merchant.ts'
import { parseAmount } from '../money/money.ts'
import { checkInvoicePayer, INVOICE_LIMITS } from '../payer/invoice-payer.ts'
import type { DetailLimits, SentPaymentDetails } from '../payer/payment-details.ts'
import { readSwishNumber } from '../payer/swish-number.ts'
import { checkItems, checkItemsTotal } from './items.ts'

type CheckPayer = (details: SentPaymentDetails | undefined, complete: boolean) => SentPaymentDetails | undefined

/** How one method of payment works. */
interface PaymentMethodRules {
  /** What the transaction becomes when it is paid this way. */
  readonly transactionType: TransactionType
  /**
   * Who answers when the transaction is processed: the card's bank or a credit check, at once, or the payer, who
   * finishes at `href` in an app or at a bank (our decision, the specification is silent).
   */
  readonly answeredBy: 'bank' | 'credit check' | 'payer'
  /** Needs `items` that add up to the amount. */
  readonly itemized: boolean
  /** Lengths of `payment_details` that differ from those of every payment. */
  readonly limits: DetailLimits
  /** Checks what is known of the payer, and returns it in its normal form. */
  readonly checkPayer: CheckPayer
}

const asSent: CheckPayer = (details) => details

/** Of a prepared payment the page may still ask the number, and an update may bring it. */
const checkSwishPayer: CheckPayer = (details, complete) =>
  details?.swish_number === undefined && !complete
    ? details
    : { ...details, swish_number: readSwishNumber(details?.swish_number) }

const CARD = { answeredBy: 'bank', itemized: false, limits: {}, checkPayer: asSent } as const
const ELSEWHERE = { answeredBy: 'payer', itemized: false, limits: {}, checkPayer: asSent } as const

/** Every method of payment (specification: Transaction, payment_method; Create transaction). */
export const PAYMENT_METHODS: Readonly<Record<PaymentMethod, PaymentMethodRules>> = {
  credit_card: { ...CARD, transactionType: 'credit_card' },
  stored: { ...CARD, transactionType: 'stored_card' },
  recurring: { ...CARD, transactionType: 'recurring' },
  invoice: {
    transactionType: 'invoice',
    answeredBy: 'credit check',
    itemized: true,
    limits: INVOICE_LIMITS,
    checkPayer: checkInvoicePayer,
  },
  swish: {
    ...ELSEWHERE,
    transactionType: 'swish',
    limits: { swish_number: [30, 'errors.missing_or_invalid.phone_number'] },
    checkPayer: checkSwishPayer,
  },
  paypal: { ...ELSEWHERE, transactionType: 'paypal' },
  bank: { ...ELSEWHERE, transactionType: 'bank' },
}

/**
 * The method that a request chooses; undefined when it sends none. Clients also send names of their own for "no choice"
 * (observed: 6.2): those are card payments, as are `stored` and `recurring`, which follow from the card.
 */
export function readPaymentMethod(sent: string | undefined): PaymentMethod | undefined {
  const name = sent?.toLowerCase()
  if (name === undefined) return undefined
  return isPaymentMethod(name) && PAYMENT_METHODS[name].answeredBy !== 'bank' ? name : 'credit_card'
}

const isPaymentMethod = (name: string): name is PaymentMethod => Object.hasOwn(PAYMENT_METHODS, name)

/** What of a transaction its method of payment makes demands on. */
export interface Order {
  readonly paymentMethod: PaymentMethod
  /** As sent: in a bad format it is refused when paying, so it is compared with the items only in a good one. */
  readonly amount: string
  readonly items: readonly Item[] | undefined
  readonly paymentDetails: SentPaymentDetails | undefined
}

/**
 * Checks what the method of payment demands (specification: Create transaction). What the merchant knows, items and the
 * existence of payment_details, is needed from the beginning; what the payer knows may wait until it is processed
 * (our decision, as with card data).
 * @param complete true when the transaction is processed now
 * @returns the details of the payer in their normal form
 * @throws errors.merchant.invoice.not_configured (181), errors.items.missing (166) and what `checkItems` throws,
 * errors.items.transaction_amount_mismatch (260), what `checkInvoicePayer` and `readSwishNumber` throw
 */
export function checkOrder(
  { paymentMethod, amount, items, paymentDetails }: Order,
  settings: MerchantSettings,
  complete: boolean,
): SentPaymentDetails | undefined {
  const { itemized, checkPayer } = PAYMENT_METHODS[paymentMethod]
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
