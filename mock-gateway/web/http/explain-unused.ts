import type { RequestHandler } from 'express'
import onHeaders from 'on-headers'
import { apiCallAt, noticeUnused } from '../../parsing/unused-parameters.ts'
import { exchangeOf } from './exchange.ts'
import { noticeLanguage } from './receive.ts'
import { addNotices } from './refuse.ts'
import { routeOf } from './request-facts.ts'

/**
 * Explains an unsupported locale and unused parameters. The route is only known when the response
 * is sent.
 */
export const explainUnusedParameters: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(response)
  noticeLanguage(response, 'locale', exchange.parameters.locale)
  onHeaders(response, () => {
    const route = routeOf(request)
    if (route === undefined) return
    const call = apiCallAt(request.method, route)
    addNotices(response, noticeUnused(call, exchange.parameters, exchange))
  })
  next()
}
