import { type Request, type Response, Router } from 'express'
import { readId } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { endAuthentication, findCurrentAuthentication } from '../../payments/authentication/end.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import { apiHeaders, openToPages } from '../http/headers.ts'
import { receiveParameters } from '../http/receive.ts'
import { createMessage, isChallenged } from './result.ts'
import { findVisit, readNonce, unknownAuthentication } from './visit.ts'

/**
 * Serves `{pay_url}/v1/mpi_js/<nonce>`: the status of an authentication for the page that started
 * it, and its end if the payer has given up. The nonce is 128 random bits known only to that page,
 * so no login is needed (our decision).
 */
export function createStatusRouter(authenticator: Authenticator): Router {
  const router = Router()
  const fromPages = [apiHeaders, openToPages('GET, POST, OPTIONS'), receiveParameters] as const

  // Invalid percent-encoding cannot be a nonce; Express would reject it before any header is set.
  router.use((request, _response, next) => {
    const [path = '', ...query] = request.url.split('?')
    if (!isDecodable(path)) request.url = [path.replaceAll('%', '%25'), ...query].join('?')
    next()
  })
  router.options('/:nonce', ...fromPages)
  router.get('/:nonce', ...fromPages, async (request, response) => {
    const { row, merchant } = await ofNonce(request, response)
    response.json(
      describeStatus(
        await findCurrentAuthentication(createWork(response, merchant), row),
        merchant,
      ),
    )
  })

  router.options('/:nonce/cancel', ...fromPages)
  router.post('/:nonce/cancel', ...fromPages, async (request, response) => {
    const { row, merchant } = await ofNonce(request, response)
    const work = createWork(response, merchant)
    const current = await findCurrentAuthentication(work, row)
    const ended =
      current.status === 'open' ? await endAuthentication(work, row.id, 'cancel') : current
    // A simultaneous request ended it first.
    response.json(describeStatus(ended ?? (await ofNonce(request, response)).row, merchant))
  })

  async function ofNonce(request: Request, response: Response) {
    const nonce = readNonce(String(request.params.nonce))
    const merchant_id = readId(text(getExchange(response).parameters, 'merchant_id') ?? '')
    const key = merchant_id !== undefined && nonce ? { merchant_id, nonce } : undefined
    const visit = await findVisit(response, authenticator, key)
    if (!visit) throw unknownAuthentication()
    return visit
  }

  return router
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Returns the status of an authentication, for the library; it does not change after the end. */
function describeStatus(row: AuthenticationRow, merchant: Merchant) {
  const { success, mpi_ref, eci, provider_ref, error } = createMessage(row, merchant)
  const isDone = row.status === 'done'
  return {
    event: 'mpi',
    status: isDone ? 'done' : 'pending',
    success: isDone ? success : null,
    mpi_ref: mpi_ref ?? null,
    eci: eci ?? null,
    provider_ref: provider_ref ?? null,
    nonce: row.nonce,
    error: error ?? null,
    at_bank: !isDone && row.page !== null,
    challenge: isChallenged(row),
  }
}
