import { z } from 'zod'
import { QUESTION_KINDS, type QuestionKind } from './card/bank-questions.ts'
import { CARD_TYPES, type CardType } from './card/card-types.ts'
import { memoized } from './memoized.ts'
import { type Currency, DECIMALS } from './money/currencies.ts'
import { LONGEST_CAPTURE } from './order/capture-instruction.ts'
import { PAGE_METHODS, type PageMethod } from './order/payment-methods.ts'
import { WALLET_TYPES, type WalletType } from './order/wallets.ts'
import { PAYER_FIELDS, type PayerField } from './payer/page-fields.ts'
import { type Rule, type RuleInput, rules } from './rules/rules.ts'
import { SETTING_WORDS } from './setting-words.ts'
import type { ReplacedSecret } from './valid-secrets.ts'
import { isMailAddress } from './webhook/request.ts'
import {
  type WebhookDelivery,
  type WebhookTemplate,
  type WebhookTemplateInput,
  webhookDelivery,
  webhookTemplates,
} from './webhook/template.ts'

const currency = z.enum(Object.keys(DECIMALS) as [Currency, ...Currency[]])
const cardType = z.enum(CARD_TYPES as readonly [CardType, ...CardType[]])

/** Parameters that cost the merchant money or disclose a payment. */
const PAYER_OPTIONS = ['webhook', 'store_card', 'authorize', 'template_id'] as const

export type PayerOption = (typeof PAYER_OPTIONS)[number]

const LOGO =
  /^(?:https:\/\/[^\s"'<>;,]+|data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=]+)$/

/** Host sources of a Content-Security-Policy (CSP Level 3, host-source). */
const FRAME_PARENT = /^https?:\/\/[a-z0-9.-]+(?::(?:\d{1,5}|\*))?$/i

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

export const merchantSettings = z.strictObject({
  account_currency: currency.default('sek'),
  card_types: z.array(cardType).default([...CARD_TYPES]),
  live_cards: z.enum(['simulate', 'refuse']).default('simulate'),
  invoice: z.boolean().default(true),
  strict_hash: z.boolean().default(false),
  payer_options: z.array(z.enum(PAYER_OPTIONS)).default(['webhook', 'store_card']),
  three_d_secure: z.enum(['off', 'card', 'always']).default('card'),
  three_d_secure_unavailable: z.enum(['accept', 'refuse']).default('accept'),
  three_d_secure_question: z.enum(QUESTION_KINDS).default('code'),
  rules: rules.default([]),
  fraud_limit: z.int().min(1).max(100).optional(),
  capture_seconds: z.int().min(0).max(LONGEST_CAPTURE).default(0),
  dunning: z.array(z.int().min(1).max(365)).max(20).default([1, 3, 5, 7]),
  dunning_end: z.enum(['keep', 'cancel']).default('keep'),
  missed_periods: z.enum(['each', 'latest']).default('each'),
  settings_hosted: z.record(z.string(), z.json()).default({}),
  logo: z
    .string()
    .max(100_000)
    .regex(LOGO, 'must be https://... or data:image/...;base64,...')
    .optional(),
  frame_parents: z
    .array(
      z
        .string()
        .regex(
          FRAME_PARENT,
          'must be an origin such as https://shop.example or http://localhost:*',
        ),
    )
    .default([]),
  page_minutes: z.int().min(0).max(525_600).default(90),
  page_tries: z.int().min(1).max(100).default(10),
  page_refused: z.enum(['error_url', 'page']).default('error_url'),
  form_in_place: z.boolean().default(false),
  payment_methods: z.array(z.enum(PAGE_METHODS)).default([...PAGE_METHODS]),
  wallets: z.array(z.enum(WALLET_TYPES)).default([]),
  payer_details: z.array(z.enum(PAYER_FIELDS)).default([]),
  stored_card_cvv: z.boolean().default(false),
  page_test_helper: z.boolean().default(true),
  administrators: z
    .array(
      z.strictObject({
        email: z.string().refine(isMailAddress, 'must be one plain address'),
        alerts: z.boolean().default(true),
      }),
    )
    .max(20)
    .default([]),
  error_object: z.boolean().default(false),
  webhooks: webhookTemplates.default([]),
  webhook_keys: z
    .array(z.string().regex(/^whsec_[\w+/-]{32,88}={0,2}$/, 'must be whsec_ followed by base64'))
    .max(3)
    .default([]),
  webhook_delivery: webhookDelivery.prefault({}),
}) satisfies z.ZodType<MerchantSettings, GivenSettings>

type SettingsShape = typeof merchantSettings.shape
type WithoutDefault<Field> = Field extends
  | z.ZodDefault<infer Inner>
  | z.ZodPrefault<infer Inner>
  | z.ZodOptional<infer Inner>
  ? z.ZodOptional<Inner>
  : never

export type SettingName = keyof MerchantSettings

const WORDS: Readonly<Record<SettingName, string>> = SETTING_WORDS

export const SETTING_NAMES = Object.keys(WORDS) as readonly SettingName[]

/**
 * Schema of settings as input, with descriptions: omitted settings stay out and get their default
 * when they are read.
 */
export const givenSettings = z.strictObject(
  Object.fromEntries(
    SETTING_NAMES.map((name) => [
      name,
      merchantSettings.shape[name].unwrap().optional().describe(WORDS[name]),
    ]),
  ) as { [Name in keyof SettingsShape]: WithoutDefault<SettingsShape[Name]> },
) satisfies z.ZodType<GivenSettings, GivenSettings>

/**
 * Reads settings from the database: missing settings get their defaults, and settings of earlier
 * versions are dropped.
 */
export const readSettings: (json: string) => MerchantSettings = memoized(100, (json) =>
  merchantSettings.strip().parse(JSON.parse(json)),
)

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
