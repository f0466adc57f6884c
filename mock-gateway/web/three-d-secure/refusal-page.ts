import type { ErrorRequestHandler } from 'express'
import { errorBody } from '../../domain/errors/errors.ts'
import { exchangeOf } from '../http/exchange.ts'
import { noteLocale } from '../http/page-locale.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import type { BankPage, SendBankPage } from './page.ts'
import { messageView } from './views/message.ts'

/**
 * Data of an error page, in `response.locals.refused`: the link to continue, and the origins that
 * may frame the page.
 */
interface RefusedAuthentication extends Pick<BankPage, 'row' | 'merchant'> {
  readonly continue_url?: string
}

/** Answers people with a page and a link to continue, and robots with the error's JSON. */
export const refusalPage =
  (sendPage: SendBankPage): ErrorRequestHandler =>
  (error, request, response, next) => {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected' || response.headersSent) return next(error)
    writeRefusal(response, refusal)
    noteLocale(request, response)
    const { locale } = exchangeOf(response)
    if (request.accepts(['html', 'json']) === 'json')
      return void response.json(errorBody(refusal.entry, locale))
    const { continue_url, row, merchant } = (response.locals.refused ?? {}) as RefusedAuthentication
    return sendPage(response, { view: messageView(refusal.entry, continue_url), row, merchant })
  }
