import type { RequestHandler } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { notFound, writeRefusal } from '../http/refuse.ts'
import { messagePage } from './message-page.ts'
import type { SendHostedPage } from './page.ts'

/** Allowed methods by address; the first match counts. */
type AllowedMethods = readonly (readonly [address: RegExp, methods: string])[]

/** Addresses below the payment page. */
const OF_PAYMENT_PAGE: AllowedMethods = [
  [/^\/$/, 'POST'],
  [/^\/[^/]+\/?$/, 'GET, HEAD, POST'],
  [/^\/[^/]+\/result\/?$/, 'GET, HEAD'],
]

/**
 * Answers unknown addresses of the payment page with a 404 page, or 405 if another method is
 * allowed. Otherwise the API would request a login, and the payer's browser would show a password
 * prompt.
 * @throws errors.not_found (196)
 */
export const unknownAddress =
  (sendPage: SendHostedPage, all: AllowedMethods = OF_PAYMENT_PAGE): RequestHandler =>
  (request, response, next) => {
    const methods = all.find(([address]) => address.test(request.path))?.[1]
    if (methods === undefined) return notFound(request, response, next)
    // Express answers with the allowed methods.
    if (request.method === 'OPTIONS') return next()
    const refusal = new GatewayError('errors.not_found', {
      explain: `This address accepts only ${methods}.`,
    })
    writeRefusal(response, refusal)
    response.status(405).setHeader('Allow', methods)
    return sendPage(response, messagePage(refusal, request))
  }
