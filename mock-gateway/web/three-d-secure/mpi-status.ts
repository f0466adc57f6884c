import { type Request, type Response, Router } from 'express'
import { readId } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { endAuthentication, findCurrentAuthentication } from '../../payments/authentication/end.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { OpenWork } from '../../work/work.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import { apiHeaders, openToPages } from '../http/headers.ts'
import { receiveParameters } from '../http/receive.ts'
import { createMessage, findVisit, readNonce, unknownAuthentication } from './visit.ts'

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
  for (const path of ['/:nonce', '/:nonce/cancel']) router.options(path, ...fromPages)
  const show = onVisit(async (_work, row) => row)
  router.get('/:nonce', ...fromPages, show)
  const cancel = onVisit(async (work, row) =>
    row.status === 'open' ? endAuthentication(work, row.id, 'cancel') : row,
  )
  router.post('/:nonce/cancel', ...fromPages, cancel)

  /** @param change returns the row after it; undefined if a simultaneous request was first */
  function onVisit(
    change: (work: OpenWork, row: AuthenticationRow) => Promise<AuthenticationRow | undefined>,
  ) {
    return async (request: Request, response: Response) => {
      const { row, merchant } = await findByNonce(request, response)
      const work = createWork(response, merchant)
      const changed = await change(work, await findCurrentAuthentication(work, row))
      const shown = changed ?? (await findByNonce(request, response)).row
      response.json(describeStatus(shown, merchant))
    }
  }

  async function findByNonce({ params }: Request, response: Response) {
    const nonce = readNonce(String(params.nonce))
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
    // A frictionless flow shows no challenge, however long it takes.
    challenge: row.plan.flow === 'challenge' && row.opened_at !== null,
  }
}
