import type { Request, Response } from 'express'
import { readId } from '../../domain/identifiers.ts'
import { getExchange } from '../http/exchange.ts'
import type { Console } from './console.ts'
import { type ConsoleVisit, type MerchantVisit, noPage, noRow } from './visit.ts'
import { createVisitor } from './visitor.ts'

/** Checks access to a page. @throws errors.not_found (196) without access */
export type Enter<Of extends ConsoleVisit> = (request: Request, response: Response) => Promise<Of>

const createVisit = (
  { dependencies, root, cookie }: Console,
  request: Request,
  response: Response,
): ConsoleVisit => ({
  response,
  ...createVisitor(response),
  session: cookie.read(request) ?? '',
  dependencies,
  root,
  parameters: getExchange(response).parameters,
  named: request.params as Readonly<Record<string, string>>,
})

/** Requires the administrator, for pages about all merchants. */
export const enterAll =
  (at: Console): Enter<ConsoleVisit> =>
  async (request, response) => {
    const visit = createVisit(at, request, response)
    if (visit.operator.merchantId === undefined) return visit
    throw noPage()
  }

/** Opens a merchant's pages; from here on the request belongs to the merchant, as after a login. */
export const enterMerchant =
  (at: Console): Enter<MerchantVisit> =>
  async (request, response) => {
    const visit = createVisit(at, request, response)
    const id = readId(visit.named.merchant ?? '')
    const administrator = visit.operator.merchantId === undefined
    const isOwn = administrator || visit.operator.merchantId === id
    const merchant =
      id !== undefined && isOwn ? await at.dependencies.authenticator.find(id) : undefined
    if (!merchant)
      throw administrator && id !== undefined ? noRow('merchant', String(id)) : noPage()
    Object.assign(getExchange(response), { merchant, loggedIn: true, administrator })
    return { ...visit, merchant, home: `${at.root}/${merchant.id}` }
  }
