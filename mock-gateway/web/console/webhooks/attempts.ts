import { durationText } from '../../../domain/duration-text.ts'
import type { JsonValue } from '../../../domain/json.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { explainFailure, findCause } from '../../../domain/webhook/explain-failure.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import type { FullDelivery } from '../../../storage/tables/webhook-deliveries.ts'
import { signingKeys } from '../../../webhooks/signature.ts'
import {
  checkResponseHash,
  checkSignature,
  type SignatureCheck,
} from '../../../webhooks/signature-check.ts'
import type { Reply } from '../../../webhooks/transport.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import {
  type Cell,
  cell,
  factList,
  longText,
  plain,
  quantity,
  shorten,
  timeAt,
} from '../parts/cells.ts'
import type { Column } from '../parts/table.ts'

/** Formats an attempt for people: its answer is `{code, body, message, headers, error}`, see `Reply`. */
export function textsOfAttempt({ request_headers, request_body, response }: WebhookAttemptRow) {
  const { code, message, error, headers, body } = response
  const statusLine = [code, message].filter((part) => part !== null && part !== '').join(' ')
  return {
    sentHeaders: shorten(headersIn(request_headers)),
    sent: shorten(request_body ?? ''),
    answer: [statusLine, error].filter(Boolean).join(', '),
    headers: shorten(headersIn(headers)),
    body: shorten(String(body ?? '')),
  }
}

/** Formats headers one on a line, as in HTTP. */
const headersIn = (headers: JsonValue | undefined): string =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')

/** An attempt of a table. */
export interface ListedAttempt extends WebhookAttemptRow {
  /** Destination; null for a mail. */
  readonly url: string | null
  /** Reason of a failure that the page already contains. */
  readonly shown: string | null
  /** Time since the first attempt, in words. */
  readonly after: string
}

export const ATTEMPT_COLUMNS: readonly Column<ListedAttempt>[] = [
  [
    'Attempt',
    ({ number, manual }) => ({ ...plain(number), note: manual ? 'resent by hand' : null }),
    'first',
  ],
  ['Answer', createAnswerCell, 'first-end'],
  ['When', ({ created_at }) => timeAt(created_at), 'second'],
  ['After', ({ after }) => plain(after), 'second-end'],
  ['ms', ({ duration }) => quantity(duration)],
]

/** Returns why a call failed and how to fix it; null after success, and for mails. */
export const findFailure = ({ response }: WebhookAttemptRow, url: string | null): string | null =>
  (url !== null && explainFailure(response as unknown as Reply, url)) || null

/** Builds a cell of an answer: its status or the cause of its absence, with the system's error. */
function createAnswerCell({ url, shown, ...attempt }: ListedAttempt): Cell {
  const reason = findFailure(attempt, url)
  const { code, error } = attempt.response
  return {
    text:
      url !== null && code === null ? shortAnswer(attempt, url) : textsOfAttempt(attempt).answer,
    tone: attempt.outcome === 'delivered' ? 'good' : 'bad',
    note: reason !== shown ? reason : url !== null && error !== null ? String(error) : null,
  }
}

/** Returns the status of an answer; without one, its cause in one or two words. */
export const shortAnswer = (
  { response: { code, error } }: WebhookAttemptRow,
  url: string | null,
) => (code === null ? findCause(String(error), url ?? '').short : String(code))

/**
 * Builds a cell of the last answer to a delivery: its status, and folded below it why it failed and
 * how to fix it.
 */
export function lastAnswer(attempt: WebhookAttemptRow | undefined, url: string | null): Cell {
  if (!attempt) return plain('')
  return { ...plain(shortAnswer(attempt, url)), note: findFailure(attempt, url), folds: true }
}

/** Maximum characters of the joined text: the whole body is elsewhere on the page. */
const JOINED = 8 * 1024

/** Lists how a receiver verifies an attempt, by title: by its signature, and by the hash in the body. */
export const checkSignatures = (
  { body, http_method }: FullDelivery,
  { request_headers, request_body }: WebhookAttemptRow,
  merchant: Merchant,
): readonly (readonly [title: string, check: SignatureCheck])[] =>
  request_headers === null
    ? []
    : Object.entries({
        Signature: checkSignature(
          { headers: request_headers, body: http_method === 'get' ? '' : (request_body ?? '') },
          signingKeys(merchant),
        ),
        'Hash in the body': checkResponseHash(body, merchant.secret),
      }).flatMap(([title, check]) => (check ? [[title, check] as const] : []))

/** Renders one check of a receiver: the parts, their joined text, the digest and the received value. */
export function checkView([title, { isRight, parts, joined, recipe, digests, sent }]: ReturnType<
  typeof checkSignatures
>[number]): SafeHtml {
  const verdict: Cell = isRight
    ? { text: 'valid', tone: 'good' }
    : { text: 'invalid: the key or the secret has changed since', tone: 'bad' }
  return html`<details${isRight ? null : html` open`}><summary>${title} ${cell(verdict)}</summary>
${factList([
  ...parts.map(([name, value]) => ({
    name,
    ...longText(name === 'body' ? `unchanged, ${value.length} characters` : value),
  })),
  { name: 'Joined', text: shorten(joined, JOINED), code: true },
  { name: 'Digest', ...longText(digests.join(' ')), note: recipe },
  { name: 'Received', ...longText(sent) },
])}</details>
`
}

/** Lists the parts of an attempt that can differ between two. */
export function comparedParts(attempt: WebhookAttemptRow): Readonly<Record<string, string>> {
  const { sentHeaders, sent, answer, headers, body } = textsOfAttempt(attempt)
  return {
    When: timeAt(attempt.created_at).text,
    Made: attempt.manual ? 'resent by hand' : 'by the schedule',
    Outcome: attempt.outcome,
    Milliseconds: String(attempt.duration),
    'Headers sent': sentHeaders,
    'Body sent': sent,
    Answer: answer,
    'Headers of the answer': headers,
    'Body of the answer': body,
  }
}

/** Lines in which common languages and frameworks report an error. */
const REPORTS = [
  /^.*\b(?:Uncaught|Fatal error|Traceback|panic:|Unhandled)\b.*$/im,
  /^.*\b\w*(?:Error|Exception)\b.*$/m,
] as const

/** Maximum characters of a quoted error. */
const QUOTED = 300

/**
 * Finds the shop's own error in the body of its answer, such as the first line of a stack trace.
 * @returns the part of the body as it is, without tags of HTML; undefined if there is none
 */
export function findShopError(body: string): string | undefined {
  for (const report of REPORTS) {
    const [line] = report.exec(body.replace(/<[^<>]*>/g, '\n')) ?? []
    const text = line?.trim().slice(0, QUOTED)
    // A heading such as "Fatal error" alone says nothing: the next line does.
    if (text !== undefined && text.length > 24) return text
  }
  return undefined
}

/** An attempt on the line of time. */
export interface Try {
  /** Epoch milliseconds. */
  readonly at: number
  readonly tone: 'good' | 'bad' | 'planned'
  readonly what: string
}

/** Labels of the axis, in milliseconds. */
const MARKS = {
  '1 min': 60_000,
  '10 min': 600_000,
  '1 h': 3_600_000,
  '6 h': 21_600_000,
  '1 day': 86_400_000,
} as const

/** Smallest distance that the axis tells apart, in milliseconds. */
const FINE = 15_000

/** Draws attempts from left to right; the later, the more time a step has. */
export function attemptLine(tries: readonly Try[]): SafeHtml | null {
  const [first] = tries
  const last = tries.at(-1)
  if (!first || !last || last.at <= first.at) return null
  const whole = last.at - first.at
  const calculatePlace = (since: number) =>
    8 + (984 * Math.log(1 + since / FINE)) / Math.log(1 + whole / FINE)
  const marks = Object.entries(MARKS).filter(([, since]) => {
    const place = calculatePlace(since)
    return place > 100 && place < 900
  })
  const counts = Object.entries(Object.groupBy(tries, ({ tone }) => tone)).map(
    ([tone, some]) => `${some?.length} ${TONES[tone]}`,
  )
  const label = (place: number, text: string, anchor: string, isMiddle = false) =>
    html`<text${isMiddle ? html` class="mid"` : null} x="${place}" y="58" text-anchor="${anchor}">${text}</text>`
  return html`<figure class="tries"><svg viewBox="0 0 1000 66" role="img" aria-label="Line of time, ${durationText(whole)}: ${counts.join(', ')}">
<line x1="8" x2="992" y1="14" y2="14"/>${tries.map(
    ({ at, tone, what }) =>
      html`<circle class="${tone}" cx="${calculatePlace(at - first.at).toFixed(1)}" cy="14" r="5"><title>${what}</title></circle>`,
  )}
${label(8, 'at once', 'start')}${marks.map(([text, since], index) => label(calculatePlace(since), text, 'middle', index % 2 === 0))}${label(992, durationText(whole), 'end')}</svg></figure>`
}

const TONES: Readonly<Record<string, string>> = {
  good: 'delivered',
  bad: 'failed',
  planned: 'planned',
}
