import { exchange } from '../attempt/exchange.ts'
import { post, watchPolicy, whenSettled } from '../attempt/send.ts'
import { isApiError, type Refusal } from '../attempt/verdict.ts'
import { randomBytes, toHex } from '../crypto/rsa.ts'
import type { Pair } from '../form/snapshot.ts'
import { parseJson } from '../json.ts'
import type { Attempt, Bank, Payload } from '../state.ts'
import { createFallbackChain } from './fallback-chain.ts'

/**
 * Milliseconds between two status requests. They detect results without a message, for example of a
 * window that a Cross-Origin-Opener-Policy has cut off: it seems to be closed and is not.
 */
const LOOK = 1_500

/** Milliseconds until the first status request: most results arrive as a message. */
const FIRST_LOOK = 4_000

/** Status requests without a payer until a window that seems closed counts as closed. */
const MISSES = 3

/** Unanswered status requests until the service is unreachable: at most ten seconds. */
const SILENCE = 4

/**
 * @param mayOpen whether this is the stack of the payer's click, where browsers let a page open one
 * window
 */
export function createBank(attempt: Attempt, mayOpen: boolean): Bank {
  const { timeouts, mpi, mpiOrigins, mpiSize } = attempt.settings
  const nonce = toHex(randomBytes(16))
  // The bank's page reads the size of its window from this field.
  const name = `mpiwindow${nonce}-${mpiSize.width}x${mpiSize.height}`
  let tellCancelled = (): unknown => undefined
  const chain = createFallbackChain(attempt, name, mayOpen, () => tellCancelled())
  const { scope, page, isFrame, stop, close, present, showBank, untilShut } = chain

  const tooLate = (): void => stop('timeout', 'mpi.timeout')

  async function ask(payload: Payload): Promise<Payload | Refusal> {
    const { mpiUrl: url = '', fields } = payload
    const hosted = { ...payload, url: new URL('form', url).href, isForm: true }
    if (mpi === 'redirect') return hosted
    const origins = mpiOrigins.length ? mpiOrigins : [new URL(url).origin]
    const about = new URLSearchParams(
      fields.filter(([key]) => key === 'merchant_id') as [string, string][],
    )
    const address = `${url}/${nonce}`
    let misses = 0
    let isClosed = false
    let resolve = (_given: Payload | Refusal): void => {}

    async function look(): Promise<void> {
      const { status, text } = await exchange(
        { url: `${address}?${about}`, timeout: timeouts.status },
        scope,
      )
      const found = status === 200 ? readAuthentication(text, nonce) : undefined
      take(found)
      const isGone = isClosed && (status === 404 || (found?.kind === 'pending' && found.isGone))
      // The browser shows no page in a frame if the bank's policy forbids the frame.
      const isEmpty = isFrame() && found?.kind === 'pending' && found.isGone
      misses = isGone || isEmpty || !found ? misses + 1 : 0
      if (isGone && misses >= MISSES) stop('closed', 'mpi.closed')
      else if (misses === SILENCE) stop('timeout', isEmpty ? 'mpi.blocked' : 'mpi.unreachable')
    }

    function take(found: Authentication | undefined, isMessage = false): void {
      if (scope.isOver || !found) return
      if (found.kind === 'pending') {
        if (found.isAsked) showBank()
      } else if (found.kind === 'failed') {
        stop('completed', 'mpi.failed', { error: found.error }, found.error)
      } else if (found.kind === 'refused' || found.fields.length) {
        close('completed')
        resolve(
          found.kind === 'refused' ? found : { ...payload, fields: [...fields, ...found.fields] },
        )
      } else if (isMessage) look()
      else stop('completed', 'mpi.protocol')
    }

    async function watchWindow(): Promise<void> {
      await untilShut()
      await scope.pause(timeouts.closeGrace)
      isClosed = true
    }

    async function keepLooking(): Promise<never> {
      await Promise.race([watchWindow(), scope.pause(FIRST_LOOK)])
      for (;;) {
        await look()
        await scope.pause(LOOK)
      }
    }

    return chain.run(async () => {
      scope.timer(timeouts.mpi, async () => {
        await look()
        if (!scope.isOver) tooLate()
      })
      await present()
      scope.listen(window, 'message', (event) => {
        const { origin, source, data } = event as MessageEvent
        if (origins.includes(origin) && source && source === page())
          take(readAuthentication(data, nonce), true)
      })
      watchPolicy(scope, url, 'form-action', ({ details }) =>
        stop('blocked', 'mpi.csp', details.facts),
      )
      watchPolicy(scope, url, 'frame-src', ({ details }) => {
        const canLeave = top === self && fields.some(([key]) => key === 'success_url')
        if (!canLeave) return stop('blocked', 'mpi.csp', details.facts)
        close('blocked')
        resolve(hosted)
      })
      tellCancelled = () => navigator.sendBeacon(`${address}/cancel`, about)
      post({ url, fields: [...fields, ['mpi_nonce', nonce]] }, { target: name })
      const answer = new Promise<Payload | Refusal>((keep) => {
        resolve = keep
      })
      return Promise.race([answer, keepLooking()])
    })
  }

  const visit: Bank['visit'] = (href, askNow) =>
    chain.run(async () => {
      showBank()
      scope.timer(timeouts.mpi, tooLate)
      await present()
      const shown = page()
      if (shown) shown.location.href = href
      untilShut()
      for (let misses = 0; ; ) {
        await scope.pause(LOOK)
        const found = await askNow()
        const settled = whenSettled(found)
        misses = found ? 0 : misses + 1
        // Each of these needs several status requests.
        if (misses === SILENCE / 2) stop('timeout', 'mpi.unreachable')
        if (!settled) continue
        close('completed')
        return settled
      }
    })

  return { ...chain, ask, visit }
}

/**
 * State of an authentication: pending, passed, failed, or rejected by the service. `isAsked`: the
 * bank has started a challenge. `isGone`: the payer has no page of the bank open.
 */
export type Authentication =
  | { kind: 'pending'; isGone: boolean; isAsked: boolean }
  /** The fields to send with the payment; empty if the message has no reference. */
  | { kind: 'passed'; fields: readonly Pair[] }
  /** Failure, with the service's error name if it sent one. */
  | { kind: 'failed'; error: string | undefined }
  /** The service rejects every payment like this, from any payer. */
  | Refusal

/**
 * Reads the message of a window, JSON text or object, or the answer of the status request. Returns
 * undefined for anything else, and for another authentication.
 */
export function readAuthentication(data: unknown, nonce: string): Authentication | undefined {
  const answer: Record<string, unknown> = Object(typeof data === 'string' ? parseJson(data) : data)
  const { event, status, success, error, mpi_ref: ref, eci, provider_ref } = answer
  if (event !== 'mpi' || answer.nonce !== nonce) return undefined
  if (status === 'pending') {
    return { kind: 'pending', isGone: answer.at_bank === false, isAsked: !!answer.challenge }
  }
  if (success === false) {
    const refusal = { ...answer, name: error }
    // Errors of the payer or of the payer's bank, which are not errors of the payment.
    const isOfPayer = /^errors\.(mpi|payment\.|transaction\.timeout)/.test(String(error))
    if (!isOfPayer && isApiError(refusal)) return { kind: 'refused', error: refusal, status: 0 }
    return { kind: 'failed', error: typeof error === 'string' ? error : undefined }
  }
  if (success !== true) return undefined
  // A payment calls it ref, the bank's answer mpi_ref (observed: 3-D Secure in the browser).
  const fields = Object.entries({ ref, eci, provider_ref })
    .map(([name, value]): Pair => [name, String(value ?? '')])
    .filter(([, value]) => value)
  return { kind: 'passed', fields: ref ? fields : [] }
}
