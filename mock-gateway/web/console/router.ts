import { type ErrorRequestHandler, Router } from 'express'
import { receiveParameters } from '../http/receive.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import { type Console, openConsole } from './console.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { refusalView } from './parts/frame.ts'
import { MOVED } from './sections.ts'
import { pagesRouter } from './serve.ts'
import { inEnglish, loginRouter, logOut, onlyLoggedIn, onlyOwnForms } from './session.ts'
import { noPage } from './visit.ts'
import { createViewerContext, createVisitor } from './visitor.ts'

/**
 * Serves `/console`, all data of a merchant for people. A merchant sees its own data, the
 * administrator sees all. Without a session, the visitor gets the login page; another merchant's
 * data do not exist for the visitor (attack 116).
 */
export function consoleRouter(dependencies: ConsoleDependencies): Router {
  const at = openConsole(dependencies)
  const router = Router()
  router.use(loginRouter(at))
  // Unreadable input is reported on a page, to logged-in users.
  router.use(onlyLoggedIn(at), receiveParameters, inEnglish, onlyOwnForms(at))
  router.post('/logout', logOut(at))
  router.get('/', (_request, response) => {
    response.redirect(
      303,
      `${at.root}/${createVisitor(response).operator.merchantId ?? 'merchants'}`,
    )
  })
  for (const [old, now] of Object.entries(MOVED))
    for (const path of [`/${old}`, `/:merchant/${old}`])
      router.get(path, ({ params }, response) => {
        response.redirect(301, [at.root, ...Object.values(params), now].join('/'))
      })
  router.get('/:merchant/transactions/:id/story', ({ params }, response) =>
    response.redirect(301, `${at.root}/${params.merchant}/transactions/${params.id}`),
  )
  router.use(pagesRouter(at))
  router.use(() => {
    throw noPage()
  })
  router.use(refusedOnPage(at))
  return router
}

/**
 * Shows an error as a page with the merchant's menu, to logged-in users; unexpected errors are
 * handled as elsewhere.
 */
const refusedOnPage =
  ({ send, dependencies, root }: Console): ErrorRequestHandler =>
  async (error, _request, response, next) => {
    const refusal = asGatewayError(error)
    if (response.headersSent || refusal.http === 500 || !response.locals.visitor) return next(error)
    writeRefusal(response, refusal)
    const onlooker = createViewerContext(response)
    const { merchantId } = onlooker.operator
    const own =
      merchantId === undefined ? undefined : await dependencies.authenticator.find(merchantId)
    const merchant = onlooker.merchant ?? own
    const home = merchant && `${root}/${merchant.id}`
    await send(response, refusalView(refusal, root, home), { ...onlooker, merchant })
  }
