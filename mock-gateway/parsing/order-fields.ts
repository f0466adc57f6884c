import { type Item, PAYMENT_REQUEST_FIELDS } from '../contract/wire.ts'
import { type Addresses, listOwnAddresses } from '../domain/addresses.ts'
import { maskNumber } from '../domain/card/card-types.ts'
import { hasControlCharacters, isLongerThan } from '../domain/characters.ts'
import { badFormat, GatewayError } from '../domain/errors/errors.ts'
import { isObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { memoized } from '../domain/memoized.ts'
import { AMOUNT_TOO_LARGE, parseAmount, parseLooseAmount } from '../domain/money/money.ts'
import { checkItems } from '../domain/order/items.ts'
import { mergeMetadata } from '../domain/order/metadata.ts'
import { checkReturnUrl, type ReturnUrl } from '../domain/order/urls.ts'
import {
  PAYMENT_DETAILS_FIELDS,
  type PaymentDetailsField,
  type SentPaymentDetails,
} from '../domain/payer/payment-details.ts'
import {
  readWebhook,
  WEBHOOK_REQUEST_FIELDS,
  type WebhookRequest,
} from '../domain/webhook/request.ts'
import type { SentAs, SentName } from '../storage/tables/columns.ts'
import { type NewTransactionRow, transactionColumns } from '../storage/tables/transactions.ts'
import type { EncryptedNames } from './parameters/decrypt.ts'
import { type CallParameters, list, object, pick, text } from './parameters/parameters.ts'

/**
 * Reads the amount of an order: stored as sent, in any format, unless it is missing, negative or too
 * large for every payment.
 * @throws errors.amount.missing (108), errors.amount.invalid (109)
 */
export function readAmount(sent: CallParameters<'amount'>): string {
  const amount = text(sent, 'amount')
  const parsed = parseAmount(amount)
  if (amount === undefined || (!parsed.ok && parsed.problem === 'negative'))
    throw new GatewayError('errors.amount.missing', {
      explain: 'amount is missing or negative. Send an amount such as 10.00.',
    })
  if (!parsed.ok && parsed.problem === 'range')
    throw new GatewayError('errors.amount.invalid', { explain: AMOUNT_TOO_LARGE })
  return amount
}

type StoredField = SentName<typeof transactionColumns>

const SENT_AS = Object.entries(transactionColumns).flatMap(([name, column]) =>
  'sentAs' in column ? [[name as StoredField, column.sentAs] as const] : [],
)

/** Parameters of an order that are stored as they are read, in the column of the same name. */
export const STORED_FIELDS: readonly StoredField[] = SENT_AS.map(([name]) => name)

/**
 * Reads the sent ones of `STORED_FIELDS`, for a new transaction or an update.
 * @throws errors.amount.invalid (109) for a number, errors.request.bad_format (253) for a text
 */
export const readStoredFields = (sent: CallParameters<StoredField>): Partial<NewTransactionRow> =>
  Object.fromEntries(
    SENT_AS.flatMap(([name, sentAs]) => {
      const written = text(sent, name)
      return written === undefined ? [] : [[name, readStoredField(name, written, sentAs)]]
    }),
  )

/**
 * Numbers can be `0`, `0.00` and unformatted floats, which clients send (observed: 2.3).
 */
function readStoredField(name: string, written: string, sentAs: SentAs) {
  if (sentAs.kind === 'text') {
    if (!isLongerThan(written, sentAs.characters) && !hasControlCharacters(written)) return written
    throw badFormat(
      `${name} may have at most ${sentAs.characters} characters, without control characters.`,
    )
  }
  const value = parseLooseAmount(written)
  if (value !== undefined) return value
  throw new GatewayError('errors.amount.invalid', {
    explain: `${name} must be a decimal number such as 2.50.`,
  })
}

/**
 * Reads an address that the payer is sent back to.
 * @param needed reason why it is required; undefined if it is optional
 * @throws errors.success_url.* and errors.error_url.*: `.missing` and the errors of
 *   `checkReturnUrl`
 */
export function readReturnUrl<Which extends ReturnUrl>(
  sent: CallParameters<Which>,
  which: Which,
  addresses: Addresses,
  needed: string | undefined,
): string | undefined {
  const url = text(sent, which)
  if (url !== undefined) return checkReturnUrl(url, which, { own: listOwnAddresses(addresses) })
  if (needed !== undefined)
    throw new GatewayError(`errors.${which as ReturnUrl}.missing`, {
      explain: `${which} is missing. It is ${needed}.`,
    })
  return undefined
}

/**
 * Reads the items in a parameter, in any spelling of a list; undefined if none were sent. They are
 * stored as sent, with unknown keys.
 * @param how.complete requires every required field of each item
 * @throws errors.items.not_array, and the errors of `checkItems`
 */
export function readItems<Name extends string>(
  sent: CallParameters<NoInfer<Name>>,
  name: Name,
  { complete = false }: { readonly complete?: boolean } = {},
): readonly Item[] | undefined {
  const listed = list(sent, name, 'errors.items.not_array')
  if (listed === undefined) return undefined
  const items = listed.filter(isObject)
  if (items.length < listed.length)
    throw new GatewayError('errors.items.not_array', {
      explain: 'items must be a list of objects.',
    })
  return checkItems(items, { required: complete && items.length > 0 })
}

/**
 * Reads the metadata; undefined if none is sent. @throws errors.metadata.invalid (2091), also if it
 * is longer than stored metadata may be
 */
export function readMetadata(sent: CallParameters<'metadata'>): JsonObject | undefined {
  const metadata = object(sent, 'metadata', 'errors.metadata.invalid')
  return metadata && mergeMetadata(null, metadata)
}

/** Details that the gateway reads from the card; a merchant cannot set them. */
const FROM_CARD: ReadonlySet<PaymentDetailsField> = new Set<PaymentDetailsField>([
  'card_number',
  'card_holder',
  'card_type',
])

/**
 * Reads the known fields of `payment_details` that have a value; the parameter `swish_number`
 * counts as the field of this name (specification: Create transaction, Payment details). Other
 * fields, such as card data, are dropped.
 * @throws errors.payment_details.invalid (1601) if it is not an object
 */
export function readSentDetails(
  sent: CallParameters<'payment_details' | 'swish_number'>,
): SentPaymentDetails | undefined {
  const details = readPaymentDetails(sent)
  const swishNumber = text(sent, 'swish_number')
  return swishNumber === undefined ? details : { ...details, swish_number: swishNumber }
}

/** Like `readSentDetails`, but only reads `payment_details`. */
function readPaymentDetails(
  sent: CallParameters<'payment_details'>,
): SentPaymentDetails | undefined {
  const given = object(sent, 'payment_details', 'errors.payment_details.invalid')
  if (given === undefined) return undefined
  const details: SentPaymentDetails = {}
  for (const field of PAYMENT_DETAILS_FIELDS) {
    const value = FROM_CARD.has(field) ? undefined : text(given, field)
    if (value !== undefined) details[field] = value
  }
  return details
}

/**
 * Reads `webhook`, or its alias `webhooks`: one object or a list of them, in any spelling of an
 * object.
 * @throws errors.webhook.invalid (151)
 */
export function readWebhookRequests(
  parameters: CallParameters<'webhook' | 'webhooks'>,
): WebhookRequest[] {
  const webhooks = NAMES.flatMap((name) => {
    const sent = parameters[name]
    return typeof sent === 'string' && sent.length <= CACHED_CHARACTERS
      ? readText[name](sent)
      : readNamed(parameters, name)
  })
  if (webhooks.length > MAX_WEBHOOKS) throw createTooManyError()
  return webhooks
}

const NAMES = ['webhook', 'webhooks'] as const

function readNamed(
  parameters: CallParameters<'webhook' | 'webhooks'>,
  name: (typeof NAMES)[number],
): readonly WebhookRequest[] {
  const sent = list(parameters, name, 'errors.webhook.invalid', { single: true }) ?? []
  if (sent.length > MAX_WEBHOOKS) throw createTooManyError()
  return sent.map(readWebhookRequest)
}

/** Longest text in the cache of parsed webhooks: a shop sends the same text with each payment. */
const CACHED_CHARACTERS = 1_000

const readText = {
  webhook: memoized(100, (webhook) => readNamed({ webhook }, 'webhook')),
  webhooks: memoized(100, (webhooks) => readNamed({ webhooks }, 'webhooks')),
}

/** Our decision, because every event sends a request for each webhook. */
const MAX_WEBHOOKS = 20

function readWebhookRequest(sent: JsonValue): WebhookRequest {
  if (!isObject(sent)) throw createInvalidError('A webhook must be an object.')
  const value = pick(sent, WEBHOOK_REQUEST_FIELDS)
  const webhooks = readWebhook(
    Object.fromEntries(WEBHOOK_REQUEST_FIELDS.map((name) => [name, text(value, name)])),
  )
  if (!webhooks.ok) throw createInvalidError(webhooks.why)
  return webhooks.value
}

const createTooManyError = () =>
  createInvalidError(`A transaction may have at most ${MAX_WEBHOOKS} webhooks.`)

const createInvalidError = (explain: string) =>
  new GatewayError('errors.webhook.invalid', { explain })

type RepeatedParameter = (typeof PAYMENT_REQUEST_FIELDS)[number]

/** Parameters that are masked or read first; all others are repeated as they were sent. */
const CHANGED: readonly RepeatedParameter[] = ['payment_details', 'card_number']
const UNCHANGED = PAYMENT_REQUEST_FIELDS.filter((name) => !CHANGED.includes(name))

/**
 * Builds `payment_request`, the merchant's request as stored: parameters with a single value, the
 * known payer details, and the masked card number. Other card fields are dropped, because a card
 * number may have been typed into any of them (PCI DSS 3.3.1, 3.4.1). Lists and objects that the
 * transaction contains itself, such as items, metadata and webhooks, are not repeated unparsed
 * (decision 33). Encrypted parameters are dropped too.
 * @throws the errors of `readPaymentDetails`; none if the payment_details were read before
 */
export function maskPaymentRequest(
  parameters: CallParameters<RepeatedParameter>,
  encrypted: EncryptedNames,
): JsonObject {
  const shown: Record<string, JsonValue> = {}
  for (const name of UNCHANGED) {
    const value = parameters[name]
    if (value !== undefined && typeof value !== 'object' && !encrypted.has(name))
      shown[name] = value
  }
  const details = readPaymentDetails(parameters)
  if (details !== undefined && !encrypted.has('payment_details')) shown.payment_details = details
  const number = parameters.card_number
  if (typeof number === 'string' && number !== '' && !encrypted.has('card_number'))
    shown.card_number = maskAny(number)
  return shown
}

/**
 * Keeps the first six and last four digits of a card number, and the last four characters of
 * another value, such as a token.
 */
function maskAny(sent: string): string {
  const digits = sent.replace(/[\s-]/g, '')
  const first6 = /^\d{12,19}$/.test(digits) ? digits.slice(0, 6) : '******'
  return maskNumber(first6, digits.length < 12 ? '****' : digits.slice(-4))
}
