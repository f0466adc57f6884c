import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { readId } from '../../domain/identifiers.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import { getExchange } from '../http/exchange.ts'
import { receiveParameters } from '../http/receive.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { ADMINISTRATOR_PAGES, listMerchantPages } from './pages.ts'
import { renderRefusal, sendView } from './parts/frame.ts'
import { redisplayOnError } from './parts/problem.ts'
import { MOVED } from './sections.ts'
import {
  beginSession,
  type Console,
  createLoginRouter,
  inEnglish,
  logAction,
  logOut,
  onlyLoggedIn,
  onlyOwnForms,
  sessionCookie,
} from './session.ts'
import {
  type ActionAnswer,
  type ConsoleRedirect,
  type ConsoleRoute,
  type ConsoleVisit,
  type FormAction,
  getVisitor,
  type MerchantVisit,
  noPage,
  noRow,
} from './visit.ts'

/**
 * Serves `/console`, all data of a merchant for people. A merchant sees its own data, the
 * administrator sees all. Without a session, the visitor gets the login page; another merchant's
 * data do not exist for the visitor (attack 116).
 */
export function createConsoleRouter(dependencies: ConsoleDependencies): Router {
  const { addresses } = dependencies
  const root = `${new URL(addresses.base).pathname.replace(/\/$/, '')}/console`
  const at: Console = { dependencies, root, cookie: sessionCookie(addresses) }
  const router = Router()
  router.use(createLoginRouter(at))
  // Unreadable input is reported on a page, to logged-in users.
  router.use(onlyLoggedIn(at), receiveParameters, inEnglish, onlyOwnForms)
  router.post('/logout', logOut(at))
  router.get('/', (_request, response) => {
    response.redirect(303, `${root}/${getVisitor(response).operator.merchantId ?? 'merchants'}`)
  })
  for (const [old, now] of Object.entries(MOVED))
    for (const path of [`/${old}`, `/:merchant/${old}`])
      router.get(path, ({ params }, response) => {
        response.redirect(301, [root, ...Object.values(params), now].join('/'))
      })
  router.get('/:merchant/transactions/:id/story', ({ params }, response) =>
    response.redirect(301, `${root}/${params.merchant}/transactions/${params.id}`),
  )
  // The administrator's paths come before ids of merchants.
  serve(at, router, '', ADMINISTRATOR_PAGES, enterAll)
  serve(at, router, '/:merchant', listMerchantPages(dependencies), enterMerchant)
  router.use(() => {
    throw noPage()
  })
  router.use(refusedOnPage(at))
  return router
}

/** Checks access to a page. @throws errors.not_found (196) without access */
type Enter<Of extends ConsoleVisit> = (visit: ConsoleVisit) => Promise<Of>

/** Requires the administrator, for pages about all merchants. */
async function enterAll(visit: ConsoleVisit): Promise<ConsoleVisit> {
  if (visit.operator.merchantId === undefined) return visit
  throw noPage()
}

/** Opens a merchant's pages; from here on the request belongs to the merchant, as after a login. */
async function enterMerchant(visit: ConsoleVisit): Promise<MerchantVisit> {
  const { operator, named, dependencies, response, root } = visit
  const id = readId(named.merchant ?? '')
  const administrator = operator.merchantId === undefined
  const isOwn = administrator || operator.merchantId === id
  const merchant = id !== undefined && isOwn ? await dependencies.authenticator.find(id) : undefined
  if (!merchant) throw administrator && id !== undefined ? noRow('merchant', String(id)) : noPage()
  Object.assign(getExchange(response), { merchant, loggedIn: true, administrator })
  return { ...visit, merchant, home: `${root}/${merchant.id}` }
}

/** Serves pages and forms to their permitted viewers. @param base prefix of the paths */
function serve<Of extends ConsoleVisit>(
  at: Console,
  router: Router,
  base: string,
  routes: readonly ConsoleRoute<Of>[],
  enter: Enter<Of>,
): void {
  const { dependencies, root } = at
  const enterRoute = (request: Request, response: Response): Promise<Of> => {
    const { parameters } = getExchange(response)
    const named = request.params as Readonly<Record<string, string>>
    return enter({
      ...{ response, ...getVisitor(response), session: at.cookie.getToken(request) },
      ...{ dependencies, db: dependencies.database.db, root, home: root },
      ...{ parameters, fields: readFields(parameters), named, id: readId(named.id ?? '') },
    })
  }
  const pages = routes.filter((route) => 'show' in route)
  for (const page of pages)
    router.get(base + page.path, async (request, response) => {
      const visit = await enterRoute(request, response)
      await sendAnswer(at, visit, await page.show(visit))
    })
  const actions = routes.filter((route) => 'act' in route)
  for (const action of actions) {
    router.post(base + action.path, async (request, response) => {
      const visit = await enterRoute(request, response)
      const answer = await carryOut(action, visit)
      logAction(at.dependencies.logger, request, response, visit.operator)
      await sendAnswer(at, visit, answer)
    })
    // A GET of a form's address, such as a reload, leads to the page of the form.
    router.get(base + action.path, async (request, response) => {
      await enterRoute(request, response)
      response.redirect(303, at.root + wayUp(request))
    })
  }
}

/** Browsers send line breaks as two characters (HTML, form submission). */
const readFields = ({ form_token: _token, ...fields }: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value,
    ]),
  )

const carryOut = <Of extends ConsoleVisit>(
  { act, again }: FormAction<Of>,
  visit: Of,
): Promise<ActionAnswer> =>
  again
    ? redisplayOnError(
        visit,
        () => act(visit),
        async (problem) => again(visit, problem),
      )
    : act(visit)

async function sendAnswer(
  at: Console,
  { response, home, operator }: ConsoleVisit,
  answer: ActionAnswer,
): Promise<void> {
  if (typeof answer === 'function') answer(response)
  else if ('title' in answer) await sendView(at, response, answer)
  else {
    if (answer.newSession) await beginSession(at, response.req, response, operator)
    response.redirect(303, home + wayOnward(answer))
  }
}

const wayOnward = ({ to, done, count }: ConsoleRedirect): string =>
  `${to}${to.includes('?') ? '&' : '?'}done=${done}${count === undefined ? '' : `&count=${count}`}`

/** Turns `/1/clock/advance` into `/1/clock`. */
const wayUp = ({ path }: Request): string => path.replace(/\/[^/]*\/?$/, '')

/**
 * Shows an error as a page with the merchant's menu, to logged-in users; unexpected errors are
 * handled as elsewhere.
 */
const refusedOnPage =
  (at: Console): ErrorRequestHandler =>
  async (error, _request, response, next) => {
    const refusal = asGatewayError(error)
    if (response.headersSent || refusal.http === 500 || !response.locals.visitor) return next(error)
    writeRefusal(response, refusal)
    const { merchantId } = getVisitor(response).operator
    const merchant =
      getExchange(response).merchant ??
      (merchantId === undefined ? undefined : await at.dependencies.authenticator.find(merchantId))
    const home = merchant && `${at.root}/${merchant.id}`
    await sendView(at, response, renderRefusal(refusal, at.root, home), merchant)
  }
