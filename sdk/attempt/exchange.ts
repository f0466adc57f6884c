import type { FaultCode } from '../errors/faults.ts'
import type { Scope } from '../scope.ts'

/** What came of a request. Without an answer the status is 0 and `failure` says why. */
export interface Answer {
  status: number
  text: string
  /** What the service explains to the integrator; empty for nothing. */
  explain: string
  failure?: FaultCode
}

interface Exchange {
  method: 'GET' | 'POST'
  url: string
  body?: URLSearchParams
  /** Milliseconds. */
  timeout: number
}

/** Below this many milliseconds a failure comes from the browser or an extension, not from the network. */
const INSTANT = 50

/** Sends one request at once, in the caller's stack; never repeats it. The promise is never kept when the scope ends
 * first. No header is set, so browsers ask no permission beforehand; they label the body
 * `application/x-www-form-urlencoded;charset=UTF-8`. Own timer in place of the request's `timeout`, so that a frozen page
 * counts too. */
export function exchange({ method, url, body, timeout }: Exchange, scope: Scope): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const started = performance.now()
    const stop = () => {
      request.onload = request.onerror = null
      request.abort()
    }
    const finish = (failure?: FaultCode) => {
      stopTimer()
      const { status, responseText: text } = request
      // One by one, browsers complain about headers they may not show.
      const [, explain = ''] = /^mondido-explain: *(.*)/im.exec(request.getAllResponseHeaders()) ?? []
      if (!scope.isOver) resolve(failure ? { status: 0, text: '', explain, failure } : { status, text, explain })
      stop()
    }
    const stopTimer = scope.timer(timeout, () => finish('network.timeout'))
    scope.add(stop)
    request.onload = () => finish()
    request.onerror = () => {
      const isInstant = performance.now() - started < INSTANT
      // Offline is no reason not to try: the service may run on the same computer.
      const instant = navigator.onLine === false ? 'network.offline' : 'network.blocked'
      finish(isInstant ? instant : 'network.unreachable')
    }
    request.open(method, url)
    request.send(body)
  })
}
