import { z } from 'zod'
import { QUESTION_KINDS } from './card/bank-questions.ts'
import { CARD_TYPES, type CardType } from './card/card-types.ts'
import {
  type GivenSettings,
  type MerchantSettings,
  PAYER_OPTIONS,
  SETTING_NAMES,
  SETTING_WORDS,
  type SettingName,
} from './merchant.ts'
import { type Currency, DECIMALS } from './money/currencies.ts'
import { LONGEST_CAPTURE } from './order/metadata.ts'
import { PAGE_METHODS } from './order/payment-methods.ts'
import { WALLET_TYPES } from './order/wallets.ts'
import { PAYER_FIELDS } from './payer/page-fields.ts'
import { rules } from './rules/rule-schema.ts'
import { formatProblems, parseList } from './schema-problems.ts'
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

/** Settings to change; null restores a default. */
export type SettingChanges = { readonly [Name in SettingName]?: GivenSettings[Name] | null }

/** Valid changes, and the problems of the others, by name. */
interface ParsedSettings {
  readonly changes: SettingChanges
  readonly problems: Readonly<Record<string, string>>
}

/**
 * Parses settings written by people and programs: JSON values, or texts. Lists may be
 * comma-separated; an empty text and null mean the default.
 */
export function parseSettings(sent: Readonly<Record<string, unknown>>): ParsedSettings {
  const changes: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const [name, value] of Object.entries(sent)) {
    const setting = SETTING_NAMES.find((each) => each === name)
    if (!setting) problems[name] = 'there is no such setting'
    else if (value === null || value === '') changes[name] = null
    else {
      const result = parseSetting(setting, value)
      if (result.success) changes[name] = result.data
      else problems[name] = formatProblems(result.error)
    }
  }
  return { changes, problems }
}

/** Returns the first valid interpretation, or else the problems of the closest one. */
function parseSetting(name: SettingName, value: unknown): z.ZodSafeParseResult<unknown> {
  const schema = givenSettings.shape[name]
  const readings = typeof value === 'string' ? listInterpretations(value) : [value]
  const tried = readings.map((reading) => schema.safeParse(reading))
  return (
    tried.find(({ success }) => success) ??
    tried.reduce((least, each) => (measureDepth(each) > measureDepth(least) ? each : least))
  )
}

/** Measures how much of a value a schema accepted before its first problem. */
const measureDepth = ({ error }: z.ZodSafeParseResult<unknown>): number =>
  Math.max(
    0,
    ...(error?.issues ?? []).map(
      ({ path, code }) => path.length * 2 + (code === 'invalid_type' ? 0 : 1),
    ),
  )

/**
 * Lists the possible meanings of a text: JSON, a list separated by commas or line breaks, or the
 * text itself.
 */
function listInterpretations(text: string): unknown[] {
  const list = text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
  try {
    return [JSON.parse(text), list, text]
  } catch {
    return [list, text]
  }
}

/** Input field of a setting in a form. */
interface SettingField {
  /** A choice, a number, one line of text, or JSON. */
  readonly kind: 'choice' | 'number' | 'line' | 'json'
  /** Allowed values, if there are few; for a list, its allowed members. */
  readonly choices: readonly string[]
}

/** Derives the input field from the setting's schema. */
export function describeSetting(name: SettingName): SettingField {
  const schema = givenSettings.shape[name].unwrap()
  if (schema instanceof z.ZodBoolean) return { kind: 'choice', choices: ['true', 'false'] }
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: schema.options.map(String) }
  if (schema instanceof z.ZodNumber) return { kind: 'number', choices: [] }
  if (schema instanceof z.ZodString) return { kind: 'line', choices: [] }
  const held = schema instanceof z.ZodArray ? schema.element : undefined
  if (held instanceof z.ZodEnum) return { kind: 'line', choices: held.options.map(String) }
  return {
    kind: held instanceof z.ZodString || held instanceof z.ZodNumber ? 'line' : 'json',
    choices: [],
  }
}

/** Formats a setting so that `parseSettings` can read it. */
export function formatSetting(value: MerchantSettings[SettingName]): string {
  if (typeof value !== 'object') return String(value ?? '')
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each !== 'object'))
    return value.join(', ')
  return JSON.stringify(value, null, 2)
}
