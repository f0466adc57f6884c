import type { FinalAuthenticationResult } from '../../domain/card/three-d-secure.ts'
import { entryByName } from '../../domain/errors/errors.ts'
import { causeOf } from '../../domain/webhook/explain-failure.ts'
import { COMMON } from '../../storage/clocks.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { ClockMoveRow } from '../../storage/tables/clocks.ts'
import type { LogEventRow } from '../../storage/tables/log-events.ts'
import type { MailRow } from '../../storage/tables/mails.ts'
import { contentsIn, type RequestRow } from '../../storage/tables/requests.ts'
import type { ReturnFailureRow } from '../../storage/tables/return-failures.ts'
import type { WebhookAttemptRow } from '../../storage/tables/webhook-attempts.ts'
import type { FullDelivery } from '../../storage/tables/webhook-deliveries.ts'
import type { TransactionRecord } from '../../storage/transaction-parts.ts'
import { seenDeliveries, seenRequest } from '../findings/evidence.ts'
import { findFindings } from '../findings/findings.ts'
import { wireTime } from '../time.ts'
import { amountText } from '../transaction.ts'
import { detailsOf, entryAt, type StoryArrow, type StoryEntry } from './entries.ts'
import { eventEntry } from './events.ts'
import { findFailed, nextSteps } from './next-steps.ts'

/** All rows about one payment. */
export interface StoryRows {
  readonly record: TransactionRecord
  /** Requests that changed it or showed its page. */
  readonly requests: readonly RequestRow[]
  /** Changes of the merchant's clock and of the common one, since the payment was created. */
  readonly moves: readonly ClockMoveRow[]
  readonly authentications: readonly AuthenticationRow[]
  readonly deliveries: readonly FullDelivery[]
  readonly attempts: readonly WebhookAttemptRow[]
  readonly mails: readonly MailRow[]
  readonly returnFailures: readonly ReturnFailureRow[]
}

/** History of one payment. */
export interface Story {
  readonly id: number
  readonly payment_ref: string
  readonly amount: string
  readonly currency: string
  readonly status: string
  /** Possible next steps, in sentences. */
  readonly next: readonly string[]
  /** Warnings, in sentences. */
  readonly findings: readonly string[]
  /** The oldest first. */
  readonly entries: readonly StoryEntry[]
}

/** Builds a story from rows. Show it only after `cleanStory`. */
export function storyOf(rows: StoryRows): Story {
  const { row } = rows.record
  const told = placeEntries(rows)
  const last = Math.max(...told.map(({ entry }) => entry.at))
  // Clock changes after the last event do not belong to the payment.
  const moves = rows.moves
    .toReversed()
    .map((move) => ({ entry: moveEntry(move), place: 0 }))
    .filter(({ entry }) => entry.at <= last)
  return {
    id: row.id,
    payment_ref: row.payment_ref,
    amount: amountText(row),
    currency: row.currency.toUpperCase(),
    status: row.status,
    next: nextSteps(rows.record, findFailed(rows.deliveries)),
    findings: findingsOf(rows),
    entries: [...told, ...moves]
      .sort((one, other) => one.entry.at - other.entry.at || one.place - other.place)
      .map(({ entry }) => entry),
  }
}

/** Lists the findings of this payment, each with its first occurrence. */
const findingsOf = ({
  requests,
  deliveries,
  attempts,
  returnFailures,
}: StoryRows): readonly string[] =>
  findFindings({
    requests: requests.flatMap(seenRequest),
    deliveries: seenDeliveries(deliveries, attempts),
    returnFailures,
  }).map(({ title, mend, proofs }) => `${title}. ${proofs[0]?.says} ${mend}`)

/**
 * An entry with its position among entries of the same time: while a clock is frozen, all have the
 * same time.
 */
interface PlacedEntry {
  readonly entry: StoryEntry
  readonly place: number
}

/** Places each effect after its request, and entries without a request after earlier ones. */
function placeEntries({
  record,
  requests,
  authentications,
  deliveries,
  attempts,
  mails,
}: StoryRows): PlacedEntry[] {
  const { logEvents, refunds } = record.parts
  const { currency } = record.row
  const inOrder = requests.toSorted((one, other) => one.id - other.id)
  const reasons = refunds.map(({ reason }) => reason)
  const open = [...logEvents]
  const placed: PlacedEntry[] = []
  const place = () => placed.length + 1
  for (const request of inOrder) {
    placed.push({ entry: requestEntry(request), place: place() })
    for (const name of contentsIn(request).events) {
      const at = open.findIndex(
        ({ created_at, data }) => created_at === request.created_at && data.event === name,
      )
      for (const event of at < 0 ? [] : open.splice(at, 1))
        placed.push({
          entry: eventEntry(event, reasonOf(event, reasons) ?? request.explain, currency),
          place: place(),
        })
    }
  }
  for (const event of open)
    placed.push({ entry: eventEntry(event, reasonOf(event, reasons), currency), place: 0 })
  const behind = (entry: StoryEntry): PlacedEntry => {
    // 3-D Secure runs before the gateway logs its result.
    const log = placed.find(
      (each) => each.entry.kind === '3-D Secure' && each.entry.at === entry.at,
    )
    if (log && entry.kind === '3-D Secure') return { entry, place: log.place - 0.5 }
    const before = placed.filter(
      (each) => each.entry.at <= entry.at && each.entry.kind !== 'webhook',
    )
    return { entry, place: before.at(-1)?.place ?? 0 }
  }
  const others = [
    ...authentications.flatMap(authenticationEntries),
    ...deliveries
      .toSorted((one, other) => one.id - other.id)
      .flatMap((each) => deliveryEntries(each, attempts)),
    ...mails.map(mailEntry),
  ]
  return [...placed, ...others.map(behind)]
}

/** Returns the reasons of refunds, in order. */
function reasonOf({ data }: LogEventRow, reasons: string[]): string | null {
  return data.event === 'refunded' ? (reasons.shift() ?? null) : null
}

/** Results that belong to other merchants are left out. */
function moveEntry({ kind, from_at, to_at, merchant_id }: ClockMoveRow): StoryEntry {
  const title = `The clock was changed: ${kind === 'next' ? 'advance to the next event' : kind}`
  const details = {
    from: wireTime(from_at),
    to: wireTime(to_at),
    clock: merchant_id === COMMON ? 'of all merchants' : 'of this merchant',
  }
  return { ...entryAt(to_at, 'clock', title, 'off'), details: detailsOf(details) }
}

function requestEntry(request: RequestRow): StoryEntry {
  const { sent, struck, path } = contentsIn(request)
  const { method, status, error, route, answer, explain, request_id } = request
  const isPage = method === 'GET' && /^\/v1\/(?:form|acs)\b/.test(route ?? '')
  const title = isPage ? 'The payer opened a page' : 'Request'
  const tone = status === null ? 'off' : error === null && status < 400 ? 'good' : 'bad'
  return {
    ...entryAt(request.created_at, 'request', `${title}: ${method} ${path}`, tone),
    says:
      [struck && `An injected fault affected this request: ${struck}.`, explain]
        .filter(Boolean)
        .join(' ') || null,
    details: detailsOf({
      answer: status ?? 'the client disconnected',
      error,
      sent: sent && Object.keys(sent).length > 0 ? sent : null,
      answered: answer,
    }),
    of: { what: 'requests', id: request_id },
    arrow: {
      ...arrowOfRequest(route ?? '', method, path),
      result:
        status === null
          ? 'the client disconnected'
          : `${status}${error === null ? '' : `, error ${entryByName(error)?.code}`}`,
    },
    ...(/:nonce|^\/v1\/acs\b/.test(route ?? '') && { isPlumbing: true as const }),
  }
}

/** Returns sender, receiver and label of a request. */
function arrowOfRequest(
  route: string,
  method: string,
  path: string,
): Pick<StoryArrow, 'from' | 'to' | 'label'> {
  if (/^\/v1\/acs\b/.test(route))
    return {
      from: 'payer',
      to: 'bank',
      label: method === 'GET' ? "Opens the bank's page" : "Submits the bank's page",
    }
  if (/:nonce|\/mpi_js\b/.test(route))
    return { from: 'payer', to: 'gateway', label: `${method} ${path}` }
  if (/^\/(?:v1\/form|pay)\b/.test(route))
    return {
      from: 'payer',
      to: 'gateway',
      label: method === 'GET' ? 'Opens the payment page' : 'Submits the payment page',
    }
  return { from: 'shop', to: 'gateway', label: `${method} ${path}` }
}

/** Leaves out tokens, keys and nonces. */
function authenticationEntries(row: AuthenticationRow): StoryEntry[] {
  const { plan, card_number, brand, wrong_codes, new_codes, refused_answers, result } = row
  const facts = {
    card: `${brand} ${card_number}`,
    plan,
    'wrong codes': wrong_codes || null,
    'new codes': new_codes || null,
  }
  return [
    {
      ...entryAt(row.created_at, '3-D Secure', '3-D Secure started', 'waiting'),
      details: detailsOf(facts),
      arrow: { from: 'gateway', to: 'bank', label: 'Starts 3-D Secure', result: plan.flow },
    },
    ...(row.opened_at === null
      ? []
      : [
          {
            ...entryAt(row.opened_at, '3-D Secure', "The payer opened the bank's page", 'off'),
            arrow: {
              from: 'payer',
              to: 'bank',
              label: "Opens the bank's page",
              result: null,
            } as const,
          },
        ]),
    ...row.steps.map(({ at, did, gives }) => ({
      ...entryAt(at, '3-D Secure', `The payer at the bank: ${did}`, 'off'),
      details: detailsOf({ gives }),
      arrow: {
        from: 'payer',
        to: 'bank',
        label: `Answers the bank: ${did}`,
        result: gives ?? null,
      } as const,
    })),
    ...(row.status === 'open'
      ? []
      : [
          {
            ...entryAt(
              row.updated_at,
              '3-D Secure',
              `Result of 3-D Secure: ${result === null ? 'none' : RESULTS[result]}`,
              'off',
            ),
            details: detailsOf({ 'rejected answers': refused_answers || null }),
            arrow: {
              from: 'bank',
              to: 'gateway',
              label: 'Answers 3-D Secure',
              result: result === null ? null : RESULTS[result],
            } as const,
          },
        ]),
  ]
}

/** Results of 3-D Secure in the standard terms. */
const RESULTS: Readonly<Record<FinalAuthenticationResult, string>> = {
  Y: 'authenticated (Y)',
  A: 'attempted (A)',
  N: 'not authenticated (N)',
  U: 'unavailable (U)',
  R: 'rejected (R)',
  error: 'protocol error',
  timeout: 'no answer in time',
  cancel: 'cancelled by the payer',
  bypass: 'bypassed by a rule',
  disabled: 'not enabled for the merchant',
}

function deliveryEntries(row: FullDelivery, attempts: readonly WebhookAttemptRow[]): StoryEntry[] {
  const target =
    row.url === null ? (row.email ?? 'the payer') : `${row.http_method?.toUpperCase()} ${row.url}`
  const of = { what: 'webhooks', id: String(row.id) } as const
  return [
    {
      ...entryAt(
        row.created_at,
        'webhook',
        `Webhook ${row.trigger} for ${target}`,
        TONES[row.status],
      ),
      says: DELIVERY_STATES[row.status],
      details: detailsOf({ 'webhook-id': row.message_id, format: row.data_format, body: row.body }),
      of,
      isPlumbing: true,
    },
    ...attempts
      .filter(({ delivery_id }) => delivery_id === row.id)
      .map((attempt) => attemptEntry(attempt, row, of)),
  ]
}

/** Status of a delivery, in a sentence. */
const DELIVERY_STATES = {
  pending: 'The webhook waits for its next attempt.',
  delivered: 'The webhook was delivered.',
  failed: 'The webhook failed permanently. The gateway does not retry it.',
  dead: 'The webhook failed permanently, after all retries.',
} as const

const TONES = {
  pending: 'waiting',
  delivered: 'good',
  failed: 'bad',
  dead: 'bad',
  retry: 'waiting',
} as const

function attemptEntry(
  attempt: WebhookAttemptRow,
  { trigger, url }: FullDelivery,
  of: StoryEntry['of'] & object,
): StoryEntry {
  const { code, message, error, headers, body } = attempt.response
  const cause = code === null && error && url !== null ? causeOf(String(error), url) : null
  const response =
    cause?.sentence ??
    [code, message, error]
      .filter((part) => part !== null && part !== undefined && part !== '')
      .join(' ')
  return {
    ...entryAt(
      attempt.created_at,
      'webhook',
      `Attempt ${attempt.number} of ${trigger}: ${response}`,
      TONES[attempt.outcome],
    ),
    says: `The attempt took ${attempt.duration} ms.`,
    details: detailsOf({ sent: attempt.request_body, error, headers, answered: body }),
    of,
    // Mails have their own entries in the timeline.
    ...(url === null
      ? { isPlumbing: true }
      : {
          arrow: {
            from: 'gateway',
            to: 'receiver',
            label:
              attempt.number === 1
                ? `Webhook ${trigger}`
                : `Webhook ${trigger}, attempt ${attempt.number}`,
            result: cause?.short ?? (String(code ?? error ?? message ?? '') || null),
          },
        }),
  }
}

const mailEntry = (mail: MailRow): StoryEntry => ({
  ...entryAt(
    mail.created_at,
    'mail',
    `Mail to ${mail.recipient}: ${mail.subject}`,
    mail.status === 'refused' ? 'bad' : 'good',
  ),
  details: detailsOf({ status: mail.status, text: mail.text }),
  arrow: { from: 'gateway', to: 'receiver', label: `Mail: ${mail.subject}`, result: mail.status },
})
