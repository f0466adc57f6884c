import { type Request, type RequestHandler, type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Operator } from '../../merchants/sessions.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { getExchange } from '../http/exchange.ts'
import { receiveParameters } from '../http/receive.ts'
import type { Console } from './console.ts'
import { formToken, isFormToken } from './form-token.ts'
import { logAction } from './log-action.ts'
import { answerLogin, showLogin } from './login.ts'

/** Starts a new session in this browser; an earlier one is not reused (attack 49). */
export async function beginSession(
  { dependencies, cookie }: Console,
  request: Request,
  response: Response,
  operator: Operator,
): Promise<void> {
  await dependencies.sessions.end(cookie.read(request) ?? '')
  cookie.set(response, await dependencies.sessions.begin(operator))
}

/** Serves `/login`. */
export function loginRouter(at: Console): Router {
  const { dependencies, root } = at
  const router = Router()
  router.get('/login', receiveParameters, inEnglish, (_request, response) =>
    showLogin(response, dependencies, root),
  )
  router.post('/login', receiveParameters, inEnglish, (request, response) =>
    answerLogin(request, response, dependencies, root, async (operator, to) => {
      await beginSession(at, request, response, operator)
      logAction(dependencies.logger, request, response, operator)
      response.redirect(303, to)
    }),
  )
  // A link created by the control API, for `mondido-gateway open`.
  router.head('/enter', inEnglish, (_request, response) => {
    // The preview of a chat must not use up the link.
    response.redirect(303, `${root}/login`)
  })
  router.get('/enter', receiveParameters, inEnglish, async (request, response) => {
    const operator = await dependencies.sessions.useTicket(
      text(getExchange(response).parameters, 'ticket') ?? '',
    )
    if (!operator) return void response.redirect(303, `${root}/login`)
    await beginSession(at, request, response, operator)
    logAction(dependencies.logger, request, response, operator)
    response.redirect(303, root)
  })
  return router
}

/** Redirects to the login before anything of the request is read. */
export const onlyLoggedIn =
  ({ dependencies, cookie, root }: Console): RequestHandler =>
  async (request, response, next) => {
    const token = cookie.read(request) ?? ''
    const operator = await dependencies.sessions.find(token)
    if (!operator) return void response.redirect(303, wayToLogin(request, root))
    response.locals.visitor = { operator, formToken: formToken(token) }
    next()
  }

/** Rejects forms that no page of this session has sent (attack 47): errors.unauthorized. */
export const onlyOwnForms =
  ({ cookie }: Console): RequestHandler =>
  (request, response, next) => {
    const sent = text(getExchange(response).parameters, 'form_token') ?? ''
    if (request.method === 'POST' && !isFormToken(sent, cookie.read(request) ?? ''))
      throw new GatewayError('errors.unauthorized', {
        explain: 'The form does not belong to this session. Open its page again.',
      })
    next()
  }

/** Handles `POST /logout`. */
export const logOut =
  ({ dependencies, cookie, root }: Console): RequestHandler =>
  async (request, response) => {
    const token = cookie.read(request) ?? ''
    await dependencies.sessions.end(token)
    dependencies.audiences.leave(token)
    cookie.clear(response)
    response.redirect(303, `${root}/login`)
  }

/** Explanations are in English, like the console (our decision). */
export const inEnglish: RequestHandler = (_request, response, next) => {
  getExchange(response).locale = 'en'
  next()
}

/**
 * Returns the address of the login page, which leads to the requested page afterwards. A form is
 * not sent again.
 */
function wayToLogin({ method, url }: Request, root: string): string {
  if (method !== 'GET') return `${root}/login`
  return `${root}/login?${new URLSearchParams({ to: root + (url === '/' ? '' : url) })}`
}
