import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkAnswer, readAnswer } from './contract.ts'

const CHANNEL = 'http.server.request.start'

/**
 * Checks all answers of gateways in this process against the contract, also answers to browsers and
 * raw sockets.
 * @returns a function that ends the check, and throws if an answer contradicted the contract
 */
export function checkServed(): () => void {
  const problems: unknown[] = []
  const watch = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    // Routers of Express shorten `request.url`, so it is read before.
    const { method = '', url = '' } = request
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
    let body = ''
    // Every answer of the gateway is sent with one call.
    response.end = (...args: unknown[]) => {
      if (typeof args[0] === 'string' || Buffer.isBuffer(args[0])) body = args[0].toString()
      return end(...args)
    }
    response.once('finish', () => {
      const headers = new Headers(
        Object.entries(response.getHeaders()).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
      )
      // Only answers of the gateway have this mark, not those of shops in the tests.
      if (!headers.has('x-request-id')) return
      try {
        checkAnswer(method, url, response.statusCode, headers, readAnswer(headers, body))
      } catch (problem) {
        problems.push(problem)
      }
    })
  }
  subscribe(CHANNEL, watch)
  return () => {
    unsubscribe(CHANNEL, watch)
    if (problems.length > 0) throw problems[0]
  }
}
