/** What came back from a target, as the webhook shows it (specification: Webhook, response). */
export interface Reply {
  /** Status of HTTP; null when there was no whole answer. */
  readonly code: number | null
  /** The beginning of the body; null when there was none to read. */
  readonly body: string | null
  /** What HTTP says beside the status, such as `Not Found`. */
  readonly message: string | null
  readonly headers: Readonly<Record<string, string>> | null
  /** Why there was no whole answer; null when there was one. */
  readonly error: string | null
}

/** Nothing came back. */
export const noReply = (error: string): Reply => ({
  code: null,
  body: null,
  message: null,
  headers: null,
  error,
})

/** Which answers are tried again (specification: a 500 answer; the rest is our switch). */
export const RETRY_ON = ['500', '5xx', '5xx+network'] as const
export type RetryOn = (typeof RETRY_ON)[number]

/** What follows from a reply: it is done, there is another try, or somebody is told at once. */
export type CallOutcome = 'delivered' | 'retry' | 'failed'

/** @param retryOn which answers are tried again */
export function outcomeOf({ code }: Pick<Reply, 'code'>, retryOn: RetryOn = '500'): CallOutcome {
  if (code === null) return retryOn === '5xx+network' ? 'retry' : 'failed'
  if (code >= 200 && code < 300) return 'delivered'
  const isRetried = code === 500 || (retryOn !== '500' && code >= 500 && code < 600)
  return isRetried ? 'retry' : 'failed'
}
