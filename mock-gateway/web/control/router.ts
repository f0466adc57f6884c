import type { IncomingMessage } from 'node:http'
import { type RequestHandler, type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { ADMINISTRATOR, type ControlKey } from '../../merchants/control-key.ts'
import { FileAnswer, type Operation, type Sandbox } from '../../operations/operation.ts'
import { listAllOperations } from '../../operations/table.ts'
import { isFromForeignPage } from '../http/boundary.ts'
import { getExchange } from '../http/exchange.ts'
import { apiHeaders } from '../http/headers.ts'
import { findClientAddress, listAuthorizationHeaders, readBasic } from '../http/login.ts'
import { runOperation } from '../http/operation-context.ts'
import { receiveParameters } from '../http/receive.ts'
import { noteResource, notFound } from '../http/refuse.ts'
import { sendHtml } from '../pages/page.ts'

/** Dependencies of the control API. */
export interface ControlDependencies extends Sandbox {
  /** Grants access to everything; undefined: there is no control API. */
  readonly controlKey: ControlKey | undefined
}

/** Serves `/_control`: every operation as a route. They may change every merchant's data. */
export function createControlRouter({ controlKey, ...sandbox }: ControlDependencies): Router {
  const router = Router()
  router.use(apiHeaders)
  if (controlKey === undefined) return router.use(notFound)
  router.use(inEnglish, requireKey(controlKey), receiveParameters, unlessAsked)
  for (const operation of inOrder(listAllOperations())) {
    const [method = '', path = ''] = operation.route.split(' ')
    const handler: RequestHandler = async (request, response) => {
      const { parameters } = getExchange(response)
      const named = request.params as Record<string, string>
      send(response, await runOperation(response, sandbox, operation, parameters, named))
    }
    router[method.toLowerCase() as 'get'](path, handler)
  }
  router.use(notFound)
  const resources = new Set(listAllOperations().map(({ route }) => `/${route.split('/')[1]}`))
  return router.use([...resources], noteResource)
}

/** Puts `/merchants/presets` before `/merchants/:id`. */
const inOrder = (operations: readonly Operation[]): readonly Operation[] =>
  operations.toSorted(
    ({ route: one }, { route: other }) => one.split(':').length - other.split(':').length,
  )

/** The users of the control API are developers: errors are in English unless asked otherwise. */
const inEnglish: RequestHandler = (_request, response, next) => {
  getExchange(response).locale = 'en'
  next()
}

const unlessAsked: RequestHandler = (_request, response, next) => {
  const exchange = getExchange(response)
  exchange.locale = asLocale(exchange.parameters.locale) ?? 'en'
  next()
}

function send(response: Response, answer: unknown): void {
  if (!(answer instanceof FileAnswer)) return void response.json(answer)
  const { type, name, content } = answer
  if (name === undefined) {
    sendHtml(response, String(content), { policy: POLICY })
    return
  }
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`)
  response.type(type).send(content)
}

/** A page contains its styles, and loads nothing. */
const POLICY = { 'style-src': ["'unsafe-inline'"] }

/**
 * Requires the control key: in the header X-Control-Key, or as the password of the user `admin`.
 * Requests of pages of other origins are rejected before the key is checked, reads too: browsers
 * send a stored login by themselves.
 * @throws errors.unauthorized (138) without a key, errors.authentication.failed (182) with a wrong
 *   one, errors.account.locked (207) after ten of them in a row
 */
function requireKey(key: ControlKey): RequestHandler {
  return async (request, response, next) => {
    if (isFromForeignPage(request))
      throw new GatewayError('errors.unauthorized', {
        explain:
          'Pages of another origin cannot call the control API. Call it from your server or test.',
      })
    const sent = readSentKey(request)
    if (sent && (await key.isKey(sent, findClientAddress(request)))) return next()
    response.setHeader('WWW-Authenticate', CHALLENGE)
    if (sent === undefined)
      throw new GatewayError('errors.unauthorized', {
        explain: `This call needs the control key that the gateway printed when it started. Send it in the header X-Control-Key, or as the password of ${ADMINISTRATOR}.`,
      })
    throw new GatewayError('errors.authentication.failed', {
      explain:
        'This is not the control key of this gateway. The gateway printed the key when it started.',
    })
  }
}

const CHALLENGE = 'Basic realm="Payment gateway control", charset="UTF-8"'

/** Empty for an invalid login. */
function readSentKey(request: IncomingMessage): string | undefined {
  const { 'x-control-key': key } = request.headers
  if (typeof key === 'string') return key
  const [header, ...more] = listAuthorizationHeaders(request)
  if (header === undefined) return undefined
  const credentials = more.length === 0 ? readBasic(header) : undefined
  return credentials?.username === ADMINISTRATOR ? credentials.password : ''
}
