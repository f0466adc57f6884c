import type { FinalAuthenticationResult } from '../../domain/card/three-d-secure.ts'
import { findEntryByName } from '../../domain/errors/errors.ts'
import { findCause } from '../../domain/webhook/explain-failure.ts'
import { COMMON } from '../../storage/clocks.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { ClockMoveRow } from '../../storage/tables/clocks.ts'
import type { MailRow } from '../../storage/tables/notifications.ts'
import { type RequestRow, readContents } from '../../storage/tables/requests.ts'
import type { WebhookAttemptRow } from '../../storage/tables/webhook-attempts.ts'
import type { FullDelivery } from '../../storage/tables/webhook-deliveries.ts'
import { formatWireTime } from '../time.ts'
import { createArrow, createEntry, listDetails, type Party, type StoryEntry } from './entries.ts'

/** Results that belong to other merchants are left out. */
export const moveEntry = ({ kind, from_at, to_at, merchant_id }: ClockMoveRow): StoryEntry =>
  createEntry(
    to_at,
    'clock',
    `The clock was changed: ${kind === 'next' ? 'advance to the next event' : kind}`,
    'off',
    {
      details: listDetails({
        from: formatWireTime(from_at),
        to: formatWireTime(to_at),
        clock: merchant_id === COMMON ? 'of all merchants' : 'of this merchant',
      }),
    },
  )

/** Joins the parts that are not empty; null if there are none. */
const joined = (...parts: readonly unknown[]): string | null =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ') || null

export function requestEntry(request: RequestRow): StoryEntry {
  const { sent, struck, path, answered } = readContents(request)
  const { method, status, error, answer, explain, request_id, duration } = request
  const route = request.route ?? ''
  const isPage = method === 'GET' && /^\/v1\/(?:form|acs)\b/.test(route)
  const result =
    status === null
      ? 'the client disconnected'
      : `${status}${error === null ? '' : `, error ${findEntryByName(error)?.code}`}`
  const [, from, to, opens, submits] = CALLS.find(([calls]) => calls.test(route)) ?? SHOP_CALL
  const label = (method === 'GET' ? opens : submits) ?? `${method} ${path}`
  const back = isPage && status !== null && status >= 300 ? findReturnPath(answered) : undefined
  return createEntry(
    request.created_at,
    'request',
    `${isPage ? 'The payer opened a page: ' : ''}${method} ${path}`,
    status === null ? 'off' : error === null && status < 400 ? 'good' : 'bad',
    {
      says: joined(struck && `An injected fault affected this request: ${struck}.`, explain),
      details: listDetails({
        answer: status ?? result,
        error,
        sent: sent && Object.keys(sent).length > 0 ? sent : null,
        answered: answer,
      }),
      of: { what: 'requests', id: request_id },
      arrow:
        back === undefined
          ? createArrow(from, to, label, result, `in ${Math.max(1, Math.round(duration))} ms`)
          : createArrow('gateway', 'payer', `Sends the payer back to ${back}`),
      ...(back === undefined && BANK_CALL.test(route) && { phase: '3-D Secure' }),
      ...(back !== undefined && { phase: 'Result' }),
      ...(route === '/v1/refunds' && { phase: 'Refund' }),
      ...(/:nonce|^\/v1\/acs\b/.test(route) && { isPlumbing: true }),
    },
  )
}

/** Finds the path in the shop that an answer sends the payer to. */
function findReturnPath({ location = '' }: Readonly<Record<string, string>>): string | undefined {
  const { pathname } = URL.parse(location) ?? {}
  return pathname === undefined || /^\/v1\//.test(pathname) ? undefined : pathname
}

/** Requests of the payer for 3-D Secure. */
const BANK_CALL = /^\/v1\/acs\b|:nonce|\/mpi_js\b/

type Calls = readonly [
  routes: RegExp,
  from: Party,
  to: Party,
  opens?: string | null,
  submits?: string,
]

/** Sender and receiver of a request, with its labels for GET and for other methods. */
const CALLS: readonly Calls[] = [
  [/^\/v1\/acs\b/, 'payer', 'bank', "Opens the bank's page", "Submits the bank's page"],
  [/\/mpi_js\/return\b/, 'payer', 'gateway', 'Returns from the bank', 'Returns from the bank'],
  [BANK_CALL, 'payer', 'gateway'],
  [
    /^\/(?:v1\/form|pay)\b/,
    'payer',
    'gateway',
    'Opens the payment page',
    'Submits the payment page',
  ],
  [/^\/v1\/transactions$/, 'shop', 'gateway', null, 'Creates the payment'],
  [/^\/v1\/transactions\/:id$/, 'shop', 'gateway', 'Reads the payment', 'Changes the payment'],
  [/^\/v1\/transactions\/:id\/capture$/, 'shop', 'gateway', null, 'Captures the payment'],
  [/^\/v1\/refunds$/, 'shop', 'gateway', null, 'Requests a refund'],
]
const SHOP_CALL: Calls = [/./, 'shop', 'gateway']

/** Leaves out tokens, keys and nonces. */
export function createAuthenticationEntries(row: AuthenticationRow): StoryEntry[] {
  const { plan, card_number, brand, wrong_codes, new_codes, refused_answers, opened_at } = row
  const step = (at: number, title: string, more: Partial<StoryEntry>) =>
    createEntry(at, '3-D Secure', title, 'off', { phase: '3-D Secure', ...more })
  const [result, tone] = row.result === null ? NO_RESULT : RESULTS[row.result]
  const entries = [
    createEntry(row.created_at, '3-D Secure', '3-D Secure started', 'off', {
      phase: '3-D Secure',
      details: listDetails({
        card: `${brand} ${card_number}`,
        plan,
        'wrong codes': wrong_codes || null,
        'new codes': new_codes || null,
      }),
      arrow: createArrow('gateway', 'bank', 'Starts 3-D Secure', plan.flow),
    }),
  ]
  if (opened_at !== null)
    entries.push(
      step(opened_at, "The payer opened the bank's page", {
        arrow: createArrow('payer', 'bank', "Opens the bank's page"),
      }),
    )
  for (const { at, did, gives } of row.steps)
    entries.push(
      step(at, `The payer at the bank: ${did}`, {
        details: listDetails({ gives }),
        arrow: createArrow('payer', 'bank', `Answers the bank: ${did}`, gives),
      }),
    )
  if (row.status !== 'open')
    entries.push(
      createEntry(row.updated_at, '3-D Secure', `Result of 3-D Secure: ${result}`, tone, {
        phase: '3-D Secure',
        details: listDetails({ 'rejected answers': refused_answers || null }),
        arrow: createArrow('bank', 'gateway', 'Answers 3-D Secure', result),
      }),
    )
  return entries
}

type Result = readonly [text: string, tone: StoryEntry['tone']]

/** Results of 3-D Secure in the standard terms. */
const RESULTS: Readonly<Record<FinalAuthenticationResult, Result>> = {
  Y: ['authenticated (Y)', 'good'],
  A: ['attempted (A)', 'good'],
  N: ['not authenticated (N)', 'bad'],
  U: ['unavailable (U)', 'off'],
  R: ['rejected (R)', 'bad'],
  error: ['protocol error', 'bad'],
  timeout: ['no answer in time', 'bad'],
  cancel: ['cancelled by the payer', 'bad'],
  bypass: ['bypassed by a rule', 'off'],
  disabled: ['not enabled for the merchant', 'off'],
}
const NO_RESULT: Result = ['none', 'off']

export function createDeliveryEntries(
  row: FullDelivery,
  attempts: readonly WebhookAttemptRow[],
): StoryEntry[] {
  const { id, url, email, http_method, trigger, status } = row
  const target = url === null ? (email ?? 'the payer') : `${http_method?.toUpperCase()} ${url}`
  const of = { what: 'webhooks', id: String(id) } as const
  return [
    createEntry(row.created_at, 'webhook', `Webhook ${trigger} for ${target}`, TONES[status], {
      says: DELIVERY_STATES[status],
      details: listDetails({
        'webhook-id': row.message_id,
        format: row.data_format,
        // Each attempt has it.
        body: row.calls > 0 ? null : row.body,
      }),
      of,
      phase: 'Result',
      isPlumbing: true,
    }),
    ...attempts
      .filter(({ delivery_id }) => delivery_id === id)
      .map((attempt) => ({ ...attemptEntry(attempt, row), of })),
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
  { created_at, number, duration, outcome, request_body, response }: WebhookAttemptRow,
  { trigger, url, calls, status }: FullDelivery,
): StoryEntry {
  const { code, message, error, headers, body } = response
  const cause = code === null && error && url !== null ? findCause(String(error), url) : null
  const says = cause?.sentence ?? joined(code, message, error) ?? ''
  const label = number === 1 ? `Webhook ${trigger}` : `Webhook ${trigger}, attempt ${number}`
  const result = cause?.short ?? (String(code ?? error ?? message ?? '') || null)
  const isLast = number === calls && status !== 'pending' && outcome !== 'delivered'
  const note = isLast ? 'and failed' : `in ${duration} ms`
  return createEntry(
    created_at,
    'webhook',
    `Attempt ${number} of ${trigger}: ${says}`,
    isLast ? 'bad' : TONES[outcome],
    {
      details: listDetails({
        sent: request_body,
        answered: body,
        took: `${duration} ms`,
        error,
        headers,
      }),
      // Mails have their own entries in the timeline.
      phase: 'Result',
      ...(url === null
        ? { isPlumbing: true }
        : { arrow: createArrow('gateway', 'receiver', label, result, note) }),
    },
  )
}

export const createMailEntry = ({
  created_at,
  recipient,
  subject,
  status,
  text,
}: MailRow): StoryEntry =>
  createEntry(
    created_at,
    'mail',
    `Mail to ${recipient}: ${subject}`,
    status === 'refused' ? 'bad' : 'good',
    {
      details: listDetails({ status, text }),
      phase: 'Result',
      arrow: createArrow('gateway', 'receiver', `Mail: ${subject}`, status),
    },
  )
