import { NO_CARD, type SentCard } from '../cards/payment-card.ts'
import type { PaymentMethod } from '../contract/wire.ts'
import { isNested, isObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { asLocale, type Locale } from '../domain/language/languages.ts'
import { STEERING_KEYS } from '../domain/order/metadata.ts'
import { METHODS_BY_OLD_NAME, readPaymentMethod } from '../domain/order/payment-methods.ts'
import { WALLET_HOLDER, type WalletCard, type WalletType } from '../domain/order/wallets.ts'
import type { PaymentDetailsField, SentPaymentDetails } from '../domain/payer/payment-details.ts'
import type { PayerAnswer } from '../payments/answer.ts'
import type { UpdateTransaction } from '../payments/commands.ts'
import { createPlanOrder } from '../payments/subscribe.ts'
import { maskPaymentRequest, readMetadata } from './order-fields.ts'
import { NONE_ENCRYPTED } from './parameters/decrypt.ts'
import {
  type CallParameters,
  flag,
  isSent,
  type Parameters,
  pick,
  text,
} from './parameters/parameters.ts'
import { CARD_DATA_FIELDS, readCardData, readPageCard } from './sent-card.ts'
import { readPlanId } from './subscription-order.ts'

/** Payer details that a page can ask for (observed: 11.4). */
const PAGE_DETAILS = [
  'email',
  'phone',
  'personal_number',
  'ssn',
  'first_name',
  'last_name',
  'company_name',
  'address_1',
  'address_2',
  'zip',
  'city',
  'country_code',
  'segmentation',
  'campaign',
  'swish_number',
] as const satisfies readonly PaymentDetailsField[]

/**
 * Fields of the page's forms; the expiry is one field, or two in old templates (observed: 11.4).
 */
export const PAGE_FIELDS = [
  ...CARD_DATA_FIELDS,
  'expMM',
  'expYY',
  'version',
  'action',
  'step',
  'answer',
  'payment_method',
  // Names of the method in forms of old pages.
  ...Object.keys(METHODS_BY_OLD_NAME),
  'stored_card',
  'wallet_type',
  'wallet_card',
  'store_card',
  'plan_id',
  'metadata',
  ...PAGE_DETAILS,
] as const

/**
 * Query parameters of the page (observed: 11.5); `template=none` selects the built-in page, and
 * `removed=card` reports that a card has been removed (our decision).
 */
export const PAGE_QUERY = ['payment.selected', 'plan', 'template', 'removed'] as const

/**
 * Returns true if the payer left the merchant's own page for the built-in one. Every page checks
 * this, including error pages.
 */
export const isBuiltInPageRequested = (parameters: Parameters): boolean =>
  isSent(parameters, 'template') && parameters.template === 'none'

const ACTIONS = ['pay', 'cancel', 'extend', 'answer', 'back', 'remove_card'] as const

/** An action that a payer's form requests. */
export type PageAction = (typeof ACTIONS)[number]

/**
 * Returns the requested action. A button of the simulated app only sends its answer; without a
 * known action the form pays.
 */
export function readPageAction(parameters: Parameters): PageAction {
  if (isSent(parameters, 'answer')) return 'answer'
  const action = text(parameters, 'action')
  return ACTIONS.find((each) => each === action) ?? 'pay'
}

/**
 * Reads the token of the payment whose page was shown at the address of the order form (setting
 * `form_in_place`).
 */
export const readPageToken = (parameters: Parameters): string | undefined =>
  text(parameters, 'page_token')

/** Returns true if the payer returns from a bank page in a frame (setting `form_in_place`). */
export const isReturnFromBank = (parameters: Parameters): boolean =>
  text(parameters, 'action') === 'after_bank'

/** Reads the payer's answer in the simulated app or bank. */
export const readPageAnswer = (id: number, parameters: Parameters): PayerAnswer => ({
  id,
  answer: text(parameters, 'answer'),
  shown: text(parameters, 'version'),
  form: true,
})

/** Returns the method of a submitted form; without a method it is the card form. */
export function readPageMethod(parameters: Parameters): PaymentMethod {
  const flagged = Object.keys(METHODS_BY_OLD_NAME).find((name) => text(parameters, name) === '1')
  return (
    readPaymentMethod(text(parameters, 'payment_method')) ??
    METHODS_BY_OLD_NAME[flagged ?? ''] ??
    'credit_card'
  )
}

/** Reads the typed payer details. */
export function readPageDetails(parameters: Parameters): SentPaymentDetails {
  const details: SentPaymentDetails = {}
  for (const field of PAGE_DETAILS) {
    const value = text(parameters, field)?.trim()
    if (value) details[field] = value
  }
  return details
}

/** Offers and facts of the page, in addition to a typed card. */
export interface PageOffer {
  /** Token of the chosen stored card. */
  readonly token?: string | undefined
  /** The payer may store the card. */
  readonly canStore: boolean
  /** Ids of the plans that the payer may choose. */
  readonly plans: readonly number[]
  /** Payer details found elsewhere. */
  readonly found?: SentPaymentDetails | undefined
  /** See `PageVersion`. */
  readonly replacedVersion?: number | undefined
  /** The simulated wallet that pays, and its card. */
  readonly wallet?: (WalletCard & { readonly type: WalletType }) | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Reads a form of the payment page. The payer cannot set amount, currency and the merchant's other
 * parameters.
 */
export function readPagePayment(
  id: number,
  parameters: Parameters,
  method: PaymentMethod,
  offer: PageOffer,
): UpdateTransaction {
  const sent = pick(parameters, PAGE_FIELDS)
  const card = method === 'credit_card' ? chooseCard(parameters, offer) : undefined
  const found = { ...offer.found, ...readPageDetails(parameters) }
  const payment_details = Object.keys(found).length > 0 ? found : undefined
  return {
    id,
    form: true,
    readIntent: () => ({ process: true, card: card?.sent ?? NO_CARD }),
    readChanges: ({ plan_id }) => ({
      payment_method: method,
      ...readPageMetadata(sent),
      ...(payment_details && { payment_details }),
      ...(card?.isTyped && offer.canStore && plan_id === null && readStoreCard(sent)),
      ...(card && readChosenPlan(sent, offer.plans)),
      payment_request: maskPaymentRequest(
        {
          payment_method: method,
          ...(card?.sent.number !== undefined && { card_number: card.sent.number }),
          ...readChosenLanguage(parameters),
        },
        NONE_ENCRYPTED,
      ),
    }),
    sentParameters: [
      'payment_method',
      ...(card?.sentParameters ?? []),
      ...(['wallet_type', 'metadata', 'plan_id', 'store_card'] as const).filter((name) =>
        isSent(sent, name),
      ),
      ...(payment_details ? ['payment_details'] : []),
    ],
    onPage: { shown: text(parameters, 'version'), replacedVersion: offer.replacedVersion },
  }
}

/** The card that pays on the page: of a wallet, stored, or typed. */
interface ChosenCard {
  readonly sent: SentCard
  readonly isTyped: boolean
  /** Names of its parameters, for the log. */
  readonly sentParameters: readonly string[]
}

function chooseCard(parameters: Parameters, { wallet, token, now }: PageOffer): ChosenCard {
  const typed = readPageCard(parameters)
  const sentParameters = CARD_DATA_FIELDS.filter((name) => typed[name] !== '')
  if (wallet)
    return {
      sent: createWalletCard(wallet, now),
      isTyped: false,
      sentParameters: token ? ['card_number'] : sentParameters,
    }
  if (token !== undefined)
    return {
      sent: createStoredCard(token, typed.card_cvv),
      isTyped: false,
      sentParameters: ['card_number'],
    }
  return { sent: readCardData(typed), isTyped: true, sentParameters }
}

/**
 * Returns the language that the payer chose on the page: it is kept for the bank, the receipt and
 * mails.
 */
function readChosenLanguage({ locale, lang }: Parameters): { readonly locale?: Locale } {
  const chosen = asLocale(locale) ?? asLocale(lang)
  return chosen ? { locale: chosen } : {}
}

/** Builds a stored card, with the security code if the page asked for it again. */
const createStoredCard = (token: string, cvv: string) => ({
  ...NO_CARD,
  type: 'STORED_CARD',
  number: token,
  cvv: cvv === '' ? undefined : cvv,
})

/** Builds a wallet's card, valid for three years. */
const createWalletCard = (
  { type, number, cvv }: WalletCard & { readonly type: WalletType },
  now: number,
) => ({
  ...NO_CARD,
  number,
  holder: WALLET_HOLDER,
  cvv,
  expiry: `12${(new Date(now).getUTCFullYear() + 3) % 100}`,
  wallet: type,
})

const readStoreCard = (sent: CallParameters<'store_card'>) =>
  flag(sent, 'store_card') ? { store_card: true } : {}

/** Ignores a plan that the page does not offer. */
function readChosenPlan(sent: CallParameters<'plan_id'>, plans: readonly number[]) {
  const id = plans.length > 0 ? readPlanId(sent) : undefined
  return id !== undefined && plans.includes(id) ? createPlanOrder(id) : {}
}

/**
 * Reads metadata: an input named `metadata["newsletter"]` sets this key; a ticked box is true
 * (specification: Metadata).
 */
function readPageMetadata(sent: CallParameters<'metadata'>): { readonly metadata?: JsonObject } {
  const metadata = readMetadata(sent)
  if (!metadata) return {}
  const written = Object.entries(metadata).filter(([key]) => !STEERING_KEYS.includes(key))
  return {
    metadata: Object.fromEntries(written.map(([key, value]) => [key, convertTickedBoxes(value)])),
  }
}

function convertTickedBoxes(value: JsonValue): JsonValue {
  if (value === 'on') return true
  if (!isNested(value)) return value
  if (!isObject(value)) return value.map(convertTickedBoxes)
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, convertTickedBoxes(member)]),
  )
}
