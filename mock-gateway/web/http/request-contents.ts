import { maskCardNumbers } from '../../domain/card/numbers.ts'
import { diagnoseHash } from '../../domain/order/hash-diagnosis.ts'
import { UNSEEN, withoutSecrets } from '../../domain/secrets.ts'
import { pick } from '../../parsing/parameters/parameters.ts'
import { HASHED_FIELDS, readHash } from '../../parsing/request-hash.ts'
import { NOBODY } from '../../storage/requests.ts'
import type { NewRequestRow, RequestContents } from '../../storage/tables/requests.ts'
import { keptParameters } from './kept-texts.ts'
import { readBasic } from './login.ts'
import {
  getPath,
  isKept,
  listSecrets,
  MOST_OF_ANSWER,
  type RequestFacts,
  type ResponseFacts,
} from './request-facts.ts'

/** Maximum characters of a header, and maximum number of deliveries. */
const LIMITS = { header: 512, deliveries: 50 } as const

/**
 * Converts a request for the request log. Everything that must not be stored is omitted or masked
 * here.
 * @param body `keptAnswer`
 */
export function requestRow(answered: ResponseFacts, body: string): NewRequestRow {
  const { facts, at, transactionId } = answered
  const { merchant_id, duration_ms: duration, payment: _, traceparent: __, ...columns } = facts
  const secrets = listSecrets(answered)
  const contents = withoutSecrets(JSON.stringify(createContents(answered)), secrets)
  const answer = body === '' ? null : withoutSecrets(shortenAnswer(facts, body), secrets)
  return {
    ...columns,
    merchant_id: merchant_id ?? NOBODY,
    transaction_id: transactionId,
    duration,
    bytes: contents.length + (answer?.length ?? 0),
    created_at: at,
    contents,
    answer,
  }
}

function createContents(one: ResponseFacts): RequestContents {
  const { facts, encrypted, parameters, times, struck, deliveries, notices } = one
  const path = getPath(one.url)
  return {
    path: hasToken(facts.route)
      ? (facts.route ?? '')
      : maskCardNumbers(path).slice(0, LIMITS.header),
    sent: isKept(path) ? keptParameters(parameters, new Set(encrypted)) : null,
    encrypted: encrypted.map(maskCardNumbers),
    headers: {
      ...maskHeaders(one.headers),
      // Stores only that the client logged in, not its name and password.
      ...(one.authorization !== undefined && { authorization: UNSEEN }),
    },
    answered: maskHeaders(one.answered),
    times: { ...times },
    deliveries: deliveries.slice(0, LIMITS.deliveries),
    events: facts.payment?.events ?? [],
    struck: struck ?? null,
    notices,
    mistakes: listMistakes(one),
    ...(one.claimed !== undefined && { claimed: one.claimed }),
  }
}

/** Addresses of payments and of the bank are known to their payers only. */
const hasToken = (route: string | null) => route?.includes(':token') || route?.includes(':nonce')

const maskHeaders = (
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      maskCardNumbers(value).slice(0, LIMITS.header),
    ]),
  )

function shortenAnswer({ status }: RequestFacts, body: string): string {
  const cut = body.length <= MOST_OF_ANSWER ? body : `${body.slice(0, MOST_OF_ANSWER)}…`
  return (status ?? 0) < 400 ? cut : maskCardNumbers(cut)
}

/**
 * The secret is only known now, so a password that was hashed instead of it must be detected now.
 */
function listMistakes(one: ResponseFacts): readonly string[] {
  const { facts, secret, parameters, encrypted } = one
  const { error, merchant_id: merchantId } = facts
  const password = readBasic(one.authorization ?? '')?.password
  if (error !== 'errors.hash.invalid' || merchantId === null) return []
  if (secret === undefined || !password) return []
  const sent = readHash(pick(parameters, HASHED_FIELDS), new Set(encrypted))
  const { paymentRef = '', customerRef = '', amount = '', currency = '' } = sent
  const { test = false, hash = '' } = sent
  const hashed = { merchantId: String(merchantId), paymentRef, customerRef, amount, currency, test }
  return diagnoseHash(
    { request: hashed, sent: hash, secret, mistaken: { 'the API password': password } },
    'one',
  )
}
