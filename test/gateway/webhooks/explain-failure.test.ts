import { expect, test } from 'vitest'
import { explainFailure } from '../../../mock-gateway/webhooks/explain-failure.ts'

const answered = (code: number, headers: Readonly<Record<string, string>> = {}) => ({
  code,
  error: null,
  headers,
})
const failed = (error: string) => ({ code: null, error, headers: null })

test.for<[string, Parameters<typeof explainFailure>[0], string]>([
  [
    'a redirect',
    answered(302, { location: '/login?next=x' }),
    '302 to /login: redirects are not followed.',
  ],
  ['a redirect to nowhere', answered(301), '301: redirects are not followed.'],
  ['a missing login', answered(401), '401: the shop wants a login'],
  ['a CSRF check', answered(403), '403: the shop wants a login or a CSRF token.'],
  ['a wrong path', answered(404), '404: no page exists at this address.'],
  ['a wrong method', answered(405), '405: the handler does not accept this method.'],
  ['a large body', answered(413), '413: the body is too large for the shop.'],
  ['a wrong format', answered(415), '415: the handler does not read this format.'],
  ['a rejection', answered(422), '422: the handler rejected the message.'],
  ['a crash', answered(500), '500: the handler failed. See the log of the shop.'],
  ['a proxy', answered(502), '502: a proxy could not reach the shop.'],
  [
    'a timeout',
    failed('No complete answer within 90 seconds'),
    'No complete answer within 90 seconds. Answer 2xx first, work later.',
  ],
  [
    'DNS',
    failed('getaddrinfo ENOTFOUND shop.example'),
    'ENOTFOUND shop.example. The host name is unknown',
  ],
  [
    'a refused connection',
    failed('connect ECONNREFUSED 127.0.0.1:1'),
    'ECONNREFUSED 127.0.0.1:1. No server listens there',
  ],
  [
    'TLS',
    failed('DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate'),
    'The certificate is not trusted',
  ],
  ['plain HTTP on a port of TLS', failed('write EPROTO 1:error:SSL routines'), 'TLS failed'],
  ['a cut connection', failed('socket hang up'), 'The shop closed the connection'],
  ['a forbidden address', failed('metadata may not be called'), 'does not call such addresses'],
  ['anything else', failed('odd'), 'odd.'],
])('the explanation names the cause of %s', ([, reply, words]) =>
  expect(explainFailure(reply)).toContain(words),
)

test('success needs no explanation', () => expect(explainFailure(answered(204))).toBeUndefined())
