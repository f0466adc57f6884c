import { z } from 'zod'
import { QUESTION_KINDS } from './card/bank-questions.ts'
import { CARD_TYPES, type CardType } from './card/card-types.ts'
import { type GivenSettings, PAYER_OPTIONS, SETTING_NAMES, type SettingName } from './merchant.ts'
import { type Currency, DECIMALS } from './money/currencies.ts'
import { LONGEST_CAPTURE } from './order/metadata.ts'
import { PAGE_METHODS } from './order/payment-methods.ts'
import { WALLET_TYPES } from './order/wallets.ts'
import { PAYER_FIELDS } from './payer/page-fields.ts'
import { rules } from './rules/rule-schema.ts'
import { parseList } from './schema-problems.ts'
import { SETTING_WORDS } from './setting-words.ts'
import { isMailAddress } from './webhook/request.ts'
import { webhookDelivery, webhookTemplates } from './webhook/template-schema.ts'

const currency = z.enum(Object.keys(DECIMALS) as [Currency, ...Currency[]])
const cardType = z.enum(CARD_TYPES as readonly [CardType, ...CardType[]])

const LOGO =
  /^(?:https:\/\/[^\s"'<>;,]+|data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=]+)$/

/** Host sources of a Content-Security-Policy (CSP Level 3, host-source). */
const FRAME_PARENT = /^https?:\/\/[a-z0-9.-]+(?::(?:\d{1,5}|\*))?$/i

const SCHEMAS = {
  account_currency: currency,
  card_types: parseList(cardType),
  live_cards: z.enum(['simulate', 'refuse']),
  invoice: z.boolean(),
  strict_hash: z.boolean(),
  payer_options: parseList(z.enum(PAYER_OPTIONS)),
  three_d_secure: z.enum(['off', 'card', 'always']),
  three_d_secure_unavailable: z.enum(['accept', 'refuse']),
  three_d_secure_question: z.enum(QUESTION_KINDS),
  rules,
  fraud_limit: z.int().min(1).max(100),
  capture_seconds: z.int().min(0).max(LONGEST_CAPTURE),
  dunning: parseList(z.int().min(1).max(365)).max(20),
  dunning_end: z.enum(['keep', 'cancel']),
  missed_periods: z.enum(['each', 'latest']),
  settings_hosted: z.record(z.string(), z.json()),
  logo: z.string().max(100_000).regex(LOGO, 'must be https://... or data:image/...;base64,...'),
  frame_parents: parseList(
    z
      .string()
      .regex(FRAME_PARENT, 'must be an origin such as https://shop.example or http://localhost:*'),
  ),
  page_minutes: z.int().min(0).max(525_600),
  page_tries: z.int().min(1).max(100),
  page_refused: z.enum(['error_url', 'page']),
  form_in_place: z.boolean(),
  payment_methods: parseList(z.enum(PAGE_METHODS)),
  wallets: parseList(z.enum(WALLET_TYPES)),
  payer_details: parseList(z.enum(PAYER_FIELDS)),
  stored_card_cvv: z.boolean(),
  page_test_helper: z.boolean(),
  administrators: parseList(
    z.strictObject({
      email: z.string().refine(isMailAddress, 'must be one plain address'),
      alerts: z.boolean().default(true),
    }),
  ).max(20),
  error_object: z.boolean(),
  webhooks: webhookTemplates,
  webhook_keys: parseList(
    z.string().regex(/^whsec_[\w+/-]{32,88}={0,2}$/, 'must be whsec_ followed by base64'),
  ).max(3),
  webhook_delivery: webhookDelivery,
} satisfies Record<SettingName, z.ZodType>

/**
 * Schema of settings as input, with descriptions: omitted settings stay out and get their default
 * when they are read.
 */
export const givenSettings = z.strictObject(
  Object.fromEntries(
    SETTING_NAMES.map((name) => [name, SCHEMAS[name].optional().describe(SETTING_WORDS[name])]),
  ) as { [Name in SettingName]: z.ZodOptional<(typeof SCHEMAS)[Name]> },
) satisfies z.ZodType<GivenSettings, GivenSettings>
