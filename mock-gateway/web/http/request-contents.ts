import type { Request } from 'express'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import { diagnoseHash } from '../../domain/order/hash-doctor.ts'
import { UNSEEN, withoutSecrets } from '../../domain/without-secrets.ts'
import { pick } from '../../requests/parameters/parameters.ts'
import { HASHED_FIELDS, readHash } from '../../requests/request-hash.ts'
import { NOBODY } from '../../storage/requests.ts'
import type { NewRequestRow, RequestContents } from '../../storage/tables/requests.ts'
import type { Exchange } from './exchange.ts'
import { keptParameters } from './kept-texts.ts'
import { readBasic } from './login.ts'
import type { RequestFacts } from './request-facts.ts'

/** A request that has been answered, before it is written down: what is known of it, and nothing that holds a connection. */
export interface Answered {
  readonly facts: RequestFacts
  /** Epoch milliseconds, by its merchant's clock. */
  readonly at: number
  readonly url: string
  readonly headers: Request['headers']
  readonly answered: Readonly<Record<string, unknown>>
  /** The answer's bytes. */
  readonly body: string | Buffer | undefined
  readonly exchange: Pick<Exchange, 'parameters' | 'encrypted' | 'merchant' | 'times' | 'struck' | 'deliveries'>
  readonly transactionId: number | null
  readonly secret: string | undefined
}

/** Headers of requests and of answers that say something to who integrates. */
const SENT_HEADERS = ['content-type', 'content-length', 'accept', 'accept-language', 'user-agent', 'origin'] as const
const ANSWERED_HEADERS = ['content-type', 'location', 'retry-after', 'www-authenticate', 'allow'] as const

/** Of the control API only what moves clocks and payments: fixtures, merchants and seeds hold secrets. */
const KEPT_OF_CONTROL = /^\/_control\/(?:clock|payments|captures|faults|3ds)\b/i

/** Characters of an answer and of a header, and ids. */
const MOST = { body: 16_384, header: 512, deliveries: 50 } as const

/** How a request is written down. Here everything is left out, or masked, that must not be. */
export function requestRow(answered: Answered): NewRequestRow {
  const { facts, at, transactionId } = answered
  const secrets = secretsOf(answered)
  const contents = withoutSecrets(JSON.stringify(contentsOf(answered)), secrets)
  const answer = answerOf(answered)
  const clean = answer === null ? null : withoutSecrets(answer, secrets)
  return {
    request_id: facts.request_id,
    merchant_id: facts.merchant_id ?? NOBODY,
    transaction_id: transactionId,
    method: facts.method,
    route: facts.route,
    status: facts.status,
    error: facts.error,
    explain: facts.explain === null ? null : withoutSecrets(facts.explain, secrets),
    duration: facts.duration_ms,
    bytes: contents.length + (clean?.length ?? 0),
    created_at: at,
    contents,
    answer: clean,
  }
}

function contentsOf(answered: Answered): RequestContents {
  const { facts, headers, exchange } = answered
  const { encrypted, parameters, times, struck, deliveries } = exchange
  const path = pathOf(answered)
  return {
    path: hasToken(facts.route) ? (facts.route ?? '') : maskCardNumbers(path).slice(0, MOST.header),
    sent: isKept(path) ? keptParameters(parameters, encrypted) : null,
    encrypted: [...encrypted].map(maskCardNumbers),
    headers: {
      ...picked(SENT_HEADERS, (name) => headers[name]),
      // Whether somebody logged in, not as whom nor how.
      ...(headers.authorization !== undefined && { authorization: UNSEEN }),
    },
    answered: picked(ANSWERED_HEADERS, (name) => answered.answered[name]),
    times: { ...times },
    deliveries: deliveries.slice(0, MOST.deliveries),
    events: facts.payment?.events ?? [],
    struck: struck ?? null,
    mistakes: mistakesOf(answered),
  }
}

const pathOf = ({ url }: Answered): string => url.split('?', 1)[0] ?? ''

const isKept = (path: string) => !/^\/_control\b/i.test(path) || KEPT_OF_CONTROL.test(path)

/** Addresses of payments and of the bank are known to their payers only. */
const hasToken = (route: string | null) => route?.includes(':token') || route?.includes(':nonce')

const picked = (names: readonly string[], headerOf: (name: string) => unknown): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headerOf(name)
      return value === undefined ? [] : [[name, maskCardNumbers(String(value)).slice(0, MOST.header)]]
    }),
  )

/** Pages are not kept: they have keys of their own. */
function answerOf(one: Answered): string | null {
  const isJson = String(one.answered['content-type']).startsWith('application/json')
  if (one.body === undefined || !isJson || !isKept(pathOf(one))) return null
  const text = one.body.toString()
  const cut = text.length <= MOST.body ? text : `${text.slice(0, MOST.body)}…`
  return (one.facts.status ?? 0) < 400 ? cut : maskCardNumbers(cut)
}

/** What a request may have repeated of what nobody may read. */
const secretsOf = (one: Answered) => [one.secret, passwordIn(one)]

const passwordIn = ({ headers }: Answered): string | undefined =>
  readBasic(headers.authorization ?? '')?.password || undefined

/** A password that was taken for the secret can be told only while it is known. */
function mistakesOf(one: Answered): readonly string[] {
  const { merchant, parameters, encrypted } = one.exchange
  const password = passwordIn(one)
  if (one.facts.error !== 'errors.hash.invalid' || !merchant || password === undefined) return []
  const sent = readHash(pick(parameters, HASHED_FIELDS), encrypted)
  const { paymentRef = '', customerRef = '', amount = '', currency = '', test = false, hash = '' } = sent
  const hashed = { merchantId: String(merchant.id), paymentRef, customerRef, amount, currency, test }
  return diagnoseHash(
    { request: hashed, sent: hash, secret: merchant.secret, mistaken: { [PASSWORD]: password } },
    'one',
  )
}

const PASSWORD = 'the API password'
