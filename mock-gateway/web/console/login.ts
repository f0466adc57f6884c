import type { Request, Response } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { ADMINISTRATOR } from '../../merchants/control-key.ts'
import { hasDefaultPassword } from '../../merchants/seed.ts'
import type { Operator } from '../../merchants/sessions.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { findMerchant } from '../../storage/merchants.ts'
import { clientAddress } from '../http/client-address.ts'
import { getExchange } from '../http/exchange.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import { html } from '../pages/html.ts'
import { sendHtml } from '../pages/page.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { CONSOLE_HEADERS, CONSOLE_POLICY, consolePage } from './parts/frame.ts'
import { readTexts } from './visit.ts'

/** Shows the login form. @param refusal error of the previous attempt */
export async function showLogin(
  response: Response,
  dependencies: ConsoleDependencies,
  root: string,
  refusal?: GatewayError,
) {
  const { parameters } = getExchange(response)
  const known = await knownNow(dependencies)
  if (refusal) writeRefusal(response, refusal)
  const hasAdministrator = dependencies.controlKey !== undefined
  const username = text(parameters, 'username') ?? known?.id
  const form = html`<main class="login">
<h1>Console</h1>
<p class="quiet">Payments, webhooks and settings of a merchant on this gateway.</p>
${refusal && html`<p class="problem" role="alert">${refusal.explain ?? refusal.entry.en}</p>`}
<form method="post" action="${root}/login">
<input type="hidden" name="to" value="${pageAfterLogin(parameters, root)}">
<label>Merchant id${hasAdministrator ? html`, or <code>admin</code>` : null}
<input name="username" value="${username}" autocomplete="username" required></label>
<label>Password${hasAdministrator ? ', or control key' : null}
<input name="password" type="password" autocomplete="current-password" required></label>
<button>Log in</button>
</form>
${
  known &&
  html`<p class="hint">The sandbox's merchant is <code>${known.id}</code>
with the password <code>${known.password}</code>.</p>`
}
</main>`
  const page = consolePage(await dependencies.assetAddresses(), 'Log in', form)
  sendHtml(response, String(page), { policy: CONSOLE_POLICY, headers: CONSOLE_HEADERS })
}

/** Returns the merchant with the default password, until the password is changed. */
async function knownNow({
  known,
  database,
}: ConsoleDependencies): Promise<ConsoleDependencies['known']> {
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
  const { parameters, now, getNow } = getExchange(response)
  const { username: typed, password } = readTexts(parameters, ['username', 'password'])
  const username = typed.trim()
  const address = clientAddress(request)
  if (username === ADMINISTRATOR && dependencies.controlKey !== undefined) {
    if (await dependencies.controlKey.isKey(password, address)) return { merchantId: undefined }
    throw new GatewayError('errors.authentication.failed', {
      explain: 'This is not the control key. The gateway printed the key when it started.',
    })
  }
  const id = readId(username)
  const merchant = await dependencies.authenticator.login(
    { username, password, address },
    id === undefined ? now : getNow(id),
  )
  return { merchantId: merchant.id }
}

/** Runs the login; shows the form again if it failed. */
export async function answerLogin(
  request: Request,
  response: Response,
  dependencies: ConsoleDependencies,
  root: string,
  enter: (operator: Operator, to: string) => Promise<void>,
): Promise<void> {
  try {
    const operator = await logIn(request, response, dependencies)
    await enter(operator, pageAfterLogin(getExchange(response).parameters, root))
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.http === 500) throw error
    await showLogin(response, dependencies, root, refusal)
  }
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
