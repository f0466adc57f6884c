import { Router } from 'express'
import { apiHeaders, openToPages } from '../http/headers.ts'
import {
  type CallReceiver,
  receiveCall,
  receiveOpenCall,
  receiveParameters,
} from '../http/receive.ts'
import { noteResource, notFound } from '../http/refuse.ts'
import { createAttemptsRouter } from './attempts.ts'
import { createCustomersRouter, createStoredCardsRouter } from './customers.ts'
import { createPlansRouter, createSubscriptionsRouter } from './subscriptions.ts'
import {
  createRefundsRouter,
  createTransactionsRouter,
  onCreateTransaction,
  onUpdateTransaction,
} from './transactions.ts'
import { createWebhooksRouter } from './webhooks.ts'

/** Serves `{base_url}/v1` (specification: Endpoints). */
export function createApiRouter(receiver: CallReceiver): Router {
  const [ofStoredCards, ofSubscriptions] = [createStoredCardsRouter(), createSubscriptionsRouter()]
  // Express compares an address with one route after the other, so the most frequent route is the
  // first.
  const resources = {
    '/transactions': createTransactionsRouter(),
    '/customers': createCustomersRouter(),
    '/plans': createPlansRouter(),
    '/refunds': createRefundsRouter(),
    '/stored_card': ofStoredCards,
    '/stored_cards': ofStoredCards,
    '/subscription': ofSubscriptions,
    '/subscriptions': ofSubscriptions,
    '/webhooks': createWebhooksRouter(),
  }
  const router = Router()
  router.use(apiHeaders)

  // Routes that browsers may call without a password.
  const fromPages = openToPages('POST, OPTIONS')
  router
    .route('/transactions')
    .options(fromPages)
    .post(fromPages, receiveOpenCall(receiver), onCreateTransaction)
  router.use(
    '/attempts',
    openToPages('GET, OPTIONS'),
    receiveParameters,
    createAttemptsRouter(receiver.authenticator),
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
export function createApiV2Router(receiver: CallReceiver): Router {
  const router = Router()
  router.use(apiHeaders)
  router.put('/transactions/:id', receiveCall(receiver), onUpdateTransaction)
  return router
}
