import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { ADMINISTRATOR, type ControlKey } from '../../merchants/control-key.ts'
import { isFromForeignPage } from '../http/boundary.ts'
import { clientAddress } from '../http/client-address.ts'
import { authorizationHeaders, readBasic } from '../http/login.ts'

/**
 * Requires the control key: in the header X-Control-Key, or as the password of the user `admin`.
 * Requests of pages of other origins are rejected before the key is checked, reads too: browsers
 * send a stored login by themselves.
 * @throws errors.unauthorized (138) without a key, errors.authentication.failed (182) with a wrong
 *   one, errors.account.locked (207) after ten of them in a row
 */
export function requireKey(key: ControlKey): RequestHandler {
  return async (request, response, next) => {
    if (isFromForeignPage(request))
      throw new GatewayError('errors.unauthorized', {
        explain:
          'Pages of another origin cannot call the control API. Call it from your server or test.',
      })
    const sent = sentKey(request)
    if (sent && (await key.isKey(sent, clientAddress(request)))) return next()
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
function sentKey(request: IncomingMessage): string | undefined {
  const { 'x-control-key': key } = request.headers
  if (typeof key === 'string') return key
  const [header, ...more] = authorizationHeaders(request)
  if (header === undefined) return undefined
  const credentials = more.length === 0 ? readBasic(header) : undefined
  return credentials?.username === ADMINISTRATOR ? credentials.password : ''
}
