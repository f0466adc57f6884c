import { type RequestHandler, Router } from 'express'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { readPaymentLink, readPaymentLinkId } from '../../parsing/control/payment-links.ts'
import { pickOnly, wholeNumber } from '../../parsing/control/read.ts'
import {
  type CountedLink,
  countedLinks,
  createPaymentLink,
  endPaymentLink,
  needPaymentLink,
} from '../../payments/payment-links.ts'
import { presentPaymentLink } from '../../serializers/payment-link.ts'
import { listPaymentLinks } from '../../storage/payment-links.ts'
import type { Work } from '../../work/work.ts'
import { exchangeOf } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { workOfOwner } from './owner.ts'

export interface PaymentLinkControlDependencies {
  readonly authenticator: Authenticator
}

/** Serves `/_control/payment-links` of a merchant, by default the first one. */
export function paymentLinkControl({ authenticator }: PaymentLinkControlDependencies): Router {
  const router = Router()
  const shown = (link: CountedLink, { addresses, now }: Work) =>
    presentPaymentLink(link, addresses, now)

  router.get('/', async (_request, response) => {
    const sent = pickOnly(exchangeOf(response).parameters, ['limit', 'offset'])
    const limit = wholeNumber(sent, 'limit', { least: 1, most: 1_000 }) ?? 100
    const offset = wholeNumber(sent, 'offset', { least: 0, most: 1_000_000_000 }) ?? 0
    const work = await workOfOwner(response, authenticator)
    const rows = await listPaymentLinks(work.queries, work.merchant.id, { limit, offset })
    response.json((await countedLinks(work.queries, rows)).map((link) => shown(link, work)))
  })

  router.post('/', async (_request, response) => {
    const work = await workOfOwner(response, authenticator)
    const terms = maskCardNumbers(response, readPaymentLink(exchangeOf(response).parameters, work))
    response.json(shown(await createPaymentLink(work, terms), work))
  })

  router.get('/:id', async ({ params: { id } }, response) => {
    pickOnly(exchangeOf(response).parameters, [])
    const work = await workOfOwner(response, authenticator)
    response.json(shown(await needPaymentLink(work, readPaymentLinkId(id)), work))
  })

  const end: RequestHandler<{ id: string }> = async ({ params: { id } }, response) => {
    pickOnly(exchangeOf(response).parameters, [])
    const work = await workOfOwner(response, authenticator)
    response.json(shown(await endPaymentLink(work, readPaymentLinkId(id)), work))
  }
  router.post('/:id/close', end)
  router.delete('/:id', end)
  return router
}
