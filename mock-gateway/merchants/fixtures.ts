import { z } from 'zod'
import type { IntervalUnit, Item, TransactionStatus } from '../contract/wire.ts'
import { CARD_TYPES } from '../domain/card/card-types.ts'
import {
  type ErrorKey,
  entryByCode,
  entryByName,
  GatewayError,
  keyOf,
} from '../domain/errors/errors.ts'
import { isLinkToken } from '../domain/identifiers.ts'
import { isObject, type JsonObject } from '../domain/json.ts'
import { type Currency, DECIMALS } from '../domain/money/currencies.ts'
import { formatAmount, type Hundredths, hundredths, parseAmount } from '../domain/money/money.ts'
import { PAYMENT_METHOD_NAMES, PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { STATES } from '../domain/order/states.ts'
import { checkReturnUrl, type ReturnUrl } from '../domain/order/urls.ts'
import { WALLET_TYPES } from '../domain/order/wallets.ts'
import { listOf, problemsOf } from '../domain/schema-problems.ts'
import type { Column, Columns } from '../storage/tables/columns.ts'
import { customerColumns } from '../storage/tables/customers.ts'
import { paymentLinkColumns } from '../storage/tables/payment-links.ts'
import { planColumns } from '../storage/tables/plans.ts'
import { storedCardColumns } from '../storage/tables/stored-cards.ts'
import { type ClientFacts, transactionColumns } from '../storage/tables/transactions.ts'
import { SOURCE_LENGTH, TEMPLATE_KINDS, TEMPLATE_NAME } from '../templates/save.ts'
import { rowId as id, merchantSeed } from './seed-schema.ts'

/** "10.00"; hundredths inside. */
const amount = z.codec(z.string(), z.custom<Hundredths>(), {
  decode(text, context) {
    const parsed = parseAmount(text)
    if (parsed.ok) return parsed.value
    context.issues.push({ code: 'custom', message: 'must be an amount such as 10.00', input: text })
    return z.NEVER
  },
  encode: (value) => formatAmount(hundredths(value)),
})

/** ISO 8601; epoch milliseconds inside. */
const moment = z.codec(z.iso.datetime({ offset: true }), z.number(), {
  decode: (text) => Date.parse(text),
  encode: (at) => new Date(at).toISOString(),
})

const object = z.custom<JsonObject>((value) => isObject(value as JsonObject), 'must be an object')
const currency = z.enum(Object.keys(DECIMALS) as Currency[])
const cardType = z.enum(CARD_TYPES)
const expiry = z.string().regex(/^(0[1-9]|1[0-2])\d\d$/, 'must be MMYY')
const masked = z.string().regex(/^\d{6}\*{2,9}\d{4}$/, 'must be masked, such as 411111******1111')
const items = listOf(
  z.custom<Item>((value) => isObject(value as JsonObject), 'must be an object'),
).readonly()
const errorKey = z.custom<ErrorKey>((value) => {
  const entry =
    typeof value === 'string' ? (entryByName(value) ?? entryByCode(Number(value))) : undefined
  return entry !== undefined && keyOf(entry) === value
}, 'must be the name of an error')
const prices = z.codec(
  z.partialRecord(currency, z.string()),
  z.custom<Partial<Record<Currency, Hundredths>>>(),
  {
    decode: (texts, context) =>
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => {
          const parsed = parseAmount(text)
          if (!parsed.ok)
            context.issues.push({
              code: 'custom',
              message: `must be amounts such as 10.00`,
              input: text,
            })
          return [name, parsed.ok ? parsed.value : 0]
        }),
      ),
    encode: (kept) =>
      Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, formatAmount(value)])),
  },
)

/** An address that a payer is sent to: http or https only, as in a request. */
const returnUrl = (which: ReturnUrl) =>
  z.string().refine((text) => {
    try {
      return Boolean(checkReturnUrl(text, which, { own: [] }))
    } catch {
      return false
    }
  }, 'must be an http or https address, such as https://shop.example/paid')

/** Makes a member optional: null if it is missing. */
const unset = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null as never)

/** Schema of a column by its kind. */
const KINDS = {
  id,
  text: z.string(),
  flag: z.boolean().default(false),
  integer: z.int(),
  amount,
  moment,
  count: z.int(),
  real: z.number(),
  json: object,
  repeatedJson: object,
} satisfies Record<Column<unknown>['kind'], z.ZodType>

/** Schemas of columns that have no rule of their own. A nullable column may be left out. */
const fieldsOf = <Table extends Columns>(columns: Table): FieldsOf<Table> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { kind, isNullable }]) => [
      name,
      isNullable ? unset(KINDS[kind]) : KINDS[kind],
    ]),
  ) as object as FieldsOf<Table>

type FieldsOf<Table extends Columns> = {
  [Name in keyof Table]: Table[Name] extends Column<infer Value, boolean>
    ? z.ZodType<Value, unknown>
    : never
}

/** Members of every row: a free id is kept, and missing times are the time of loading. */
const common = {
  id: id.optional(),
  merchant_id: id.optional(),
  created_at: moment.optional(),
  updated_at: moment.optional(),
}

const merchant = merchantSeed.partial({ password: true, secret: true })

const plan = z.strictObject({
  ...fieldsOf(planColumns),
  ...common,
  name: z.string().min(1),
  description: z.string().default(''),
  interval: z.int().positive(),
  interval_unit: z.enum(['days', 'months'] satisfies IntervalUnit[]),
  prices,
  setup_fees: prices.default({}),
  periods: z.int().min(0).default(0),
  trial_length: z.int().min(0).default(0),
  status: z.enum(['active', 'cancelled']).default('active'),
})

const paymentLink = z.strictObject({
  ...fieldsOf(paymentLinkColumns),
  ...common,
  token: z
    .string()
    .refine(isLinkToken, 'must have 12 lower-case letters and digits, without l, o, 0 and 1')
    .optional(),
  currency,
  payment_ref: z.string().min(1).max(64),
  description: z.string().max(150).default(''),
  test: z.boolean().default(true),
  success_url: unset(returnUrl('success_url')),
  error_url: unset(returnUrl('error_url')),
  uses: z.int().min(0).default(1),
  begun: z.int().min(0).default(0),
})

const customer = z.strictObject({
  ...fieldsOf(customerColumns),
  ...common,
  ref: unset(z.string().max(255)),
})

/** `expires` follows from `card_expiry`. */
const { expires: _expires, ...fileCardColumns } = storedCardColumns

const storedCard = z.strictObject({
  ...fieldsOf(fileCardColumns),
  ...common,
  token: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must have 32 hexadecimal digits')
    .optional(),
  card_number: masked,
  card_expiry: expiry,
  card_type: cardType,
  currency,
  status: z.enum(['active', 'cancelled']).default('active'),
  test: z.boolean().default(true),
})

/** A file has one amount, and no subscriptions. */
const {
  amount_text: _amountText,
  subscription_id: _subscription,
  version: _version,
  ...fileTransactionColumns
} = transactionColumns

const transaction = z.strictObject({
  ...fieldsOf(fileTransactionColumns),
  ...common,
  /** As sent: a badly formatted amount is stored, and rejected when it is paid. */
  amount: z.string(),
  currency,
  payment_ref: z.string().min(1).max(64),
  wallet_type: unset(z.enum(WALLET_TYPES)),
  card_number: unset(masked),
  card_expiry: unset(expiry),
  card_type: unset(cardType),
  test: z.boolean().default(true),
  status: z.enum(Object.keys(STATES) as TransactionStatus[]).default('pending'),
  error_name: unset(errorKey),
  transaction_type: unset(
    z.enum(Object.values(PAYMENT_METHODS).map(({ transactionType }) => transactionType)),
  ),
  payment_method: z.enum(PAYMENT_METHOD_NAMES).default('credit_card'),
  success_url: unset(returnUrl('success_url')),
  error_url: unset(returnUrl('error_url')),
  href_token: z
    .string()
    .regex(/^[\w-]{22}$/, 'must have 22 letters, digits, _ or -')
    .optional(),
  items: unset(items),
  payment_request: object.default({}),
  client: z
    .strictObject({ user_agent: z.string(), ip: z.string(), accept_language: z.string() })
    .default({ user_agent: '', ip: '', accept_language: '' } satisfies ClientFacts),
  subscription_quantity: unset(z.int().positive()),
  subscription_items: unset(items),
  tries: z.int().min(0).default(0),
  captures: listOf(z.strictObject({ amount, created_at: moment.optional() })).default([]),
  refunds: listOf(
    z.strictObject({
      amount,
      reason: z.string(),
      ref: unset(z.string()),
      created_at: moment.optional(),
    }),
  ).default([]),
})

const template = z.strictObject({
  ...common,
  name: z
    .string()
    .regex(TEMPLATE_NAME, 'must have 1 to 50 characters: A to Z, a to z, digits, _ or -')
    .default('page'),
  kind: z.enum(TEMPLATE_KINDS).default('page'),
  source: z.string().max(SOURCE_LENGTH),
})

/** Merchants and their data, as in a file (our decision): amounts as "10.00", times as ISO 8601. */
export const fixtures = z.strictObject({
  merchants: listOf(merchant).default([]),
  plans: listOf(plan).default([]),
  payment_links: listOf(paymentLink).default([]),
  customers: listOf(customer).default([]),
  stored_cards: listOf(storedCard).default([]),
  transactions: listOf(transaction).default([]),
  templates: listOf(template).default([]),
})

export type Fixtures = z.output<typeof fixtures>

/** @throws errors.request.bad_format (253) with the mistake and its place */
export function readFixtures(value: unknown): Fixtures {
  const read = fixtures.safeParse(value)
  if (read.success) return read.data
  throw badFixtures(problemsOf(read.error))
}

export const badFixtures = (explain: string) =>
  new GatewayError('errors.request.bad_format', {
    explain: `The fixtures cannot be used: ${explain}.`,
  })
