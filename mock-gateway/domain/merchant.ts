import type { QuestionKind } from './card/bank-questions.ts'
import { CARD_TYPES, type CardType } from './card/card-types.ts'
import { memoized } from './memoized.ts'
import type { Currency } from './money/currencies.ts'
import { PAGE_METHODS, type PageMethod } from './order/payment-methods.ts'
import type { WalletType } from './order/wallets.ts'
import type { PayerField } from './payer/page-fields.ts'
import type { Rule, RuleInput } from './rules/rules.ts'
import type { ReplacedSecret } from './secrets.ts'
import {
  UNDISTURBED,
  type WebhookDelivery,
  type WebhookTemplate,
  type WebhookTemplateInput,
} from './webhook/template.ts'

/** Parameters that cost the merchant money or disclose a payment. */
export const PAYER_OPTIONS = ['webhook', 'store_card', 'authorize', 'template_id'] as const

export type PayerOption = (typeof PAYER_OPTIONS)[number]

/** A JSON value with JavaScript's numbers. */
type PlainJson = string | number | boolean | null | PlainJson[] | { [name: string]: PlainJson }

/** Settings of a merchant's account (our decision, see docs/reference/settings.md). */
export interface MerchantSettings {
  /** Currency of the account; other currencies cost the exchange fee. */
  account_currency: Currency
  /**
   * Card types in the merchant's contract; others are rejected with errors.card_type.unsupported.
   */
  card_types: CardType[]
  /** Treatment of cards that are not test cards when test is false. */
  live_cards: 'simulate' | 'refuse'
  /**
   * False: the merchant has no contract for invoices, they are rejected with
   * errors.merchant.invoice.not_configured.
   */
  invoice: boolean
  /**
   * Rejects hashes by recipes that leave out the currency or the test flag, because a payer could
   * change them.
   */
  strict_hash: boolean
  /**
   * Parameters that a request without a login may send: the hash does not cover them, so a payer
   * could have added them. By default webhook and store_card, which the browser clients send
   * (observed: 6.3). Old form plugins, such as those for WooCommerce 3 and 4, send authorize too; a
   * payer who adds it would get the goods for a reservation, since shops accept status authorized
   * in a redirect (observed: 9). No known form sends template_id.
   */
  payer_options: PayerOption[]
  /**
   * Payments that are authenticated by 3-D Secure on the payment page and in the browser library:
   * none, those with a card of the 3-D Secure table, or all card payments, including the API's.
   */
  three_d_secure: 'off' | 'card' | 'always'
  /**
   * Treatment of payments whose issuer cannot authenticate: accepted without liability shift, or
   * rejected (169).
   */
  three_d_secure_unavailable: 'accept' | 'refuse'
  /** Challenge type of the simulated bank if neither the card nor the payment chooses one. */
  three_d_secure_question: QuestionKind
  /** Rules checked before the bank is asked, in this order. */
  rules: Rule[]
  /**
   * Score from 1 to 100 at which the simulated fraud check declines; without it there is no check.
   */
  fraud_limit?: number | undefined
  /** Seconds until the bank answers a capture; 0: immediately. */
  capture_seconds: number
  /**
   * Days from each failed charge of a subscription's period to the next attempt; after the last one
   * the period stays unpaid.
   */
  dunning: number[]
  /** Then the next period is charged when it begins, or the subscription is cancelled. */
  dunning_end: 'keep' | 'cancel'
  /**
   * Treatment of periods missed while no gateway was running: charge each with its own date, or
   * only the latest.
   */
  missed_periods: 'each' | 'latest'
  /**
   * Available to merchants' templates as transaction.merchant.settings_hosted['v2'] (observed:
   * 11.2).
   */
  settings_hosted: Record<string, PlainJson>
  /**
   * Logo on the payment page instead of the merchant's initial: an https address, or a base64 data
   * URL.
   */
  logo?: string | undefined
  /**
   * Origins that may frame the payment page; a port may be `*`. Empty: framing is forbidden
   * (specification: hosted flow, 2).
   */
  frame_parents: string[]
  /**
   * Minutes until a payment page expires, counted from its creation or last extension; 0: never.
   */
  page_minutes: number
  /**
   * Maximum number of attempts on one payment page; after that the payment has failed (attack 125).
   */
  page_tries: number
  /**
   * Where a declined payer goes: to error_url, as clients expect (observed: 9), or nowhere: the
   * page shows the reason and asks for another card.
   */
  page_refused: 'error_url' | 'page'
  /**
   * Answers the order form with the payment page itself, at the form's address, instead of a
   * redirect: an old app treats every other address as an error.
   */
  form_in_place: boolean
  /** Methods that the payment page offers, in this order, if they can pay the order. */
  payment_methods: PageMethod[]
  /** Simulated wallets that the payment page of a test payment offers next to the card. */
  wallets: WalletType[]
  /** Fields that the payment page asks every payer for; stored in payment_details. */
  payer_details: PayerField[]
  /**
   * Asks for the security code again when a stored card pays on the payment page. In test mode it
   * decides the outcome like the code of a new card; so does a code that the API receives with a
   * stored card.
   */
  stored_card_cvv: boolean
  /** Offers the outcomes of test cards on the payment page of a test payment. */
  page_test_helper: boolean
  /**
   * Administrators of the account: mails alert them when a webhook fails, unless `alerts` is false.
   */
  administrators: { email: string; alerts: boolean }[]
  /**
   * Adds `object` to every error, with the transaction of a failed payment, for clients that read
   * it there.
   */
  error_object: boolean
  /**
   * Webhooks for every transaction and stored card of the merchant (specification: templates in the
   * admin console).
   */
  webhooks: WebhookTemplate[]
  /**
   * Keys that sign calls to webhooks, all at the same time; if empty, a key is derived from the
   * secret.
   */
  webhook_keys: string[]
  /** Disturbs the delivery of webhooks, to test a shop's handler. */
  webhook_delivery: WebhookDelivery
}

/** Settings whose input type differs from the stored type. */
interface SettingInputs {
  administrators: { email: string; alerts?: boolean | undefined }[]
  rules: RuleInput[]
  webhooks: WebhookTemplateInput[]
  webhook_delivery: { [Name in keyof WebhookDelivery]?: WebhookDelivery[Name] | undefined }
}

type AllSettingInputs = Omit<MerchantSettings, keyof SettingInputs> & SettingInputs

/** Settings as input and as stored: every key is optional. */
export type GivenSettings = {
  [Name in keyof AllSettingInputs]?: AllSettingInputs[Name] | undefined
}

export type SettingName = keyof MerchantSettings

/**
 * Descriptions of each merchant setting, for forms, schemas and error messages. The table in
 * docs/reference/settings.md has the same texts, with links.
 */
export const SETTING_WORDS: Readonly<Record<SettingName, string>> = {
  account_currency:
    'Currency of the account. For payments in another currency, “cost” includes the exchange fee.',
  card_types: 'Accepted card types. Other types are rejected with error 121.',
  live_cards:
    'Payments with test=false and a card that is not a test card: “simulate” approves them, “refuse” rejects them with error 243.',
  invoice: 'Accept invoice payments. If false, they are rejected with error 181.',
  strict_hash: 'Reject hashes that omit the currency or the test flag.',
  payer_options:
    'Fields that a request without a login may contain: webhook, store_card, authorize, template_id. The hash covers none of them.',
  three_d_secure:
    'Payments with 3-D Secure. “off”: none. “card”: by test card, on the payment page and in the library. “always”: every card payment, also in API calls.',
  three_d_secure_unavailable:
    'Payments whose authentication is unavailable: “accept” continues them, “refuse” declines them with error 169.',
  three_d_secure_question:
    'Default challenge of the simulated bank: code, app, choice, choices or bankid.',
  rules: 'Payment rules in JSON, checked before the bank is asked.',
  fraud_limit:
    'Lowest score that the simulated fraud check declines, from 1 to 100. If unset, no payment is checked.',
  capture_seconds:
    'Seconds until the bank answers a capture. Meanwhile the status is “capture pending”.',
  dunning:
    'Days from each failed charge to the next retry. Retries stay within the period. With [] there are no retries.',
  dunning_end:
    'After the last failed retry, “keep” charges the next period as usual and “cancel” cancels the subscription. The failed period stays unpaid.',
  missed_periods:
    'Charges for missed periods, for example after the gateway was stopped. “each”: charge all of them with their own dates. “latest”: charge only the most recent.',
  settings_hosted:
    "Values for page templates, in JSON. Templates read them from transaction.merchant.settings_hosted['v2'].",
  logo: 'Picture on the payment page: https://…, or data:image/…;base64,… (png, jpeg, gif, webp or svg).',
  frame_parents: 'Origins whose pages may show the payment page in a frame. A port can be *.',
  page_minutes:
    "Minutes until the payment page expires, from its creation or the payer's last request for more time. An expired page returns error 1280. With 0 the page never expires.",
  page_tries:
    'Number of attempts on a payment page. If the last attempt is declined, the payment has failed.',
  page_refused:
    'After a decline, “error_url” redirects the payer to that address and “page” asks for another card.',
  form_in_place:
    'Show the payment page at /v1/form without a redirect, and the bank in a frame. Use it for apps that watch the address of the page. Page templates still open at their own address.',
  payment_methods:
    'Methods on the payment page, in the order of the list: credit_card, invoice, swish, bank, paypal. The page shows only methods that can pay the order.',
  wallets: 'Simulated wallets on the page of a test payment: apple_pay, google_pay.',
  payer_details:
    'Fields that every payer must fill in: email, phone, first_name, last_name, address_1, address_2, zip, city, country_code.',
  stored_card_cvv:
    'Ask for the security code when a stored card pays on the payment page. In test payments this code decides the result, also in API calls that contain one.',
  page_test_helper:
    'Show test cards by result and the steps of the payment on the page of a test payment, and the correct answer at the simulated bank. With false, both pages look as in production.',
  administrators:
    'People who get a mail when a webhook fails, as a JSON list of {"email": …, "alerts": true}. With alerts: false a person gets no mail.',
  error_object:
    'Add the field “object” to every error. If a payment failed, it contains “transaction”.',
  webhooks:
    'At most 20 webhook templates in JSON, for every transaction and stored card of the merchant.',
  webhook_keys:
    'At most three signing keys: whsec_ followed by base64. Each webhook is signed with all of them. If unset, the key is derived from the secret.',
  webhook_delivery: 'Delays, duplicates and reordering in JSON, to test a webhook handler.',
}

export const SETTING_NAMES = Object.keys(SETTING_WORDS) as readonly SettingName[]

/** Settings of a merchant that has set none. */
export const DEFAULT_SETTINGS: MerchantSettings = {
  account_currency: 'sek',
  card_types: [...CARD_TYPES],
  live_cards: 'simulate',
  invoice: true,
  strict_hash: false,
  payer_options: ['webhook', 'store_card'],
  three_d_secure: 'card',
  three_d_secure_unavailable: 'accept',
  three_d_secure_question: 'code',
  rules: [],
  capture_seconds: 0,
  dunning: [1, 3, 5, 7],
  dunning_end: 'keep',
  missed_periods: 'each',
  settings_hosted: {},
  frame_parents: [],
  page_minutes: 90,
  page_tries: 10,
  page_refused: 'error_url',
  form_in_place: false,
  payment_methods: [...PAGE_METHODS],
  wallets: [],
  payer_details: [],
  stored_card_cvv: false,
  page_test_helper: true,
  administrators: [],
  error_object: false,
  webhooks: [],
  webhook_keys: [],
  webhook_delivery: UNDISTURBED,
}

/**
 * Reads settings from the database, which were validated when they were stored: missing settings
 * get their defaults, and settings of earlier versions are dropped.
 */
export const readSettings: (json: string) => MerchantSettings = memoized(100, (json) => {
  const stored: Partial<MerchantSettings> = JSON.parse(json)
  const given = SETTING_NAMES.filter((name) => stored[name] !== undefined)
  return {
    ...DEFAULT_SETTINGS,
    ...Object.fromEntries(given.map((name) => [name, stored[name]])),
    webhook_delivery: { ...UNDISTURBED, ...stored.webhook_delivery },
  }
})

/** A merchant as use cases see it. */
export interface Merchant {
  readonly id: number
  readonly name: string
  /** Creates and checks hashes; never shown or logged. */
  readonly secret: string
  /** The secret replaced by the last rotation; undefined if there was no rotation. */
  readonly previousSecret?: ReplacedSecret
  readonly settings: MerchantSettings
}
