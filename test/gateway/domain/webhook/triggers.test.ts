import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../../mock-gateway/domain/webhook/explain-failure.ts'
import {
  listTriggers,
  type Trigger,
  type TriggerCause,
} from '../../../../mock-gateway/domain/webhook/triggers.ts'
import type { PaymentEvent } from '../../../../mock-gateway/outbox/payment-events.ts'

type Fired = readonly Trigger[]
const SUCCESS: Fired = ['payment', 'payment_success']
const ERROR: Fired = ['payment', 'payment_error']

/** Triggers of events that do not depend on the transaction's status. */
const OTHER_EVENTS: Readonly<
  Record<Exclude<PaymentEvent['event'], 'charged' | 'credit_checked' | 'started'>, Fired>
> = {
  created: [],
  weak_hash: [],
  challenged: [],
  rules_matched: [],
  fraud_checked: [],
  expired: ERROR,
  card_stored: ['stored_card'],
  card_removed: [],
  authenticated: [],
  soft_declined: [],
  gave_way: [],
  authentication_refused: [],
  not_stored: [],
  not_subscribed: [],
  updated: [],
  captured: ['payment'],
  capture_sent: [],
  capture_failed: ERROR,
  refunded: ['refund'],
  template_failed: [],
}

/** Events with their triggers, and the additional triggers if it is a subscription's charge. */
const MATRIX: readonly (readonly [cause: TriggerCause, fired: Fired, recurring?: Fired])[] = [
  ...(['charged', 'credit_checked', 'started'] as const).flatMap(
    (event) =>
      [
        [{ event, status: 'approved' }, SUCCESS, ['recurring_success']],
        [{ event, status: 'authorized' }, SUCCESS, ['recurring_success']],
        [{ event, status: 'declined' }, ERROR],
        [{ event, status: 'failed' }, ERROR],
        [{ event, status: 'pending' }, ['payment']],
      ] as const,
  ),
  ...Object.entries(OTHER_EVENTS).map(([event, fired]) => [{ event }, fired] as const),
  [
    { event: 'charged', status: 'approved', form: true },
    [...SUCCESS, 'payment_form'],
    ['recurring_success'],
  ],
  [{ event: 'charged', status: 'declined', form: true }, [...ERROR, 'payment_form']],
  [{ event: 'challenged', status: '3ds pending' }, []],
  [{ event: 'reopened', status: 'pending' }, []],
]

describe('webhook rule 16: the triggers for an event of a transaction', () => {
  for (const [cause, fired, recurring = []] of MATRIX)
    test(`${JSON.stringify(cause)}: ${fired.join(', ') || 'nothing'}`, () => {
      expect(listTriggers(cause)).toEqual(fired)
      expect(listTriggers(cause, true)).toEqual([...fired, ...recurring])
    })
})

const answered = (code: number, headers: Readonly<Record<string, string>> = {}) => ({
  code,
  error: null,
  headers,
})
const SHOP = 'https://shop.example:8443/hook'
const failed = (error: string) => ({ code: null, error, headers: null })

test.for<[string, Parameters<typeof explainFailure>[0], string]>([
  [
    'a redirect',
    answered(302, { location: '/login?next=x' }),
    'Status 302 to /login. Redirects are not followed.',
  ],
  ['a redirect to nowhere', answered(301), 'Status 301. Redirects are not followed.'],
  ['a missing login', answered(401), 'Status 401. The shop wants a login'],
  ['a CSRF check', answered(403), 'Status 403. The shop wants a login or a CSRF token.'],
  ['a wrong path', answered(404), 'Status 404. No page exists at this address.'],
  ['a wrong method', answered(405), 'Status 405. The handler does not accept this method.'],
  ['a large body', answered(413), 'Status 413. The body is too large for the shop.'],
  ['a wrong format', answered(415), 'Status 415. The handler does not read this format.'],
  ['a rejection', answered(422), 'Status 422. The handler rejected the message.'],
  ['a crash', answered(500), 'Status 500. The handler failed. See the log of the shop.'],
  ['a proxy', answered(502), 'Status 502. A proxy could not reach the shop.'],
  [
    'a timeout',
    failed('No complete answer within 90 seconds'),
    'No complete answer within 90 seconds. Answer 2xx first, and do the work afterwards.',
  ],
  [
    'DNS',
    failed('getaddrinfo ENOTFOUND shop.example'),
    'The host shop.example is unknown on the machine of the gateway. Correct it, or',
  ],
  [
    'a refused connection',
    failed('connect ECONNREFUSED 127.0.0.1:1'),
    'No server listens at shop.example:8443. Start the shop, or',
  ],
  [
    'TLS',
    failed('DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate'),
    'The certificate of shop.example:8443 is not trusted. Give',
  ],
  [
    'plain HTTP on a port of TLS',
    failed('write EPROTO 1:error:SSL routines'),
    'TLS failed at shop',
  ],
  ['a cut connection', failed('socket hang up'), 'shop.example:8443 closed the connection'],
  [
    'nock',
    failed('ENETUNREACH: Nock: Disallowed net connect for "shop.example:8443/hook"'),
    'The process refused the connection to shop.example:8443. A network mock',
  ],
  [
    'msw',
    failed('[MSW] Cannot bypass a request when using the "error" strategy'),
    'The process refused the connection',
  ],
  ['a forbidden address', failed('metadata may not be called'), 'does not call shop.example'],
  ['anything else', failed('odd'), 'odd.'],
])('the explanation names the cause of %s', ([, reply, words]) =>
  expect(explainFailure(reply, SHOP)).toContain(words),
)

test('success needs no explanation', () =>
  expect(explainFailure(answered(204), SHOP)).toBeUndefined())
