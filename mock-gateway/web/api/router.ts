import { type RequestHandler, Router } from 'express'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { explainUnusedParameters } from '../http/explain-unused.ts'
import { apiHeaders, openToPages } from '../http/headers.ts'
import { loginOrMerchantId, ownMerchantId, requireLogin } from '../http/login.ts'
import { receiveParameters } from '../http/receive.ts'
import { noteResource, notFound } from '../http/refuse.ts'
import { attempts } from './attempts.ts'
import { customers } from './customers.ts'
import { plans } from './plans.ts'
import { refunds } from './refunds.ts'
import { storedCards } from './stored-cards.ts'
import { subscriptions } from './subscriptions.ts'
import { transactions } from './transactions.ts'
import { webhooks } from './webhooks.ts'

/** Dependencies of the API. */
export interface ApiDependencies {
  readonly authenticator: Authenticator
  /** See `decryptReceived`. */
  readonly decrypt: RequestHandler
}

/** Serves `{base_url}/v1` (specification: Endpoints). */
export function apiRouter({ authenticator, decrypt }: ApiDependencies): Router {
  const { create, router: ofTransactions } = transactions()
  const [ofStoredCards, ofSubscriptions] = [storedCards(), subscriptions()]
  // Express compares an address with one route after the other, so the most frequent route is the
  // first.
  const resources = {
    '/transactions': ofTransactions,
    '/customers': customers(),
    '/plans': plans(),
    '/refunds': refunds(),
    '/stored_card': ofStoredCards,
    '/stored_cards': ofStoredCards,
    '/subscription': ofSubscriptions,
    '/subscriptions': ofSubscriptions,
    '/webhooks': webhooks(),
  }
  const router = Router()
  router.use(apiHeaders)

  // Routes that browsers may call without a password.
  const fromPages = openToPages('POST, OPTIONS')
  const login = loginOrMerchantId(authenticator)
  router
    .route('/transactions')
    .options(fromPages)
    .post(
      fromPages,
      receiveParameters,
      login,
      decrypt,
      ownMerchantId,
      explainUnusedParameters,
      create,
    )
  router.use('/attempts', openToPages('GET, OPTIONS'), receiveParameters, attempts(authenticator))

  // All other routes are for merchants' servers.
  router.use(
    requireLogin(authenticator),
    receiveParameters,
    decrypt,
    ownMerchantId,
    explainUnusedParameters,
  )
  for (const [path, resource] of Object.entries(resources)) router.use(path, resource)
  router.use(notFound)
  router.use(Object.keys(resources), noteResource)
  return router
}

/**
 * Serves `{base_url}/v2`, where one client updates transactions (observed: 6.1); other calls are at
 * `/v1`.
 */
export function apiV2Router({ authenticator, decrypt }: ApiDependencies): Router {
  const router = Router()
  router.use(apiHeaders)
  router.put(
    '/transactions/:id',
    requireLogin(authenticator),
    receiveParameters,
    decrypt,
    ownMerchantId,
    explainUnusedParameters,
    transactions().update,
  )
  return router
}
