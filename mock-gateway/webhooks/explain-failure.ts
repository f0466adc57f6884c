import type { Reply } from './reply.ts'

/** Short cause of a failed call and advice about it, by its error. The first match counts. */
const ERRORS: readonly (readonly [pattern: RegExp, cause: string, advice: string])[] = [
  [/No complete answer/, 'timed out', 'Answer 2xx first, and do the work afterwards.'],
  [
    /call was aborted/,
    'stopped',
    'The gateway stopped during the call, and sends the webhook again.',
  ],
  [
    /may not be called/,
    'not allowed',
    'This gateway does not call such addresses. Use the public address of the shop.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'unknown host',
    'The host name is unknown on the machine of the gateway. Correct it, or add it to DNS.',
  ],
  [
    /ECONNREFUSED/,
    'connection refused',
    'No server listens there. Start the shop, or correct the host and the port.',
  ],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/,
    'unreachable',
    'The host cannot be reached. Check the address, the network and the firewall.',
  ],
  [
    /CERT|certificate|self.signed|issuer|altname/i,
    'certificate',
    'The certificate is not trusted. Give its authority to the gateway with --webhook-ca, or call the shop over http.',
  ],
  [
    /EPROTO|SSL|TLS/,
    'TLS failed',
    'TLS failed. Check that the port speaks TLS 1.2 or later, or call the shop over http.',
  ],
  [
    /ECONNRESET|EPIPE|hang up|aborted/,
    'connection closed',
    'The shop closed the connection before its answer was complete. See its log.',
  ],
  [
    /HPE_|Parse Error/,
    'not HTTP',
    'The answer is not valid HTTP. Check the port, and which server answers there.',
  ],
]

/** Names the cause of a call without an answer in one or two words. */
export const shortCause = (error: unknown): string =>
  ERRORS.find(([pattern]) => pattern.test(String(error)))?.[1] ?? 'no answer'

/** Advice about an answer, by its status. The first match counts. */
const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [/^3/, 'Redirects are not followed. Let the handler answer 2xx.'],
  [
    /^40[13]$/,
    'The shop wants a login or a CSRF token. Let the webhook address work without them, and check the signature.',
  ],
  [
    /^404$|^410$/,
    'No page exists at this address. Correct the path of the webhook, or add the handler.',
  ],
  [
    /^405$/,
    'The handler does not accept this method. Accept it, or change http_method of the webhook.',
  ],
  [/^413$/, 'The body is too large for the shop. Raise the limit of its server.'],
  [
    /^415$/,
    'The handler does not read this format. Read it, or change data_format of the webhook.',
  ],
  [/^419$/, 'The shop wants a CSRF token. Leave the webhook address out of this check.'],
  [/^429$/, 'The shop limits the number of requests. Leave the webhook address out of this limit.'],
  [
    /^4/,
    'The handler rejected the message. Answer 2xx for every message that the shop has received.',
  ],
  [/^50[234]$/, 'A proxy could not reach the shop. Check that the shop runs.'],
  [/^5/, 'The handler failed. See the log of the shop.'],
]

/**
 * Explains in words why a webhook failed and what to do: "Status 302 to /login. Redirects are not
 * followed. Let the handler answer 2xx."
 * @returns undefined after success
 */
export function explainFailure({
  code,
  error,
  headers,
}: Pick<Reply, 'code' | 'error' | 'headers'>): string | undefined {
  if (code === null) {
    const cause = error ?? 'No answer'
    return `${cause}. ${ERRORS.find(([pattern]) => pattern.test(cause))?.[2] ?? ''}`.trim()
  }
  if (code >= 200 && code < 300) return undefined
  const location = headers?.location
  const subject =
    code >= 300 && code < 400 && location
      ? `Status ${code} to ${withoutQuery(location)}.`
      : `Status ${code}.`
  const advice = ANSWERS.find(([pattern]) => pattern.test(String(code)))?.[1]
  return advice ? `${subject} ${advice}` : subject
}

/** The values of a query may be secrets. */
const withoutQuery = (location: string) => location.replace(/[?#].*$/s, '')
