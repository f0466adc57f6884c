import { Router } from 'express'
import { apiHeaders, openToPages } from '../http/headers.ts'
import {
  type CallReceiver,
  receiveCall,
  receiveOpenCall,
  receiveParameters,
} from '../http/receive.ts'
import { noteResource, notFound } from '../http/refuse.ts'
import { attempts } from './attempts.ts'
import { customers, storedCards } from './customers.ts'
import { plans, subscriptions } from './subscriptions.ts'
import { refunds, transactions } from './transactions.ts'

import { webhooks } from './webhooks.ts'

/** Serves `{base_url}/v1` (specification: Endpoints). */
export function apiRouter(receiver: CallReceiver): Router {
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
  router
    .route('/transactions')
    .options(fromPages)
    .post(fromPages, receiveOpenCall(receiver), create)
  router.use(
    '/attempts',
    openToPages('GET, OPTIONS'),
    receiveParameters,
    attempts(receiver.authenticator),
  )

  // All other routes are for merchants' servers.
  router.use(receiveCall(receiver))
  for (const [path, resource] of Object.entries(resources)) router.use(path, resource)
  router.use(notFound)
  router.use(Object.keys(resources), noteResource)
  return router
}

/**
 * Serves `{base_url}/v2`, where one client updates transactions (observed: 6.1); other calls are at
 * `/v1`.
 */
export function apiV2Router(receiver: CallReceiver): Router {
  const router = Router()
  router.use(apiHeaders)
  router.put('/transactions/:id', receiveCall(receiver), transactions().update)
  return router
}
