import { z } from 'zod'
import type { IntervalUnit, TransactionStatus } from '../contract/wire.ts'
import { findEntry, GatewayError, getKey } from '../domain/errors/errors.ts'
import { isLinkToken } from '../domain/identifiers.ts'
import { isObject, type JsonObject } from '../domain/json.ts'
import { type Currency, DECIMALS } from '../domain/money/currencies.ts'
import { formatAmount, type Hundredths, hundredths, parseAmount } from '../domain/money/money.ts'
import { PAYMENT_METHOD_NAMES, PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { STATES } from '../domain/order/states.ts'
import { checkReturnUrl, type ReturnUrl } from '../domain/order/urls.ts'
import { formatProblems, parseList } from '../domain/schema-problems.ts'
import type { Column, Columns } from '../storage/tables/columns.ts'
import { customerColumns } from '../storage/tables/customers.ts'
import { paymentLinkColumns } from '../storage/tables/payment-links.ts'
import { storedCardColumns } from '../storage/tables/stored-cards.ts'
import { planColumns } from '../storage/tables/subscriptions.ts'
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
const prices = z.partialRecord(currency, amount)

/** An address that a payer is sent to: http or https only, as in a request. */
const returnUrl = (which: ReturnUrl) =>
  z.string().refine((text) => {
    try {
      return Boolean(checkReturnUrl(text, which, { own: [] }))
    } catch {
      return false
    }
  }, 'must be an http or https address, such as https://shop.example/paid')

/** Schemas of columns by their kind. */
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

const items = parseList(object)
const from0 = z.int().min(0)

/** Schemas of columns with a rule of their own, by their name in every table. */
const RULES: Readonly<Record<string, z.ZodType>> = {
  currency,
  payment_ref: z.string().min(1).max(64),
  description: z.string().max(150).default(''),
  test: z.boolean().default(true),
  success_url: returnUrl('success_url'),
  error_url: returnUrl('error_url'),
  ref: z.string().max(255),
  card_number: z.string().regex(/^\d{6}\*{2,9}\d{4}$/, 'must be masked, such as 411111******1111'),
  card_expiry: z.string().regex(/^(0[1-9]|1[0-2])\d\d$/, 'must be MMYY'),
  status: z.enum(['active', 'cancelled']).default('active'),
  error_name: z.custom((value) => {
    const entry = typeof value === 'string' ? findEntry(value) : undefined
    return entry !== undefined && getKey(entry) === value
  }, 'must be the name of an error'),
  transaction_type: z.enum(
    Object.values(PAYMENT_METHODS).map(({ transactionType }) => transactionType),
  ),
  payment_method: z.enum(PAYMENT_METHOD_NAMES).default('credit_card'),
  items,
  subscription_items: items,
  subscription_quantity: z.int().positive(),
  payment_request: object.default({}),
  client: z
    .strictObject({ user_agent: z.string(), ip: z.string(), accept_language: z.string() })
    .default({ user_agent: '', ip: '', accept_language: '' } satisfies ClientFacts),
  tries: from0.default(0),
  uses: from0.default(1),
  begun: from0.default(0),
  interval: z.int().positive(),
  interval_unit: z.enum(['days', 'months'] satisfies IntervalUnit[]),
  prices,
  setup_fees: prices.default({}),
  periods: from0.default(0),
  trial_length: from0.default(0),
}

/** Schemas of a table's columns. A nullable column may be left out. */
const defineFields = <Table extends Columns>(columns: Table): FieldsOf<Table> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { kind, isNullable, values }]) => {
      const schema = RULES[name] ?? (values ? z.enum(values as string[]) : KINDS[kind])
      return [name, isNullable ? schema.nullable().default(null) : schema]
    }),
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

/** A token of a row; a missing one is created. */
const token = (isToken: (text: string) => boolean, mistake: string) =>
  z.string().refine(isToken, mistake).optional()

const merchant = merchantSeed.partial({ password: true, secret: true })

const plan = z.strictObject({
  ...defineFields(planColumns),
  ...common,
  name: z.string().min(1),
  description: z.string().default(''),
})

const paymentLink = z.strictObject({
  ...defineFields(paymentLinkColumns),
  ...common,
  token: token(isLinkToken, 'must have 12 lower-case letters and digits, without l, o, 0 and 1'),
})

const customer = z.strictObject({ ...defineFields(customerColumns), ...common })

/** `expires` follows from `card_expiry`. */
const { expires: _expires, ...fileCardColumns } = storedCardColumns

const storedCard = z.strictObject({
  ...defineFields(fileCardColumns),
  ...common,
  ref: z.string().nullable().default(null),
  token: token((text) => /^[0-9a-f]{32}$/.test(text), 'must have 32 hexadecimal digits'),
})

/** A file has one amount, and no subscriptions. */
const {
  amount_text: _amountText,
  subscription_id: _subscription,
  version: _version,
  ...fileTransactionColumns
} = transactionColumns

const transaction = z.strictObject({
  ...defineFields(fileTransactionColumns),
  ...common,
  /** As sent: a badly formatted amount is stored, and rejected when it is paid. */
  amount: z.string(),
  status: z.enum(Object.keys(STATES) as TransactionStatus[]).default('pending'),
  href_token: token((text) => /^[\w-]{22}$/.test(text), 'must have 22 letters, digits, _ or -'),
  captures: parseList(z.strictObject({ amount, created_at: moment.optional() })).default([]),
  refunds: parseList(
    z.strictObject({
      amount,
      reason: z.string(),
      ref: z.string().nullable().default(null),
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
  merchants: parseList(merchant).default([]),
  plans: parseList(plan).default([]),
  payment_links: parseList(paymentLink).default([]),
  customers: parseList(customer).default([]),
  stored_cards: parseList(storedCard).default([]),
  transactions: parseList(transaction).default([]),
  templates: parseList(template).default([]),
})

export type Fixtures = z.output<typeof fixtures>

/** @throws errors.request.bad_format (253) with the mistake and its place */
export function readFixtures(value: unknown): Fixtures {
  const result = fixtures.safeParse(value)
  if (result.success) return result.data
  throw badFixtures(formatProblems(result.error))
}

export const badFixtures = (explain: string) =>
  new GatewayError('errors.request.bad_format', {
    explain: `The fixtures cannot be used: ${explain}.`,
  })
