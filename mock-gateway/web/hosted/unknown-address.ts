import type { RequestHandler } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { notFound, writeRefusal } from '../http/refuse.ts'
import { messagePage } from './message-page.ts'
import type { SendHostedPage } from './page.ts'

/** What can be done at addresses, the first that fits. */
type AllowedMethods = readonly (readonly [address: RegExp, methods: string])[]

/** Those under the payment page. */
const OF_PAYMENT_PAGE: AllowedMethods = [
  [/^\/$/, 'POST'],
  [/^\/[^/]+\/?$/, 'GET, HEAD, POST'],
  [/^\/[^/]+\/result\/?$/, 'GET, HEAD'],
]

/**
 * Last of the payment page: what it does not have is answered by a page of 404, or of 405 where
 * another method would do. Left to the API, such an address would ask a payer's browser for a
 * login, which shows a password box.
 * @throws errors.not_found (196)
 */
export const unknownAddress =
  (sendPage: SendHostedPage, all: AllowedMethods = OF_PAYMENT_PAGE): RequestHandler =>
  (request, response, next) => {
    const methods = all.find(([address]) => address.test(request.path))?.[1]
    if (methods === undefined) return notFound(request, response, next)
    // Express answers what can be done here.
    if (request.method === 'OPTIONS') return next()
    const refusal = new GatewayError('errors.not_found', {
      explain: `This address accepts only ${methods}`,
    })
    writeRefusal(response, refusal)
    response.status(405).setHeader('Allow', methods)
    return sendPage(response, messagePage(refusal, request))
  }
