import type { ApiError } from '../contract/wire.ts'
import { timers } from '../domain/timers.ts'
import {
  MondidoError,
  NoAnswerError,
  refusedError,
  TimeoutError,
  UnavailableError,
} from './errors.ts'
import type { CallOptions } from './kinds.ts'

/** Answers a request: the machine's `fetch`, or a gateway in the same process. */
export type Fetch = (request: Request) => Promise<Response>

/** Settings for sending requests. */
export interface Sending {
  readonly fetch: Fetch
  /** Milliseconds until an answer is given up. */
  readonly timeout: number
  /** How often a call is repeated that may be. */
  readonly retries: number
  /** Called before a call is sent again, with the reason. */
  readonly onRetry?: ((reason: Error) => void) | undefined
}

/** Request that can be sent several times. */
export interface Outgoing {
  readonly url: string
  readonly init: RequestInit
  /** Doing it twice does no more than doing it once. */
  readonly isRepeatable: boolean
}

/** Milliseconds before the first repetition; each waits twice as long as the one before. */
const PAUSE = 100

/**
 * Sends a request. A repeatable request is sent again if no answer arrived or the gateway was
 * unavailable. A request that certainly did not arrive is always sent again.
 * @throws NoAnswerError, TimeoutError, RefusedError
 */
export async function send(
  sending: Sending,
  outgoing: Outgoing,
  options: CallOptions,
): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await sendOnce(sending, outgoing, options)
    } catch (error) {
      if (tries >= sending.retries || !mayBeRepeated(error, outgoing)) throw error
      sending.onRetry?.(error as Error)
      await timers.pause(PAUSE * 2 ** tries)
    }
  }
}

/**
 * Returns true if a request can be repeated after this error, which is not the case after a
 * timeout.
 */
function mayBeRepeated(error: unknown, { isRepeatable }: Outgoing): boolean {
  if (error instanceof TimeoutError) return false
  if (error instanceof UnavailableError) return isRepeatable
  return error instanceof NoAnswerError && (isRepeatable || wasNeverSent(error.cause))
}

const wasNeverSent = (cause: unknown): boolean => {
  const { code, cause: below } = (cause ?? {}) as {
    readonly code?: unknown
    readonly cause?: unknown
  }
  return code === 'ECONNREFUSED' || (below !== undefined && wasNeverSent(below))
}

async function sendOnce(
  { fetch, timeout }: Sending,
  { url, init }: Outgoing,
  options: CallOptions,
): Promise<Response> {
  const limit = AbortSignal.timeout(options.timeout ?? timeout)
  const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit
  const what = `${init.method} ${url}`
  let answer: Response
  try {
    // A gateway in the same process does not see the signal.
    answer = await Promise.race([
      fetch(new Request(url, { ...init, signal, redirect: 'manual' })),
      aborted(signal),
    ])
  } catch (cause) {
    if (options.signal?.aborted)
      throw new MondidoError(`${what} was aborted by its caller`, { cause })
    if (limit.aborted)
      throw new TimeoutError(`${what} got no answer in ${options.timeout ?? timeout} ms`, { cause })
    throw new NoAnswerError(`${what} got no answer: ${findReason(cause)}`, { cause })
  }
  if (answer.status >= 400) throw await refusal(answer)
  return answer
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )

/** Returns the reason of a failed `fetch`, which only the cause of its error contains. */
function findReason(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? findReason(cause) : message
}

async function refusal(answer: Response): Promise<MondidoError> {
  const text = await answer.text()
  const facts = {
    status: answer.status,
    explanation: answer.headers.get('mondido-explain') ?? undefined,
    requestId: answer.headers.get('x-request-id') ?? undefined,
  }
  const error = readError(text)
  return error
    ? refusedError(error, facts)
    : new NoAnswerError(
        `The answer is not from the gateway: status ${answer.status}: ${text.slice(0, 200)}`,
      )
}

function readError(text: string): ApiError | undefined {
  try {
    const error: Partial<ApiError> | null = JSON.parse(text)
    if (typeof error?.name === 'string' && typeof error.code === 'number')
      return { name: error.name, code: error.code, description: String(error.description) }
  } catch {
    // A page, or the words of something between here and the gateway.
  }
  return undefined
}
