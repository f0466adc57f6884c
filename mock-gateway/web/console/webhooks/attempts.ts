import { formatDuration } from '../../../domain/duration-text.ts'
import type { JsonValue } from '../../../domain/json.ts'
import { explainFailure, findCause } from '../../../domain/webhook/explain-failure.ts'
import type { Queries } from '../../../storage/tables/schema.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import type { WebhookDeliveryRow } from '../../../storage/tables/webhook-deliveries.ts'
import { findLastAttempts } from '../../../storage/webhook-attempts.ts'
import { findWorstDeliveries } from '../../../storage/webhook-deliveries.ts'
import { DRAWN_BELOW, RETRIES, retryDelay } from '../../../webhooks/schedule.ts'
import type { Reply } from '../../../webhooks/transport.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { shorten, timeAt } from '../parts/cells.ts'

/** Formats an attempt for people: its answer is `{code, body, message, headers, error}`, see `Reply`. */
export function formatAttempt({ request_headers, request_body, response }: WebhookAttemptRow) {
  const { code, message, error, headers, body } = response
  const statusLine = [code, message].filter((part) => part !== null && part !== '').join(' ')
  return {
    sentHeaders: shorten(formatHeaders(request_headers)),
    sent: shorten(request_body ?? ''),
    answer: [statusLine, error].filter(Boolean).join(', '),
    headers: shorten(formatHeaders(headers)),
    body: shorten(String(body ?? '')),
  }
}

/** Formats headers one on a line, as in HTTP. */
const formatHeaders = (headers: JsonValue | undefined): string =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')

/** Returns why a call failed and how to fix it; null after success, and for mails. */
export const findFailure = ({ response }: WebhookAttemptRow, url: string | null): string | null =>
  (url !== null && explainFailure(response as unknown as Reply, url)) || null

/** Returns the status of an answer; without one, its cause in one or two words. */
export const shortAnswer = (
  { response: { code, error } }: WebhookAttemptRow,
  url: string | null,
): string => (code === null ? findCause(String(error), url ?? '').short : String(code))

/** Finds the worst status of each payment's webhooks, and the last answer to that webhook. */
export async function findWebhookStates(queries: Queries, transactions: readonly number[]) {
  const worst = await findWorstDeliveries(queries, transactions)
  const attempts = await findLastAttempts(
    queries,
    [...worst.values()].map(({ id }) => id),
  )
  const last = new Map(attempts.map((attempt) => [attempt.delivery_id, attempt]))
  return new Map(
    [...worst].map(([transaction, { id, status, url }]) => {
      const attempt = last.get(id)
      const answer = attempt && url !== null ? shortAnswer(attempt, url) : null
      return [transaction, { told: status, answer }]
    }),
  )
}

/** Lines in which common languages and frameworks report an error, the most certain first. */
const REPORTS = [
  /\b(?:Uncaught|Unhandled|panic:|SQLSTATE\[)|Fatal error:/,
  /(?:Error|Exception)\b *[:(]/,
  // A title such as "Internal Server Error" alone says nothing.
  /\w(?:Error|Exception)\b/,
] as const

const QUOTED = 300

const removeTags = (body: string): string => body.replace(/<[^<>]*>/g, '\n')

/**
 * Finds the shop's own error in the body of its answer, such as the first line of a stack trace.
 * @returns the part of the body as it is, without tags of HTML; undefined if there is none
 */
export function findShopError(body: string): string | undefined {
  const lines = removeTags(body).split('\n')
  const [line] = REPORTS.flatMap((report) => lines.find((line) => report.test(line)) ?? [])
  return line?.trim().slice(0, QUOTED)
}

/** A line of a file, in the forms of stack traces of common languages. */
const PLACE =
  /(?<![\w/\\.@-])((?:[A-Z]:)?[\w/\\.@-]{1,200}\.(?:[cm]?[jt]sx?|php|py|rb|cs|java|go))(?::|:line | on line |(?:"|&quot;), line |\()(\d+)/g

/** Returns the line of the shop's own code that a stack trace names, as `line 88 of /srv/orders.js`. */
export function findShopLine(body: string): string | undefined {
  const places = [...removeTags(body).matchAll(PLACE)].filter(
    ([, file = '']) => !/node_modules|vendor|site-packages|gems|internal/.test(file),
  )
  // Python lists the innermost call last.
  const [, file, line] = (/^Traceback/m.test(body) ? places.at(-1) : places[0]) ?? []
  return file && `line ${line} of ${file}`
}

/** Lists the retries of the schedule, if each attempt fails. */
export function listPlannedAttempts({ status, due_at, attempts }: WebhookDeliveryRow) {
  const planned: { at: number; tone: keyof typeof TONES; title: string }[] = []
  let at = due_at
  for (let retry = attempts; status === 'pending' && at !== null && retry <= RETRIES; retry += 1) {
    const name = retry === 0 ? 'First attempt' : `Retry ${retry} of ${RETRIES}`
    planned.push({ at, tone: 'planned', title: `${name}, ${timeAt(at).text}` })
    at += retryDelay(retry, DRAWN_BELOW / 2) * 1_000
  }
  return planned
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

/** Draws past and planned attempts from left to right; the later, the more time a step has. */
export function attemptLine(
  attempts: readonly WebhookAttemptRow[],
  row: WebhookDeliveryRow,
): SafeHtml | null {
  const timed: ReturnType<typeof listPlannedAttempts> = [
    ...attempts.map((attempt) => ({
      at: attempt.created_at,
      tone: attempt.outcome === 'delivered' ? ('good' as const) : ('bad' as const),
      title: `Attempt ${attempt.number}, ${timeAt(attempt.created_at).text}: ${shortAnswer(attempt, row.url)}`,
    })),
    ...listPlannedAttempts(row),
  ]
  const start = timed[0]?.at ?? 0
  const whole = (timed.at(-1)?.at ?? 0) - start
  if (whole <= 0) return null
  const calculatePlace = (since: number) =>
    8 + (984 * Math.log(1 + since / FINE)) / Math.log(1 + whole / FINE)
  const counts = [...Map.groupBy(timed, ({ tone }) => TONES[tone])].map(
    ([tone, some]) => `${some.length} ${tone}`,
  )
  const label = (place: number, text: string, anchor: string, isMiddle = false) =>
    html`<text${isMiddle ? html` class="mid"` : null} x="${place}" y="58" text-anchor="${anchor}">${text}</text>`
  const marks = Object.entries(MARKS)
    .map(([text, since]) => ({ text, place: calculatePlace(since) }))
    .filter(({ place }) => place > 100 && place < 900)
    .map(({ text, place }, index) => label(place, text, 'middle', index % 2 === 0))
  return html`<figure class="tries"><svg class="chart" viewBox="0 0 1000 66" role="img" aria-label="Line of time, ${formatDuration(whole)}: ${counts.join(', ')}">
<line x1="8" x2="992" y1="14" y2="14"/>${timed.map(
    ({ at, tone, title }) =>
      html`<circle class="${tone}" cx="${calculatePlace(at - start).toFixed(1)}" cy="14" r="5"><title>${title}</title></circle>`,
  )}
${label(8, 'at once', 'start')}${marks}${label(992, formatDuration(whole), 'end')}</svg></figure>`
}

const TONES = { good: 'delivered', bad: 'failed', planned: 'planned' } as const

/** Describes the answer of a handler, and how many attempts it answered so; null without one. */
export function describeAnswer(
  { url }: WebhookDeliveryRow,
  { response: { code } }: WebhookAttemptRow,
  attempts: readonly WebhookAttemptRow[],
): string | null {
  if (typeof code !== 'number' || url === null) return null
  const { length } = attempts
  const same = attempts.filter(({ response }) => response.code === code).length
  const all = length === 1 ? 'the only attempt' : `all ${length} attempts`
  const which = same === length ? all : `${same} of ${length} attempts`
  const handler = code >= 500 ? 'Your handler crashed' : 'Your handler did not accept the webhook'
  return `${handler}: it answered ${code} to ${which}`
}
