import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { ADMINISTRATOR } from '../../merchants/control-key.ts'
import { hasDefaultPassword } from '../../merchants/seed.ts'
import { type Operator, SESSION_MS } from '../../merchants/sessions.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { findMerchant } from '../../storage/merchants.ts'
import { getClient, getExchange } from '../http/exchange.ts'
import { findClientAddress } from '../http/login.ts'
import { receiveParameters } from '../http/receive.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import { getRoute } from '../http/request-facts.ts'
import { html, renderHiddenFields } from '../pages/html.ts'
import { sendHtml } from '../pages/page.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { CONSOLE_HEADERS, CONSOLE_POLICY, renderConsolePage } from './parts/frame.ts'
import { getVisitor, readTexts } from './visit.ts'

/** Parts of the console's router. */
export interface Console {
  readonly dependencies: ConsoleDependencies
  /** Path of the console, such as `/console`, the prefix of its pages. */
  readonly root: string
  readonly cookie: ReturnType<typeof sessionCookie>
}

/** The session cookie, with a name for each gateway, since cookies ignore ports (attack 50). */
export function sessionCookie({ base }: Addresses) {
  const { protocol, port } = new URL(base)
  const secure = protocol === 'https:'
  const name = `${secure ? '__Host-' : ''}console${port && `-${port}`}`
  return {
    /** Returns the token of a request; empty without one. */
    getToken({ headers }: IncomingMessage): string {
      const pair = (headers.cookie ?? '').split('; ').find((each) => each.startsWith(`${name}=`))
      return pair?.slice(name.length + 1) ?? ''
    },
    /** @param token empty: removes the cookie */
    set(response: Response, token: string): void {
      const seconds = token === '' ? 0 : SESSION_MS / 1000
      response.setHeader(
        'Set-Cookie',
        `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
      )
    },
  }
}

/** Starts a new session in this browser; an earlier one is not reused (attack 49). */
export async function beginSession(
  { dependencies: { sessions }, cookie }: Console,
  request: Request,
  response: Response,
  operator: Operator,
): Promise<void> {
  await sessions.end(cookie.getToken(request))
  cookie.set(response, await sessions.begin(operator))
}

/** Serves `/login`, and the links of `mondido-gateway open`. */
export function createLoginRouter(at: Console): Router {
  const { dependencies, root } = at
  const router = Router()
  const enter = async (request: Request, response: Response, operator: Operator, to: string) => {
    await beginSession(at, request, response, operator)
    logAction(dependencies.logger, request, response, operator)
    response.redirect(303, to)
  }
  router.get('/login', receiveParameters, inEnglish, (_request, response) =>
    showLogin(response, at),
  )
  router.post('/login', receiveParameters, inEnglish, async (request, response) => {
    try {
      const to = pageAfterLogin(getExchange(response).parameters, root)
      await enter(request, response, await logIn(request, response, dependencies), to)
    } catch (error) {
      const refusal = asGatewayError(error)
      if (refusal.http === 500) throw error
      await showLogin(response, at, refusal)
    }
  })
  router.head('/enter', inEnglish, (_request, response) => {
    // The preview of a chat must not use up the link.
    response.redirect(303, `${root}/login`)
  })
  router.get('/enter', receiveParameters, inEnglish, async (request, response) => {
    const ticket = text(getExchange(response).parameters, 'ticket') ?? ''
    const operator = await dependencies.sessions.useTicket(ticket)
    if (operator) await enter(request, response, operator, root)
    else response.redirect(303, `${root}/login`)
  })
  return router
}

/** Shows the login form. @param refusal error of the previous attempt */
async function showLogin(
  response: Response,
  { dependencies, root }: Console,
  refusal?: GatewayError,
): Promise<void> {
  const { parameters } = getExchange(response)
  const known = await findKnownMerchant(dependencies)
  if (refusal) writeRefusal(response, refusal)
  const hasAdministrator = dependencies.controlKey !== undefined
  const username = text(parameters, 'username') ?? known?.id
  const form = html`<main class="login">
<p class="shop"><i class="initial" aria-hidden="true">M</i>Mondido gateway</p>
<h1>Console</h1>
<p class="quiet">Payments, webhooks and settings of a merchant on this gateway.</p>
${refusal && html`<p class="callout bad" role="alert">${refusal.explain ?? refusal.entry.en}</p>`}
${
  known &&
  html`<form method="post" action="${root}/login">
${renderHiddenFields({ to: pageAfterLogin(parameters, root), sandbox: 'true' })}
<button>Open the sandbox as merchant ${known.id}</button></form>
<p class="hint">Or log in. The password of merchant <code>${known.id}</code> is <code>${known.password}</code>.</p>`
}
<form method="post" action="${root}/login">
${renderHiddenFields({ to: pageAfterLogin(parameters, root) })}
<div class="field"><label>Merchant id${hasAdministrator ? html`, or <code>admin</code>` : null}
<input name="username" value="${username}" autocomplete="username" required></label></div>
<div class="field"><label>Password${hasAdministrator ? ', or control key' : null}
<input name="password" type="password" autocomplete="current-password" required></label></div>
<button${known && html` class="small"`}>Log in</button>
</form>
</main>`
  const page = renderConsolePage(await dependencies.assetAddresses(), 'Log in', form)
  sendHtml(response, String(page), { policy: CONSOLE_POLICY, headers: CONSOLE_HEADERS })
}

/** Returns the merchant with the default password, until the password is changed. */
async function findKnownMerchant({ known, database }: ConsoleDependencies) {
  const kept = known && (await findMerchant(database.db, known.id))
  return kept && hasDefaultPassword(kept) ? known : undefined
}

/**
 * Logs in with the form: a merchant with id and password, or the administrator with the control
 * key. Wrong passwords and keys are counted and locked like those of the API and of `/_control`.
 * @throws errors.authentication.failed (182), errors.account.locked (207)
 */
async function logIn(
  request: Request,
  response: Response,
  dependencies: ConsoleDependencies,
): Promise<Operator> {
  const { authenticator, controlKey } = dependencies
  const { parameters, now, getNow } = getExchange(response)
  const known = 'sandbox' in parameters ? await findKnownMerchant(dependencies) : undefined
  const { username: typed, password } = known
    ? { username: String(known.id), password: known.password }
    : readTexts(parameters, ['username', 'password'])
  const username = typed.trim()
  const address = findClientAddress(request)
  if (username === ADMINISTRATOR && controlKey !== undefined) {
    if (await controlKey.isKey(password, address)) return { merchantId: undefined }
    throw new GatewayError('errors.authentication.failed', {
      explain: 'This is not the control key. The gateway printed the key when it started.',
    })
  }
  const id = readId(username)
  const time = id === undefined ? now : getNow(id)
  const merchant = await authenticator.login({ username, password, address }, time)
  return { merchantId: merchant.id }
}

/** Returns the page to open after the login: a page of the console, or its start. */
function pageAfterLogin(parameters: Parameters, root: string): string {
  const to = text(parameters, 'to') ?? ''
  return (to === root || to.startsWith(`${root}/`)) && isAsBrowsersWrite(to) ? to : root
}

/**
 * Rejects dots, backslashes and spaces, which would lead a browser elsewhere than the text
 * suggests.
 */
const isAsBrowsersWrite = (path: string): boolean => URL.parse(path, HERE)?.href === HERE + path

const HERE = 'http://here.invalid'

/** Redirects to the login before anything of the request is read. */
export const onlyLoggedIn =
  ({ dependencies, cookie, root }: Console): RequestHandler =>
  async (request, response, next) => {
    const token = cookie.getToken(request)
    const operator = await dependencies.sessions.find(token)
    if (!operator) return void response.redirect(303, getLoginAddress(request, root))
    response.locals.visitor = { operator, formToken: createFormToken(token) }
    next()
  }

/**
 * Returns the address of the login page, which leads to the requested page afterwards. A form is
 * not sent again.
 */
function getLoginAddress({ method, url }: Request, root: string): string {
  if (method !== 'GET') return `${root}/login`
  return `${root}/login?${new URLSearchParams({ to: root + (url === '/' ? '' : url) })}`
}

/** Derives the form token of a session, which pages of other origins cannot know (attack 47). */
const createFormToken = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('form').digest('base64url')

/** Rejects forms that no page of this session has sent (attack 47): errors.unauthorized. */
export const onlyOwnForms: RequestHandler = ({ method }, response, next) => {
  const sent = Buffer.from(text(getExchange(response).parameters, 'form_token') ?? '')
  const expected = Buffer.from(getVisitor(response).formToken)
  const isOwn = sent.length === expected.length && timingSafeEqual(sent, expected)
  if (method === 'POST' && !isOwn)
    throw new GatewayError('errors.unauthorized', {
      explain: 'The form does not belong to this session. Open its page again.',
    })
  next()
}

/** Handles `POST /logout`. */
export const logOut =
  ({ dependencies, cookie, root }: Console): RequestHandler =>
  async (request, response) => {
    const token = cookie.getToken(request)
    await dependencies.sessions.end(token)
    dependencies.audiences.leave(token)
    cookie.set(response, '')
    response.redirect(303, `${root}/login`)
  }

/** Explanations are in English, like the console (our decision). */
export const inEnglish: RequestHandler = (_request, response, next) => {
  getExchange(response).locale = 'en'
  next()
}

/**
 * Logs a console action with its user, address and time (attack 134). An allow-list, like the log
 * line of a request: of the sent values only the id in the address is logged.
 */
export function logAction(
  logger: ConsoleDependencies['logger'],
  request: Request,
  response: Response,
  { merchantId }: Operator,
): void {
  const { id, merchant, errorName } = getExchange(response)
  if (errorName !== undefined) return
  const by = merchantId === undefined ? 'administrator' : 'merchant'
  const { ip } = getClient(request)
  logger.info(
    {
      request_id: id,
      act: getRoute(request) ?? null,
      of: readId(String(request.params.id ?? '')) ?? null,
      by,
      ip,
      merchant_id: merchant?.id ?? merchantId ?? null,
    },
    `In the console, ${by}${merchantId ? ` ${merchantId}` : ''} from ${ip}:`,
  )
}
