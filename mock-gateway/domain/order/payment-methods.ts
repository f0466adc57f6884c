import type { PaymentMethod, TransactionType } from '../../contract/wire.ts'
import type { ErrorName } from '../errors/errors.ts'
import type { Currency } from '../money/currencies.ts'
import { checkInvoicePayer, INVOICE_LIMITS } from '../payer/invoice-payer.ts'
import type { DetailLimits, SentPaymentDetails } from '../payer/payment-details.ts'
import { readSwishNumber } from '../payer/swish-number.ts'
import type { BankRefusal } from './decision.ts'

type CheckPayer = (
  details: SentPaymentDetails | undefined,
  complete: boolean,
) => SentPaymentDetails | undefined

/** What an app or a bank may answer, and what the payment is refused with; null is a yes. */
type AnswerTable = Readonly<Record<string, Pick<BankRefusal, 'kind' | 'error'> | null>>

/** How one method of payment works. */
interface PaymentMethodRules {
  /** What the transaction becomes when it is paid this way. */
  readonly transactionType: TransactionType
  /**
   * Who answers when the transaction is processed: the card's bank or a credit check, at once, or
   * the payer, who finishes at `href` in an app or at a bank (our decision, the specification is
   * silent).
   */
  readonly answeredBy: 'bank' | 'credit check' | 'payer'
  /** Where the payer answers. */
  readonly asked?: { readonly minutes: number; readonly answers: AnswerTable }
  /** Needs `items` that add up to the amount. */
  readonly itemized: boolean
  /** Lengths of `payment_details` that differ from those of every payment. */
  readonly limits: DetailLimits
  /** Checks what is known of the payer, and returns it in its normal form. */
  readonly checkPayer: CheckPayer
  /** How the payment page offers it; left out where it follows from something else. */
  readonly page?: {
    /** Its form, by the view's name. */
    readonly form: 'card' | 'invoice' | 'asked'
    /** What its form asks for besides what every form does. */
    readonly field?: 'swish_number'
    /** All that can be paid with it; left out: any. */
    readonly currencies?: readonly Currency[]
    /** What forms and links of old pages call it (observed: 11.4, 11.5). */
    readonly oldName?: string
    /**
     * Strokes of an SVG picture of 24 by 24; left out of a brand, whose name stands alone (decision
     * 109).
     */
    readonly mark?: string
  }
}

const asSent: CheckPayer = (details) => details

/** Of a prepared payment the page may still ask the number, and an update may bring it. */
const checkSwishPayer: CheckPayer = (details, complete) =>
  details?.swish_number === undefined && !complete
    ? details
    : { ...details, swish_number: readSwishNumber(details?.swish_number) }

const YES = null
const no = (error: ErrorName) => ({ kind: 'declined', error }) as const
const broken = (error: ErrorName) => ({ kind: 'failed', error }) as const

const CANCELED = no('errors.payment.canceled')
const TIMEOUT = broken('errors.transaction.timeout')

/** Answers of an app that knows no more (our decision, as the simulators of the field have it). */
const APP_ANSWERS = {
  approved: YES,
  declined: no('errors.payment.declined'),
  canceled: CANCELED,
  timeout: TIMEOUT,
  failed: broken('errors.payment.failed'),
} as const

const CARD = { answeredBy: 'bank', itemized: false, limits: {}, checkPayer: asSent } as const
const ASKED = { answeredBy: 'payer', itemized: false, limits: {}, checkPayer: asSent } as const

/**
 * Every method of payment, in the order in which the page shows them (specification: Transaction,
 * payment_method; Create transaction). A method is a row here, its name in the contract, and its
 * words in the texts of the payment page.
 */
export const PAYMENT_METHODS = {
  credit_card: {
    ...CARD,
    transactionType: 'credit_card',
    page: {
      form: 'card',
      oldName: 'masterpass',
      mark: '<rect x="3" y="5.5" width="18" height="13" rx="2"/><path d="M3 10h18M6.5 15h4"/>',
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
      mark: '<path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5"/>',
    },
  },
  swish: {
    ...ASKED,
    transactionType: 'swish',
    // The app waits so long.
    asked: { minutes: 3, answers: APP_ANSWERS },
    limits: { swish_number: [30, 'errors.missing_or_invalid.phone_number'] },
    checkPayer: checkSwishPayer,
    page: {
      form: 'asked',
      field: 'swish_number',
      currencies: ['sek'],
      oldName: 'swish',
    },
  },
  bank: {
    ...ASKED,
    transactionType: 'bank',
    asked: {
      minutes: 15,
      answers: {
        approved: YES,
        canceled: CANCELED,
        timeout: TIMEOUT,
        insufficient_funds: no('errors.bankprovider.insufficient_funds'),
        account_declined: no('errors.bankprovider.account_declined'),
        account_not_found: no('errors.bankprovider.account_not_found'),
        disabled_user: no('errors.bankprovider.disabled_user'),
        deposit_not_captured: broken('errors.bankprovider.deposit_not_captured'),
      },
    },
    page: {
      form: 'asked',
      oldName: 'trustly',
      mark: '<path d="M3.5 9.5 12 4l8.5 5.5zM5.5 9.5V18M10 9.5V18M14 9.5V18M18.5 9.5V18M3.5 20.5h17"/>',
    },
  },
  paypal: {
    ...ASKED,
    transactionType: 'paypal',
    asked: { minutes: 15, answers: APP_ANSWERS },
    page: {
      form: 'asked',
      oldName: 'paypal',
    },
  },
} as const satisfies Readonly<Record<PaymentMethod, PaymentMethodRules>>

type Table = typeof PAYMENT_METHODS

/** Methods whose rows have this. */
type MethodWith<Part> = {
  [Name in PaymentMethod]: Table[Name] extends Part ? Name : never
}[PaymentMethod]

/** Methods that a payer can choose on the payment page. */
export type PageMethod = MethodWith<{ page: object }>

/** Methods whose payers answer in an app or at a bank. */
export type RedirectMethod = MethodWith<{ asked: object }>

type KeyOf<Each> = Each extends Each ? keyof Each : never

/** What any of them may answer. */
export type AnswerName = KeyOf<Table[RedirectMethod]['asked']['answers']>

/** The row of a method whose name is known only as the program runs. */
export const rulesOf = (method: PaymentMethod): PaymentMethodRules => PAYMENT_METHODS[method]

export const PAYMENT_METHOD_NAMES = Object.keys(PAYMENT_METHODS) as PaymentMethod[]

export const isPageMethod = (method: PaymentMethod): method is PageMethod =>
  rulesOf(method).page !== undefined

export const isRedirectMethod = (method: PaymentMethod): method is RedirectMethod =>
  rulesOf(method).asked !== undefined

/** In the order of the page. */
export const PAGE_METHODS: readonly PageMethod[] = PAYMENT_METHOD_NAMES.filter(isPageMethod)

/** By the names that old pages have for them. */
export const METHODS_BY_OLD_NAME: Readonly<Record<string, PageMethod>> = Object.fromEntries(
  PAGE_METHODS.flatMap((method) => {
    const { oldName } = rulesOf(method).page ?? {}
    return oldName === undefined ? [] : [[oldName, method]]
  }),
)

/**
 * The method that a request chooses; undefined when it sends none. Clients also send names of their
 * own for "no choice" (observed: 6.2): those are card payments, as are `stored` and `recurring`,
 * which follow from the card.
 */
export function readPaymentMethod(sent: string | undefined): PaymentMethod | undefined {
  const name = sent?.toLowerCase()
  if (name === undefined) return undefined
  return isPaymentMethod(name) && PAYMENT_METHODS[name].answeredBy !== 'bank' ? name : 'credit_card'
}

const isPaymentMethod = (name: string): name is PaymentMethod =>
  Object.hasOwn(PAYMENT_METHODS, name)
