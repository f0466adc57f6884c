import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { Operator } from '../../merchants/sessions.ts'
import { text } from '../../requests/parameters/parameters.ts'
import { exchangeOf } from '../http/exchange.ts'
import { receiveParameters } from '../http/receive.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import { sendHtml } from '../pages/page.ts'
import { sessionCookie } from './cookie.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { formToken, isFormToken } from './form-token.ts'
import { CONSOLE_HEADERS, type Onlooker, refusalView, type SendView, viewSender } from './frame.ts'
import { answerLogin, showLogin } from './login.ts'
import { noteAct } from './note-act.ts'
import {
  ADMINISTRATOR_ACTS,
  ADMINISTRATOR_PAGES,
  MERCHANT_ACTS,
  MERCHANT_PAGES,
  SANDBOX_ACTS,
  SANDBOX_PAGES,
} from './pages.ts'
import { type Act, type File, type MerchantVisit, noPage, type Onward, type Page, type Visit } from './visit.ts'

/**
 * `/console`: everything of a merchant for people. A merchant sees its own, the administrator that of all. Whoever is not
 * logged in is asked to; what is not somebody's own is not there (attack 116).
 */
export function consoleRouter(dependencies: ConsoleDependencies): Router {
  const root = `${new URL(dependencies.addresses.base).pathname.replace(/\/$/, '')}/console`
  const cookie = sessionCookie(dependencies.addresses)
  const hasSandbox = dependencies.controlKey !== undefined
  const send = viewSender(dependencies.render, root, hasSandbox)
  const router = Router()

  async function begin(request: Request, response: Response, operator: Operator) {
    // A session of before is not the new one's (attack 49).
    await dependencies.sessions.end(cookie.read(request) ?? '')
    cookie.set(response, await dependencies.sessions.begin(operator))
  }

  router.get('/login', receiveParameters, inEnglish, (_request, response) => showLogin(response, dependencies, root))
  router.post('/login', receiveParameters, inEnglish, (request, response) =>
    answerLogin(request, response, dependencies, root, async (operator, to) => {
      await begin(request, response, operator)
      noteAct(dependencies.logger, request, response, operator)
      response.redirect(303, to)
    }),
  )

  // Strangers are sent away before anything is read of them; what somebody has sent that cannot be read is told on a page.
  router.use(async (request, response, next) => {
    const token = cookie.read(request) ?? ''
    const operator = await dependencies.sessions.find(token)
    if (!operator) return void response.redirect(303, wayToLogin(request, root))
    response.locals.visitor = { operator, formToken: formToken(token) }
    next()
  })
  router.use(receiveParameters, inEnglish)
  router.use((request, response, next) => {
    const sent = text(exchangeOf(response).parameters, 'form_token') ?? ''
    if (request.method === 'POST' && !isFormToken(sent, cookie.read(request) ?? ''))
      throw new GatewayError('errors.unauthorized', {
        explain: 'No page of this session has sent the form; open it anew',
      })
    next()
  })
  router.post('/logout', async (request, response) => {
    await dependencies.sessions.end(cookie.read(request) ?? '')
    cookie.clear(response)
    response.redirect(303, `${root}/login`)
  })
  router.get('/', (_request, response) => {
    response.redirect(303, `${root}/${visitorOf(response).operator.merchantId ?? 'merchants'}`)
  })

  const visitOf = (request: Request, response: Response): Visit => ({
    response,
    operator: visitorOf(response).operator,
    dependencies: dependencies,
    root,
    parameters: exchangeOf(response).parameters,
    named: request.params as Readonly<Record<string, string>>,
  })

  /** @throws errors.not_found (196) for who is not the administrator */
  async function ofAll(request: Request, response: Response): Promise<Visit> {
    const visit = visitOf(request, response)
    if (visit.operator.merchantId === undefined) return visit
    throw noPage()
  }

  /** From here on the request is its merchant's, as after a login. @throws errors.not_found (196) for other merchants */
  async function ofMerchant(request: Request, response: Response): Promise<MerchantVisit> {
    const visit = visitOf(request, response)
    const id = readId(visit.named.merchant ?? '')
    const isOwn = visit.operator.merchantId === undefined || visit.operator.merchantId === id
    const merchant = id !== undefined && isOwn ? await dependencies.authenticator.find(id) : undefined
    if (!merchant) throw noPage()
    const administrator = visit.operator.merchantId === undefined
    Object.assign(exchangeOf(response), { merchant, loggedIn: true, administrator })
    return { ...visit, merchant, home: `${root}/${merchant.id}` }
  }

  function serve<Of extends Visit>({ at, pages, acts, enter }: Served<Of>, homeOf: (visit: Of) => string) {
    for (const { path, section, show } of pages)
      router.get(at + path, async (request, response) => {
        const shown = await show(await enter(request, response))
        if ('content' in shown) sendFile(response, shown)
        else if ('html' in shown) sendHtml(response, shown.html, { policy: shown.policy, headers: CONSOLE_HEADERS })
        else await send(response, shown, onlookerOf(response, section))
      })
    for (const { path, section, act } of acts) {
      router.post(at + path, async (request, response) => {
        const visit = await enter(request, response)
        const done = await act(visit)
        noteAct(dependencies.logger, request, response, visit.operator)
        if ('view' in done) return send(response, done, onlookerOf(response, section))
        if (done.newSession) await begin(request, response, visit.operator)
        response.redirect(303, homeOf(visit) + wayOnward(done))
      })
      // Who opens the address anew where a form was answered comes to what the form is about.
      router.get(at + path, async (request, response) => {
        await enter(request, response)
        response.redirect(303, root + wayUp(request))
      })
    }
  }
  serve({ at: '', pages: ADMINISTRATOR_PAGES, acts: ADMINISTRATOR_ACTS, enter: ofAll }, () => root)
  const ofOne = { at: '/:merchant', enter: ofMerchant }
  serve({ ...ofOne, pages: MERCHANT_PAGES, acts: MERCHANT_ACTS }, ({ home }) => home)
  if (hasSandbox) serve({ ...ofOne, pages: SANDBOX_PAGES, acts: SANDBOX_ACTS }, ({ home }) => home)

  router.use(() => {
    throw noPage()
  })
  router.use(refusedOnPage(send))
  return router
}

const wayOnward = ({ to, done, count }: Onward): string =>
  `${to}${to.includes('?') ? '&' : '?'}done=${done}${count === undefined ? '' : `&count=${count}`}`

/** `/1/clock` of `/1/clock/advance`. */
const wayUp = ({ path }: Request): string => path.replace(/\/[^/]*\/?$/, '')

/** Pages that are entered in the same way. */
interface Served<Of extends Visit> {
  /** What their paths begin with. */
  readonly at: string
  readonly pages: readonly Page<Of>[]
  readonly acts: readonly Act<Of>[]
  enter(request: Request, response: Response): Promise<Of>
}

/** Who is logged in. */
interface Visitor {
  readonly operator: Operator
  readonly formToken: string
}

declare global {
  namespace Express {
    interface Locals {
      visitor?: Visitor
    }
  }
}

/** @throws TypeError when the route stands before the login */
function visitorOf(response: Response): Visitor {
  const { visitor } = response.locals
  if (!visitor) throw new TypeError('This page stands before the login')
  return visitor
}

const onlookerOf = (response: Response, section?: string): Onlooker => ({
  ...visitorOf(response),
  merchant: exchangeOf(response).merchant,
  section,
})

/** Explanations are in English, as the console is (our decision). */
const inEnglish: RequestHandler = (_request, response, next) => {
  exchangeOf(response).locale = 'en'
  next()
}

/** A page that was asked for is shown after the login; a form is not sent again. */
const wayToLogin = ({ method, url }: Request, root: string): string =>
  `${root}/login${method === 'GET' ? `?${new URLSearchParams({ to: root + (url === '/' ? '' : url) })}` : ''}`

function sendFile(response: Response, { name, type, content }: File) {
  response.setHeader('Cache-Control', 'no-store, private')
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`)
  response.setHeader('Content-Type', type)
  response.send(content)
}

/** A refusal as a page, for who is logged in; what nobody foresaw is answered as everywhere. */
const refusedOnPage =
  (send: SendView): ErrorRequestHandler =>
  async (error, _request, response, next) => {
    const refusal = asGatewayError(error)
    if (response.headersSent || refusal.http === 500 || !response.locals.visitor) return next(error)
    writeRefusal(response, refusal)
    await send(response, refusalView(refusal), onlookerOf(response))
  }
