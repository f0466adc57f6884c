import type { FaultCode } from '../errors/faults.ts'
import { guard } from '../log.ts'
import { createScope, type Scope } from '../scope.ts'

/** What came of a request. Without an answer the status is 0 and `failure` says why. */
export interface Answer {
  status: number
  text: string
  /** What the service explains to the integrator; empty for nothing. */
  explain: string
  failure?: FaultCode
}

interface Exchange {
  url: string
  /** What is posted; without one the request is a GET. */
  body?: URLSearchParams
  /** Milliseconds. */
  timeout: number
}

/**
 * Below this many milliseconds a failure comes from the browser or an extension, not from the
 * network.
 */
const INSTANT = 50

/**
 * Sends one request at once, in the caller's stack; never repeats it. The promise is never broken,
 * and never kept when the scope ends first. No header is set, so browsers ask no permission
 * beforehand; they label the body `application/x-www-form-urlencoded;charset=UTF-8`. Own timer in
 * place of the request's `timeout`, so that a frozen page counts too.
 */
export const exchange = ({ url, body, timeout }: Exchange, scope: Scope): Promise<Answer> =>
  new Promise((resolve) => {
    const own = createScope()
    scope.add(own.end)
    const finish = (answer: Answer) => {
      own.end()
      if (!scope.isOver) resolve(answer)
    }
    const lose = (failure: FaultCode) => finish({ status: 0, text: '', explain: '', failure })
    const isSent = guard(() => {
      const request = new XMLHttpRequest()
      const started = performance.now()
      own.timer(timeout, () => lose('network.timeout'))
      own.add(() => {
        request.onload = request.onerror = null
        request.abort()
      })
      request.onload = () => {
        const answer = guard(() => {
          const { status, responseText: text } = request
          // One by one, browsers complain about headers they may not show.
          const [, explain = ''] =
            /^mondido-explain: *(.*)/im.exec(request.getAllResponseHeaders()) || []
          return { status, text, explain }
        })
        if (answer) finish(answer)
        else lose('network.unreachable')
      }
      request.onerror = () => {
        const isInstant = performance.now() - started < INSTANT
        // Offline is no reason not to try: the service may run on the same computer.
        const instant = navigator.onLine === false ? 'network.offline' : 'network.blocked'
        lose(isInstant ? instant : 'network.unreachable')
      }
      request.open(body ? 'POST' : 'GET', url)
      request.send(body)
      return true
    })
    if (!isSent) lose('network.blocked')
  })
