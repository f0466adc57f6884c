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

/** What a request may ask for that costs the merchant, or tells somebody of the payment. */
const PAYER_OPTIONS = ['webhook', 'store_card', 'authorize', 'template_id'] as const

export type PayerOption = (typeof PAYER_OPTIONS)[number]

const LOGO =
  /^(?:https:\/\/[^\s"'<>;,]+|data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=]+)$/

/** What a policy can name (CSP Level 3, host-source). */
const FRAME_PARENT = /^https?:\/\/[a-z0-9.-]+(?::(?:\d{1,5}|\*))?$/i

/** What JSON can say, numbers as JavaScript has them. */
type PlainJson = string | number | boolean | null | PlainJson[] | { [name: string]: PlainJson }

/**
 * What a merchant's account allows and how it behaves (our decision, see
 * docs/reference/settings.md).
 */
export interface MerchantSettings {
  /** Currency of the account: another one costs the exchange fee. */
  account_currency: Currency
  /**
   * Card types the merchant has a contract for; others are refused with
   * errors.card_type.unsupported.
   */
  card_types: CardType[]
  /** What happens to a card that is no test card when test is false. */
  live_cards: 'simulate' | 'refuse'
  /**
   * False: the merchant has no contract for invoices, they are refused with
   * errors.merchant.invoice.not_configured.
   */
  invoice: boolean
  /**
   * Refuses hashes by recipes that leave the currency or the test flag open, which a payer could
   * change then.
   */
  strict_hash: boolean
  /**
   * What a request without a login may ask for: its hash covers none of it, so it may be the
   * payer's idea. By default webhook and store_card, which the browser clients send (observed:
   * 6.3). Old form plugins, as those for WooCommerce 3 and 4, send authorize too; a payer who adds
   * it would get the goods for a reservation, since shops take status authorized in a redirect for
   * success (observed: 9). No form is known that sends template_id.
   */
  payer_options: PayerOption[]
  /**
   * Which payments are authenticated by 3-D Secure on the payment page and in the browser library:
   * none, those with a card of the 3-D Secure table, or all by card, those of the API too.
   */
  three_d_secure: 'off' | 'card' | 'always'
  /**
   * What happens to a payment whose card issuer cannot authenticate: taken without its warranty, or
   * refused (169).
   */
  three_d_secure_unavailable: 'accept' | 'refuse'
  /** How the simulated bank asks where neither the card nor the payment says. */
  three_d_secure_question: QuestionKind
  /** What payments are looked at for before the bank is asked, in this order. */
  rules: Rule[]
  /**
   * Score, from 1 to 100, from which the simulated fraud check refuses; without it nobody checks.
   */
  fraud_limit?: number | undefined
  /** How long the bank takes for a capture; 0: it answers at once. */
  capture_seconds: number
  /**
   * Days from each failed charge of a subscription's period to the next try; after the last the
   * period stays unpaid.
   */
  dunning: number[]
  /**
   * What follows then: the next period is charged when it begins, or the subscription is cancelled.
   */
  dunning_end: 'keep' | 'cancel'
  /**
   * Of periods that were missed, while no gateway ran say: charges each, with its own date, or the
   * latest only.
   */
  missed_periods: 'each' | 'latest'
  /**
   * What templates of merchants read at transaction.merchant.settings_hosted['v2'] (observed:
   * 11.2).
   */
  settings_hosted: Record<string, PlainJson>
  /**
   * Picture on the payment page, instead of the merchant's first letter: an https address, or a
   * data URL of base64.
   */
  logo?: string | undefined
  /**
   * Origins whose pages may frame the payment page; a port may be `*`. None: no page may
   * (specification: hosted flow, 2).
   */
  frame_parents: string[]
  /**
   * Minutes that a payment page can be paid, from when it was prepared or last prolonged; 0 is for
   * ever.
   */
  page_minutes: number
  /**
   * Times that the bank is asked for one payment page; then the payment has failed (attack 125).
   */
  page_tries: number
  /**
   * Where a payer goes whom the bank refuses: to error_url, as clients expect (observed: 9), or
   * nowhere: the page says why and asks for another card.
   */
  page_refused: 'error_url' | 'page'
  /**
   * Answers the order form with the payment page itself, at the address of the form, instead of a
   * redirect to the page: an old app takes every other address for an error.
   */
  form_in_place: boolean
  /** Methods that the payment page offers, in their order, as far as they can pay the order. */
  payment_methods: PageMethod[]
  /** Simulated wallets that the payment page of a test payment offers beside the card. */
  wallets: WalletType[]
  /** What the payment page asks every payer for, kept in payment_details. */
  payer_details: PayerField[]
  /**
   * Asks for the security code again when a stored card pays on the payment page. It decides in
   * test mode as that of a card that is typed; so does one that the API is sent with a stored card.
   */
  stored_card_cvv: boolean
  /** Offers the outcomes of test cards on the payment page of a test payment. */
  page_test_helper: boolean
  /**
   * Who runs the account: mails tell them of webhooks that are not taken, unless `alerts` is false.
   */
  administrators: { email: string; alerts: boolean }[]
  /**
   * Adds `object` to every error, with the transaction of a payment that failed, for clients that
   * read it there.
   */
  error_object: boolean
  /**
   * Webhooks of every transaction and stored card of the merchant (specification: templates in the
   * admin console).
   */
  webhooks: WebhookTemplate[]
  /**
   * Keys that calls to webhooks are signed with, all of them at once; without any one follows from
   * the secret.
   */
  webhook_keys: string[]
  /** Sends webhooks as no shop likes them, to test its handler. */
  webhook_delivery: WebhookDelivery
}

/** What was given as another thing than it is kept as. */
interface SettingInputs {
  administrators: { email: string; alerts?: boolean | undefined }[]
  rules: RuleInput[]
  webhooks: WebhookTemplateInput[]
  webhook_delivery: { [Name in keyof WebhookDelivery]?: WebhookDelivery[Name] | undefined }
}

type AllSettingInputs = Omit<MerchantSettings, keyof SettingInputs> & SettingInputs

/** Settings as they are given, and kept: every key may be left out. */
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

/** Name of a setting. */
export type SettingName = keyof MerchantSettings

const WORDS: Readonly<Record<SettingName, string>> = SETTING_WORDS

export const SETTING_NAMES = Object.keys(WORDS) as readonly SettingName[]

/**
 * Settings as they are given, each with what it is for: what is left out stays out, and has its
 * default when it is read.
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
 * Reads settings from the database: missing settings get their defaults, and settings that an
 * earlier version had are left out.
 */
export const readSettings: (json: string) => MerchantSettings = memoized(100, (json) =>
  merchantSettings.strip().parse(JSON.parse(json)),
)

/** A merchant as the use cases know it. */
export interface Merchant {
  readonly id: number
  readonly name: string
  /** Makes and checks hashes; never shown or logged. */
  readonly secret: string
  /** The secret that the last rotation replaced; undefined if there was no rotation. */
  readonly previousSecret?: ReplacedSecret
  readonly settings: MerchantSettings
}
