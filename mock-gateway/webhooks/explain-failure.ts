import type { Reply } from './reply.ts'

/** Advice about a failed call, by its error. The first match counts. */
const ERRORS: readonly (readonly [RegExp, string])[] = [
  [/No complete answer/, 'Answer 2xx first, and do the work afterwards.'],
  [/call was aborted/, 'The gateway stopped during the call, and sends the webhook again.'],
  [
    /may not be called/,
    'This gateway does not call such addresses. Use the public address of the shop.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'The host name is unknown on the machine of the gateway. Correct it, or add it to DNS.',
  ],
  [/ECONNREFUSED/, 'No server listens there. Start the shop, or correct the host and the port.'],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/,
    'The host cannot be reached. Check the address, the network and the firewall.',
  ],
  [
    /CERT|certificate|self.signed|issuer|altname/i,
    'The certificate is not trusted. Give its authority to the gateway with --webhook-ca, or call the shop over http.',
  ],
  [
    /EPROTO|SSL|TLS/,
    'TLS failed. Check that the port speaks TLS 1.2 or later, or call the shop over http.',
  ],
  [
    /ECONNRESET|EPIPE|hang up|aborted/,
    'The shop closed the connection before its answer was complete. See its log.',
  ],
  [
    /HPE_|Parse Error/,
    'The answer is not valid HTTP. Check the port, and which server answers there.',
  ],
]

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
    return `${cause}. ${adviceIn(ERRORS, cause) ?? ''}`.trim()
  }
  if (code >= 200 && code < 300) return undefined
  const location = headers?.location
  const subject =
    code >= 300 && code < 400 && location
      ? `Status ${code} to ${withoutQuery(location)}.`
      : `Status ${code}.`
  const advice = adviceIn(ANSWERS, String(code))
  return advice ? `${subject} ${advice}` : subject
}

const adviceIn = (table: typeof ERRORS, text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/** The values of a query may be secrets. */
const withoutQuery = (location: string) => location.replace(/[?#].*$/s, '')
