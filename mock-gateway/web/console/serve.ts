import { type Request, type Response, Router } from 'express'
import { sendHtml } from '../pages/page.ts'
import type { Console } from './console.ts'
import { type Enter, enterAll, enterMerchant } from './enter.ts'
import { logAction } from './log-action.ts'
import { PARTS, type PartPages } from './pages.ts'
import { CONSOLE_HEADERS } from './parts/frame.ts'
import { redisplayOnError } from './parts/problem.ts'
import { beginSession } from './session.ts'
import type {
  ConsoleFile,
  ConsolePage,
  ConsoleRedirect,
  ConsoleVisit,
  FormAction,
} from './visit.ts'
import { createViewerContext } from './visitor.ts'

/**
 * Serves all pages and forms to their permitted viewers. The administrator's paths come before ids
 * of merchants.
 */
export function pagesRouter(at: Console): Router {
  const router = Router()
  for (const { administrator } of PARTS)
    serve(at, router, '', administrator, enterAll(at), () => at.root)
  const enter = enterMerchant(at)
  for (const { merchant, sandbox, localSandbox } of PARTS) {
    serve(at, router, '/:merchant', merchant, enter, ({ home }) => home)
    if (at.hasSandbox) serve(at, router, '/:merchant', sandbox, enter, ({ home }) => home)
    if (at.hasLocalSandbox) serve(at, router, '/:merchant', localSandbox, enter, ({ home }) => home)
  }
  return router
}

/**
 * @param base prefix of the paths
 * @param getHome returns the prefix of redirects
 */
function serve<Of extends ConsoleVisit>(
  at: Console,
  router: Router,
  base: string,
  { pages = [], acts = [] }: PartPages<Of> = {},
  enter: Enter<Of>,
  getHome: (visit: Of) => string,
): void {
  for (const page of pages)
    router.get(base + page.path, (request, response) => show(at, page, enter, request, response))
  for (const act of acts) {
    router.post(base + act.path, (request, response) =>
      carryOut(at, act, enter, getHome, request, response),
    )
    // A GET of a form's address, such as a reload, leads to the page of the form.
    router.get(base + act.path, async (request, response) => {
      await enter(request, response)
      response.redirect(303, at.root + wayUp(request))
    })
  }
}

async function show<Of extends ConsoleVisit>(
  at: Console,
  { section, show }: ConsolePage<Of>,
  enter: Enter<Of>,
  request: Request,
  response: Response,
): Promise<void> {
  const shown = await show(await enter(request, response))
  if ('stream' in shown) shown.stream()
  else if ('content' in shown) sendFile(response, shown)
  else if ('html' in shown)
    sendHtml(response, shown.html, { policy: shown.policy, headers: CONSOLE_HEADERS })
  else await at.send(response, shown, createViewerContext(response, section))
}

async function carryOut<Of extends ConsoleVisit>(
  at: Console,
  { section, act, again }: FormAction<Of>,
  enter: Enter<Of>,
  getHome: (visit: Of) => string,
  request: Request,
  response: Response,
): Promise<void> {
  const visit = await enter(request, response)
  const done = again
    ? await redisplayOnError(
        visit,
        () => act(visit),
        async (problem) => again(visit, problem),
      )
    : await act(visit)
  logAction(at.dependencies.logger, request, response, visit.operator)
  if ('html' in done)
    return sendHtml(response, done.html, { policy: done.policy, headers: CONSOLE_HEADERS })
  if ('title' in done) return at.send(response, done, createViewerContext(response, section))
  if (done.newSession) await beginSession(at, request, response, visit.operator)
  response.redirect(303, getHome(visit) + wayOnward(done))
}

const wayOnward = ({ to, done, count }: ConsoleRedirect): string =>
  `${to}${to.includes('?') ? '&' : '?'}done=${done}${count === undefined ? '' : `&count=${count}`}`

/** Turns `/1/clock/advance` into `/1/clock`. */
const wayUp = ({ path }: Request): string => path.replace(/\/[^/]*\/?$/, '')

function sendFile(response: Response, { name, type, content }: ConsoleFile) {
  response.setHeader('Cache-Control', 'no-store, private')
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`)
  response.setHeader('Content-Type', type)
  response.send(content)
}
