import type { PaymentMethod, TransactionType } from '../../contract/wire.ts'
import { type ErrorName, GatewayError } from '../errors/errors.ts'
import type { Currency } from '../money/currencies.ts'
import { checkInvoicePayer, INVOICE_LIMITS } from '../payer/invoice-payer.ts'
import type { DetailLimits, SentPaymentDetails } from '../payer/payment-details.ts'
import type { BankRefusal } from './decision.ts'

type CheckPayer = (
  details: SentPaymentDetails | undefined,
  complete: boolean,
) => SentPaymentDetails | undefined

/** Possible answers of an app or a bank, with the error of each; null: approved. */
type AnswerTable = Readonly<Record<string, Pick<BankRefusal, 'kind' | 'error'> | null>>

/** Rules of one payment method. */
interface PaymentMethodRules {
  /** Transaction type of a payment by this method. */
  readonly transactionType: TransactionType
  /**
   * Party that decides when the transaction is processed: the card's bank or a credit check,
   * immediately, or the payer, who completes the payment at `href` in an app or at a bank (our
   * decision, because the specification does not define it).
   */
  readonly answeredBy: 'bank' | 'credit check' | 'payer'
  /** The app or bank where the payer answers. */
  readonly approval?: { readonly minutes: number; readonly answers: AnswerTable }
  /** Requires `items` that add up to the amount. */
  readonly itemized: boolean
  /** Lengths of `payment_details` that differ from the general limits. */
  readonly limits: DetailLimits
  /** Checks the payer's details and returns them in normal form. */
  readonly checkPayer: CheckPayer
  /** How the payment page offers the method; absent if it does not. */
  readonly page?: {
    /** Name of its form's view. */
    readonly form: 'card' | 'invoice' | 'approval'
    /** Additional field of its form. */
    readonly field?: 'swish_number'
    /** Supported currencies; default: all. */
    readonly currencies?: readonly Currency[]
    /** Name in forms and links of old pages (observed: 11.4, 11.5). */
    readonly oldName?: string
  }
}

const asSent: CheckPayer = (details) => details

/** The number of a prepared payment may still be entered on the page or set by an update. */
const checkSwishPayer: CheckPayer = (details, complete) =>
  details?.swish_number === undefined && !complete
    ? details
    : { ...details, swish_number: readSwishNumber(details?.swish_number) }

const YES = null
const createDecline = (error: ErrorName) => ({ kind: 'declined', error }) as const
const createFailure = (error: ErrorName) => ({ kind: 'failed', error }) as const

const CANCELED = createDecline('errors.payment.canceled')
const TIMEOUT = createFailure('errors.transaction.timeout')

/** Answers of an app without specific errors (our decision, like the field's simulators). */
const APP_ANSWERS = {
  approved: YES,
  declined: createDecline('errors.payment.declined'),
  canceled: CANCELED,
  timeout: TIMEOUT,
  failed: createFailure('errors.payment.failed'),
} as const

const CARD = { answeredBy: 'bank', itemized: false, limits: {}, checkPayer: asSent } as const
const REDIRECT = { answeredBy: 'payer', itemized: false, limits: {}, checkPayer: asSent } as const

/**
 * Every payment method, in the order of the payment page (specification: Transaction,
 * payment_method; Create transaction). A method is a row here, its name in the contract, and its
 * texts on the payment page.
 */
export const PAYMENT_METHODS = {
  credit_card: {
    ...CARD,
    transactionType: 'credit_card',
    page: {
      form: 'card',
      oldName: 'masterpass',
    },
  },
  stored: { ...CARD, transactionType: 'stored_card' },
  recurring: { ...CARD, transactionType: 'recurring' },
  invoice: {
    transactionType: 'invoice',
    answeredBy: 'credit check',
    itemized: true,
    limits: INVOICE_LIMITS,
    checkPayer: checkInvoicePayer,
    page: {
      form: 'invoice',
      currencies: ['sek', 'nok', 'eur'],
    },
  },
  swish: {
    ...REDIRECT,
    transactionType: 'swish',
    // The app's own time limit.
    approval: { minutes: 3, answers: APP_ANSWERS },
    limits: { swish_number: [30, 'errors.missing_or_invalid.phone_number'] },
    checkPayer: checkSwishPayer,
    page: {
      form: 'approval',
      field: 'swish_number',
      currencies: ['sek'],
      oldName: 'swish',
    },
  },
  bank: {
    ...REDIRECT,
    transactionType: 'bank',
    approval: {
      minutes: 15,
      answers: {
        approved: YES,
        canceled: CANCELED,
        timeout: TIMEOUT,
        insufficient_funds: createDecline('errors.bankprovider.insufficient_funds'),
        account_declined: createDecline('errors.bankprovider.account_declined'),
        account_not_found: createDecline('errors.bankprovider.account_not_found'),
        disabled_user: createDecline('errors.bankprovider.disabled_user'),
        deposit_not_captured: createFailure('errors.bankprovider.deposit_not_captured'),
      },
    },
    page: {
      form: 'approval',
      oldName: 'trustly',
    },
  },
  paypal: {
    ...REDIRECT,
    transactionType: 'paypal',
    approval: { minutes: 15, answers: APP_ANSWERS },
    page: {
      form: 'approval',
      oldName: 'paypal',
    },
  },
} as const satisfies Readonly<Record<PaymentMethod, PaymentMethodRules>>

type Table = typeof PAYMENT_METHODS

/** Methods whose rows contain `Part`. */
type MethodWith<Part> = {
  [Name in PaymentMethod]: Table[Name] extends Part ? Name : never
}[PaymentMethod]

/** Methods that a payer can choose on the payment page. */
export type PageMethod = MethodWith<{ page: object }>

/** Methods whose payers leave for an app or a bank. */
export type RedirectMethod = MethodWith<{ approval: object }>

type KeyOf<Each> = Each extends Each ? keyof Each : never

/** Names of all their answers. */
export type AnswerName = KeyOf<Table[RedirectMethod]['approval']['answers']>

/** Returns the row of a method that is only known at run time. */
export const getRules = (method: PaymentMethod): PaymentMethodRules => PAYMENT_METHODS[method]

export const PAYMENT_METHOD_NAMES = Object.keys(PAYMENT_METHODS) as PaymentMethod[]

export const isPageMethod = (method: PaymentMethod): method is PageMethod =>
  getRules(method).page !== undefined

export const isRedirectMethod = (method: PaymentMethod): method is RedirectMethod =>
  getRules(method).approval !== undefined

/** In the order of the page. */
export const PAGE_METHODS: readonly PageMethod[] = PAYMENT_METHOD_NAMES.filter(isPageMethod)

/** By the names of old pages. */
export const METHODS_BY_OLD_NAME: Readonly<Record<string, PageMethod>> = Object.fromEntries(
  PAGE_METHODS.flatMap((method) => {
    const { oldName } = getRules(method).page ?? {}
    return oldName === undefined ? [] : [[oldName, method]]
  }),
)

/**
 * Reads the method that a request chooses; undefined if it sends none. Clients also send their own
 * names for "no choice" (observed: 6.2): these are card payments, like `stored` and `recurring`,
 * which follow from the card.
 */
export function readPaymentMethod(sent: string | undefined): PaymentMethod | undefined {
  const name = sent?.toLowerCase()
  if (name === undefined) return undefined
  return isPaymentMethod(name) && PAYMENT_METHODS[name].answeredBy !== 'bank' ? name : 'credit_card'
}

const isPaymentMethod = (name: string): name is PaymentMethod =>
  Object.hasOwn(PAYMENT_METHODS, name)

/**
 * Reads the payer's phone number for Swish. Blanks, dashes and brackets are removed; a number in
 * Swedish form, such as 070-123 45 67, gets the country code (our decision).
 * @returns digits, beginning with 46 (observed: 11.5)
 * @throws errors.missing_or_invalid.phone_number (215)
 */
export function readSwishNumber(typed: string | undefined): string {
  const digits = (typed ?? '')
    .replace(/[\s()-]/g, '')
    .replace(/^(\+|00)/, '')
    .replace(/^0/, '46')
  if (/^46[1-9]\d{6,10}$/.test(digits)) return digits
  throw new GatewayError('errors.missing_or_invalid.phone_number', {
    explain: 'swish_number must be a Swedish phone number such as 46701234567 or 070-123 45 67.',
  })
}
