import type { Request, Response } from 'express'
import { maskNumber } from '../../domain/card/card-types.ts'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import { readId } from '../../domain/identifiers.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { diagnoseHash } from '../../domain/order/hash-diagnosis.ts'
import { removeSecretsFromText, UNSEEN } from '../../domain/secrets.ts'
import { type Parameters, pick } from '../../parsing/parameters/parameters.ts'
import { HASHED_FIELDS, readHash } from '../../parsing/request-hash.ts'
import { NOBODY } from '../../storage/requests.ts'
import type { NewRequestRow, RequestContents } from '../../storage/tables/requests.ts'
import type { Exchange } from './exchange.ts'
import { collectSecrets, getPath, type RequestFacts, type RequestSecrets } from './request-facts.ts'

/**
 * An answered request before it is stored. Its parameters, headers and addresses are not masked
 * yet.
 */
export interface AnsweredRequest {
  readonly row: Omit<NewRequestRow, 'bytes' | 'contents' | 'answer'>
  readonly contents: Omit<RequestContents, 'path' | 'sent' | 'mistakes'>
  readonly url: string
  readonly parameters: Parameters
  /** Texts that are never logged or stored. */
  readonly secrets: RequestSecrets
}

/** Headers of requests and answers that help an integrator. */
const SENT_HEADERS = [
  'content-type',
  'content-length',
  'accept',
  'accept-language',
  'user-agent',
  'origin',
  'traceparent',
] as const
const ANSWERED_HEADERS = [
  'content-type',
  'location',
  'retry-after',
  'www-authenticate',
  'allow',
] as const

/** Collects an answered request until it is stored. */
export function collectRequest(
  { merchant_id, duration_ms, payment, traceparent: _, ...facts }: RequestFacts,
  request: Request,
  response: Response,
  exchange: Exchange,
): AnsweredRequest {
  const { headers, originalUrl: url } = request
  const { parameters, encrypted, times, deliveries, notices, struck, unproven } = exchange
  return {
    row: {
      ...facts,
      merchant_id: merchant_id ?? NOBODY,
      transaction_id: payment?.id ?? exchange.about ?? readIdInUrl(url),
      duration: duration_ms,
      created_at: merchant_id === null ? exchange.now : exchange.getNow(merchant_id),
    },
    contents: {
      encrypted: [...encrypted],
      headers: {
        ...pickHeaders(SENT_HEADERS, (name) => headers[name]),
        // Stores only that the client logged in, not its name and password.
        ...(headers.authorization !== undefined && { authorization: UNSEEN }),
      },
      answered: pickHeaders(ANSWERED_HEADERS, (name) => response.getHeader(name)),
      times: { ...times },
      deliveries,
      events: payment?.events ?? [],
      struck: struck ?? null,
      notices,
      ...(unproven && { claimed: unproven.id }),
    },
    url,
    parameters,
    secrets: collectSecrets(request, exchange),
  }
}

/**
 * Reads the payment that a call of the API names. It can belong to another merchant, so rows are
 * looked up by merchant too. A card number instead of an id is not stored.
 */
function readIdInUrl(url: string): number | null {
  const id = /^\/v[12]\/transactions\/(\d+)/i.exec(url)?.[1] ?? ''
  return maskCardNumbers(id) === id ? (readId(id) ?? null) : null
}

/** Returns the headers with these names that the request has. */
function pickHeaders<Name extends string>(
  names: readonly Name[],
  getHeader: (name: Name) => string | number | readonly string[] | undefined,
): Readonly<Record<string, string>> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = getHeader(name)
    if (value !== undefined) picked[name] = String(value)
  }
  return picked
}

/** Maximum number of stored characters, and of stored deliveries and parameters. */
const LIMITS = {
  ...{ answer: 16_384, header: 512, name: 40, value: 512 },
  ...{ deliveries: 50, parameters: 100 },
} as const

/** Maximum number of bytes of a character. */
const BYTES = 3

/**
 * Returns the part of a response to store; pages are not stored, because they contain tokens.
 * @returns '' for nothing
 */
export function shortenKeptAnswer(
  { contents, url }: AnsweredRequest,
  body: string | Buffer | undefined,
): string | Buffer {
  const isJson = contents.answered['content-type']?.startsWith('application/json')
  if (body === undefined || !isJson || !isKept(getPath(url))) return ''
  return typeof body === 'string' ? body : body.subarray(0, BYTES * (LIMITS.answer + 1))
}

/**
 * Calls of the control API that move clocks or affect payments. Other calls, such as fixtures,
 * merchants and seeds, contain secrets.
 */
const KEPT_OF_CONTROL = /^\/_control\/(?:clock|payments|captures|faults|3ds)\b/i

/** Returns true for calls whose parameters and answer are stored. */
const isKept = (path: string) => !/^\/_control\b/i.test(path) || KEPT_OF_CONTROL.test(path)

/**
 * Converts a request for the request log. Everything that must not be stored is omitted or masked
 * here.
 * @param body `shortenKeptAnswer`
 */
export function requestRow(request: AnsweredRequest, body: string): NewRequestRow {
  const { row } = request
  const secrets = Object.values(request.secrets)
  const contents = removeSecretsFromText(JSON.stringify(createContents(request)), secrets)
  const answer = body === '' ? null : removeSecretsFromText(shortenAnswer(row, body), secrets)
  return { ...row, bytes: contents.length + (answer?.length ?? 0), contents, answer }
}

function createContents(request: AnsweredRequest): RequestContents {
  const { row, contents, parameters } = request
  const { route = null } = row
  const { encrypted, headers, answered, deliveries } = contents
  const path = getPath(request.url)
  return {
    ...contents,
    path: hasToken(route) ? (route ?? '') : maskCardNumbers(path).slice(0, LIMITS.header),
    sent: isKept(path) ? maskParameters(parameters, new Set(encrypted)) : null,
    encrypted: encrypted.map(maskCardNumbers),
    headers: maskHeaders(headers),
    answered: maskHeaders(answered),
    deliveries: deliveries.slice(0, LIMITS.deliveries),
    mistakes: listMistakes(request),
  }
}

/** Addresses of payments and of the bank are known to their payers only. */
const hasToken = (route: string | null) => route?.includes(':token') || route?.includes(':nonce')

const maskHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      maskCardNumbers(value).slice(0, LIMITS.header),
    ]),
  )

function shortenAnswer({ status }: AnsweredRequest['row'], body: string): string {
  const cut = body.length <= LIMITS.answer ? body : `${body.slice(0, LIMITS.answer)}…`
  return (status ?? 0) < 400 ? cut : maskCardNumbers(cut)
}

/**
 * The secret is only known now, so a password that was hashed instead of it must be detected now.
 */
function listMistakes({ row, contents, parameters, secrets }: AnsweredRequest): readonly string[] {
  const { password, secret } = secrets
  if (row.error !== 'errors.hash.invalid' || row.merchant_id === NOBODY) return []
  if (!secret || !password) return []
  const sent = readHash(pick(parameters, HASHED_FIELDS), new Set(contents.encrypted))
  const { paymentRef = '', customerRef = '', amount = '', currency = '' } = sent
  const { test = false, hash = '' } = sent
  const merchantId = String(row.merchant_id)
  const hashed = { merchantId, paymentRef, customerRef, amount, currency, test }
  return diagnoseHash(
    { request: hashed, sent: hash, secret, mistaken: { 'the API password': password } },
    'one',
  )
}

/** Replaces encrypted values. */
export const ENCRYPTED = '(encrypted)'

/**
 * Replaces values that are not stored, because they may contain a security code or a password.
 */
export const NOT_KEPT = '(not kept)'

/**
 * Parameters whose values are stored. This is an allow-list, because a client may send a card
 * number in any other parameter by mistake.
 */
const KEPT: ReadonlySet<string> = new Set(
  `amount authorize card_expiry card_holder card_type currency customer_ref error_url extend hash
  limit locale merchant_id offset order_id payment_method payment_ref plan_id process reason ref
  status store_card subscription_id success_url template_id test transaction_id vat_amount
  days months seconds`.split(/\s+/),
)

/** Pattern of parameter names. */
const NAME = /^[a-z][a-z_]*$/i

/**
 * Returns parameters as they are stored: harmless ones with their text, a masked card,
 * `(encrypted)` for encrypted values, and `(not kept)` for all others.
 */
export const maskParameters = (
  parameters: JsonObject,
  encrypted: ReadonlySet<string>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([name]) => name.length <= LIMITS.name && NAME.test(name))
      .slice(0, LIMITS.parameters)
      .map(([name, value]) => [name, encrypted.has(name) ? ENCRYPTED : maskValue(name, value)]),
  )

function maskValue(name: string, value: JsonValue): JsonValue {
  if (value === '' || value === null) return value
  if (name === 'card_cvv') return UNSEEN
  if (name === 'card_number') return maskCard(value)
  if (typeof value === 'boolean') return value
  if (!KEPT.has(name) || (typeof value !== 'string' && typeof value !== 'number')) return NOT_KEPT
  // Masks more text than is stored, so that no card number is cut before it is masked.
  const text = maskCardNumbers(String(value).slice(0, 2 * LIMITS.value))
  return text.length <= LIMITS.value ? text : `${text.slice(0, LIMITS.value)}…`
}

/** Keeps the first six and last four digits, even if the number is invalid. */
function maskCard(value: JsonValue): JsonValue {
  const text =
    typeof value === 'string' || typeof value === 'number'
      ? String(value).slice(0, LIMITS.value)
      : ''
  const digits = text.replace(/\D/g, '')
  if (/^\d{6}\*+\d{4}$/.test(text)) return text
  return digits.length < 12 || digits.length > 24
    ? UNSEEN
    : maskNumber(digits.slice(0, 6), digits.slice(-4))
}
