import { type RequestHandler, Router } from 'express'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { apiHeaders, openToPages } from '../http/headers.ts'
import { loginOrMerchantId, ownMerchantId, requireLogin } from '../http/login.ts'
import { receiveParameters } from '../http/receive.ts'
import { notFound } from '../http/refuse.ts'
import { attempts } from './attempts.ts'
import { customers } from './customers.ts'
import { plans } from './plans.ts'
import { refunds } from './refunds.ts'
import { storedCards } from './stored-cards.ts'
import { subscriptions } from './subscriptions.ts'
import { transactions } from './transactions.ts'
import { webhooks } from './webhooks.ts'

/** What the API is made of. */
export interface ApiParts {
  readonly authenticator: Authenticator
  /** `decryptReceived`. */
  readonly decrypt: RequestHandler
}

/** `{base_url}/v1` (specification: Endpoints). */
export function apiRouter({ authenticator, decrypt }: ApiParts): Router {
  const resources = {
    customers: customers(),
    plans: plans(),
    refunds: refunds(),
    storedCards: storedCards(),
    subscriptions: subscriptions(),
    transactions: transactions(),
    webhooks: webhooks(),
  }
  const router = Router()
  router.use(apiHeaders)

  // What a browser may call without a password.
  const fromPages = openToPages('POST, OPTIONS')
  router.options('/transactions', fromPages)
  router.post('/transactions', fromPages, receiveParameters, loginOrMerchantId(authenticator), decrypt, ownMerchantId)
  router.post('/transactions', resources.transactions.create)
  router.use('/attempts', openToPages('GET, OPTIONS'), receiveParameters, attempts(authenticator))

  // Everything else is for merchants' servers.
  router.use(requireLogin(authenticator), receiveParameters, decrypt, ownMerchantId)
  router.use('/transactions', resources.transactions.router)
  router.use(['/stored_cards', '/stored_card'], resources.storedCards)
  router.use('/customers', resources.customers)
  router.use('/refunds', resources.refunds)
  router.use('/plans', resources.plans)
  router.use(['/subscriptions', '/subscription'], resources.subscriptions)
  router.use('/webhooks', resources.webhooks)
  router.use(notFound)
  return router
}

/** `{base_url}/v2`: where one client updates transactions (observed: 6.1); everything else is at `/v1`. */
export function apiV2Router({ authenticator, decrypt }: ApiParts): Router {
  const router = Router()
  router.use(apiHeaders)
  router.put(
    '/transactions/:id',
    requireLogin(authenticator),
    receiveParameters,
    decrypt,
    ownMerchantId,
    transactions().update,
  )
  return router
}
