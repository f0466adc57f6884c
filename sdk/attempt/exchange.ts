import { guard } from '../log.ts'
import { createScope, type Scope } from '../scope.ts'
import type { FaultCode } from '../types.ts'

/** Result of a request. Without an answer the status is 0 and `failure` contains the reason. */
export interface Answer {
  status: number
  text: string
  /** The service's explanation for the integrator, or empty. */
  explain: string
  failure?: FaultCode
}

interface Exchange {
  url: string
  /** Body of a POST; without one the request is a GET. */
  body?: URLSearchParams
  /** Milliseconds. */
  timeout: number
}

/** A failure within so many milliseconds comes from the browser or an extension. */
const INSTANT = 50

/**
 * Sends one request synchronously, and never repeats it. The promise never rejects, and stays
 * pending if the scope ends first. No header is set, so browsers send no preflight request; they
 * label the body `application/x-www-form-urlencoded;charset=UTF-8`. An own timer replaces the
 * request's `timeout`, so that the time of a frozen page counts too.
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
          // Read singly: browsers log an error for each header they may not expose.
          const [, explain = ''] =
            /^mondido-explain: *(.*)/im.exec(request.getAllResponseHeaders()) || []
          return { status, text, explain }
        })
        if (answer) finish(answer)
        else lose('network.unreachable')
      }
      request.onerror = () => {
        const isInstant = performance.now() - started < INSTANT
        // Offline requests are tried too: the service may run on the same computer.
        const instant = navigator.onLine === false ? 'network.offline' : 'network.blocked'
        lose(isInstant ? instant : 'network.unreachable')
      }
      request.open(body ? 'POST' : 'GET', url)
      request.send(body)
      return true
    })
    if (!isSent) lose('network.blocked')
  })
