import type { ErrorRequestHandler } from 'express'
import { errorBody } from '../../domain/errors.ts'
import { exchangeOf } from '../http/exchange.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import type { SendPage } from './page.ts'

/** A person sees a page with the way on, a robot the triple of the catalogue. */
export const refusalPage =
  (sendPage: SendPage): ErrorRequestHandler =>
  (error, request, response, next) => {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected' || response.headersSent) return next(error)
    writeRefusal(response, refusal)
    const { locale } = exchangeOf(response)
    if (request.accepts(['html', 'json']) === 'json') return void response.json(errorBody(refusal.entry, locale))
    const { continue_url = null } = response.locals
    return sendPage(response, {
      view: 'message',
      data: { error: { sv: refusal.entry.sv, en: refusal.entry.en }, error_name: refusal.entry.name, continue_url },
    })
  }
