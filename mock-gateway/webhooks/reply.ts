/** Answer of a target, as shown in the webhook (specification: Webhook, response). */
export interface Reply {
  /** HTTP status; null if the answer was incomplete. */
  readonly code: number | null
  /** The beginning of the body; null if there was none to read. */
  readonly body: string | null
  /** HTTP status text, such as `Not Found`. */
  readonly message: string | null
  readonly headers: Readonly<Record<string, string>> | null
  /** Reason of an incomplete answer; null otherwise. */
  readonly error: string | null
}

/** Creates the reply of a call without an answer. */
export const noReply = (error: string): Reply => ({
  code: null,
  body: null,
  message: null,
  headers: null,
  error,
})

/** Answers that are retried (specification: a 500 answer; the rest is our switch). */
export const RETRY_ON = ['500', '5xx', '5xx+network'] as const
export type RetryOn = (typeof RETRY_ON)[number]

/** Result of a call: delivered, retried later, or failed and reported. */
export type CallOutcome = 'delivered' | 'retry' | 'failed'

/** @param retryOn answers that are retried */
export function outcomeOf({ code }: Pick<Reply, 'code'>, retryOn: RetryOn = '500'): CallOutcome {
  if (code === null) return retryOn === '5xx+network' ? 'retry' : 'failed'
  if (code >= 200 && code < 300) return 'delivered'
  const isRetried = code === 500 || (retryOn !== '500' && code >= 500 && code < 600)
  return isRetried ? 'retry' : 'failed'
}
