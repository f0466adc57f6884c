/** Result of a call to a shop, as far as it explains a failure. */
interface CallResult {
  /** HTTP status; null if the answer was incomplete. */
  readonly code: number | null
  /** Reason of an incomplete answer; null otherwise. */
  readonly error: string | null
  readonly headers: Readonly<Record<string, string>> | null
}

/** Why a call got no answer: in one or two words, in a sentence, and how to fix it. */
interface Cause {
  readonly short: string
  readonly sentence: string
  readonly advice: string
}

/** Causes by the error of the system, with `{host}` for the host and its port. The first match counts. */
const CAUSES: readonly (readonly [RegExp, short: string, sentence: string, advice: string])[] = [
  [
    /Nock: |\[MSW\]/,
    'refused by the process',
    'The process refused the connection to {host}.',
    'A network mock such as nock or msw forbids it. Allow this host there.',
  ],
  [/was aborted/, 'stopped', 'The gateway stopped during the call.', 'It sends the webhook again.'],
  [
    /may not be called/,
    'not allowed',
    'This gateway does not call {host}.',
    'Use the public address of the shop.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'unknown host',
    'The host {hostname} is unknown on the machine of the gateway.',
    'Correct it, or add it to DNS.',
  ],
  [
    /ECONNREFUSED/,
    'no server',
    'No server listens at {host}.',
    'Start the shop, or correct the host and the port.',
  ],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/,
    'unreachable',
    '{host} cannot be reached.',
    'Check the address, the network and the firewall.',
  ],
  [
    /CERT|certificate|self.signed|issuer|altname/i,
    'bad certificate',
    'The certificate of {host} is not trusted.',
    'Give its authority to the gateway with --webhook-ca, or call the shop over http.',
  ],
  [
    /EPROTO|SSL|TLS/,
    'TLS failed',
    'TLS failed at {host}.',
    'Check that the port speaks TLS 1.2 or later, or call the shop over http.',
  ],
  [
    /ECONNRESET|EPIPE|hang up|aborted/,
    'connection closed',
    '{host} closed the connection before its answer was complete.',
    'See the log of the shop.',
  ],
  [
    /HPE_|Parse Error/,
    'not HTTP',
    'The answer of {host} is not valid HTTP.',
    'Check the port, and which server answers there.',
  ],
]

/**
 * Names the cause of a call without an answer.
 * @param error of the system, such as `connect ECONNREFUSED 127.0.0.1:9`
 * @param url called address
 */
export function findCause(error: string, url: string): Cause {
  if (error.startsWith('No complete answer'))
    return {
      short: 'timed out',
      sentence: `${error}.`,
      advice: 'Answer 2xx first, and do the work afterwards.',
    }
  const [, short, sentence, advice] = CAUSES.find(([pattern]) => pattern.test(error)) ?? []
  return {
    short: short ?? 'no answer',
    sentence:
      sentence
        ?.replace('{hostname}', URL.parse(url)?.hostname ?? url)
        .replace('{host}', URL.parse(url)?.host ?? url) ?? `${error}.`,
    advice: advice ?? '',
  }
}

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
 * @param url called address
 * @returns undefined after success
 */
export function explainFailure(
  { code, error, headers }: CallResult,
  url: string,
): string | undefined {
  if (code === null) {
    const { sentence, advice } = findCause(error ?? 'No answer', url)
    return `${sentence} ${advice}`.trim()
  }
  if (code >= 200 && code < 300) return undefined
  const location = headers?.location
  const subject =
    code >= 300 && code < 400 && location
      ? `Status ${code} to ${removeQuery(location)}.`
      : `Status ${code}.`
  const advice = ANSWERS.find(([pattern]) => pattern.test(String(code)))?.[1]
  return advice ? `${subject} ${advice}` : subject
}

/** The values of a query may be secrets. */
const removeQuery = (location: string) => location.replace(/[?#].*$/s, '')
