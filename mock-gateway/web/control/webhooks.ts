import { type Request, type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { readMerchantId } from '../../parsing/control/read.ts'
import {
  readAlteration,
  readDeliveryAttempt,
  readDeliveryFilter,
  readDeliverySettings,
  readOwner,
  readTemplate,
  readWebhookHold,
  readWebhookTest,
  type WebhookHold,
} from '../../parsing/control/webhooks.ts'
import { wireTime } from '../../serializers/time.ts'
import { newestRows } from '../../storage/newest.ts'
import { findRow } from '../../storage/rows.ts'
import type { NotificationRow } from '../../storage/tables/notifications.ts'
import type { WebhookAttemptRow } from '../../storage/tables/webhook-attempts.ts'
import type { WebhookDeliveryRow } from '../../storage/tables/webhook-deliveries.ts'
import { findAttempts } from '../../storage/webhook-attempts.ts'
import { type DeliveryFilter, findDeliveries } from '../../storage/webhook-deliveries.ts'
import {
  type AdministerDependencies,
  attemptNow,
  changeOverrides,
  holdWebhooks,
  putTemplate,
  readOverrides,
  releaseWebhooks,
  removeDelivery,
  removeTemplate,
  requireDelivery,
  requireFullDelivery,
  requireTemplate,
  retryNow,
  sendAgain,
} from '../../webhooks/administer.ts'
import type { MakeCall } from '../../webhooks/http-call.ts'
import { sendAltered } from '../../webhooks/send-altered.ts'
import { sendTestWebhook } from '../../webhooks/send-test.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'

export interface WebhookControlDependencies {
  readonly webhooks: AdministerDependencies
  /** Calls the address of a webhook. */
  readonly callTarget: MakeCall
  readonly authenticator: Authenticator
}

/**
 * Serves `/_control/webhooks`: lists, resends, retries and deletes deliveries, and sets how they
 * are sent.
 */
export function webhookControl({
  webhooks: parts,
  callTarget,
  authenticator,
}: WebhookControlDependencies): Router {
  const router = Router()
  const { db } = parts.database

  router.get('/deliveries', async (_request, response) => {
    const { filter, ...page } = readDeliveryFilter(exchangeOf(response).parameters)
    response.json((await findDeliveries(db, filter, page)).map(presentDelivery))
  })
  router.get('/deliveries/:id', async (request, response) => {
    const row = await requireFullDelivery(parts, filterOf(request, response))
    const attempts = await findAttempts(db, [row.id])
    response.json({
      ...presentDelivery(row),
      body: row.body,
      attempts: attempts.map(presentAttempt),
    })
  })
  router.post('/deliveries/send', async (_request, response) => {
    response.json({
      sent: await sendAgain(parts, readDeliveryFilter(exchangeOf(response).parameters).filter),
    })
  })
  router.post('/deliveries/attempt', async (_request, response) => {
    const { filter, order } = readDeliveryAttempt(exchangeOf(response).parameters)
    response.json((await attemptNow(parts, filter, order)).map(presentDelivery))
  })
  router.post('/deliveries/:id/send', async (request, response) => {
    const { id } = await requireDelivery(parts, filterOf(request, response))
    response.json({ sent: await sendAgain(parts, { id }) })
  })
  router.post('/deliveries/:id/retry', async (request, response) => {
    const filter = filterOf(request, response)
    await retryNow(parts, filter)
    response.json(presentDelivery(await requireDelivery(parts, filter)))
  })
  router.post('/deliveries/:id/alter', async (request, response) => {
    await requireDelivery(parts, filterOf(request, response))
    const order = readAlteration(request.params.id, exchangeOf(response).parameters)
    const change = order.changes.join(',')
    response.json({
      change,
      response: await sendAltered(parts, callTarget, authenticator.find, order),
    })
  })
  router.delete('/deliveries/:id', async (request, response) => {
    const row = await requireDelivery(parts, filterOf(request, response))
    await removeDelivery(parts, { id: row.id })
    response.json(presentDelivery(row))
  })
  router.post('/test', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const test = readWebhookTest(parameters)
    const merchant = await authenticator.find(readOwner(parameters))
    if (!merchant)
      throw new GatewayError('errors.merchant.not_found', {
        explain: 'There is no merchant 1. Send another merchant_id.',
      })
    const id = await sendTestWebhook(workOf(response, merchant), test)
    response.json(presentDelivery(await requireDelivery(parts, { id })))
  })
  router.get('/dead', async (_request, response) => {
    const { filter, ...page } = readDeliveryFilter(exchangeOf(response).parameters)
    response.json(
      (await findDeliveries(db, { ...filter, statuses: ['dead'] }, page)).map(presentDelivery),
    )
  })
  router.get('/notifications', async (_request, response) => {
    const { filter, ...page } = readDeliveryFilter(exchangeOf(response).parameters)
    response.json(
      (await newestRows(db, 'notifications', filter.merchantId, page)).map(presentNotification),
    )
  })

  router.get('/templates', async (_request, response) => {
    response.json(
      (await readOverrides(parts, readOwner(exchangeOf(response).parameters))).templates ?? [],
    )
  })
  router.post('/templates', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const template = readTemplate(parameters)
    await putTemplate(parts, readOwner(parameters), template)
    response.json(template)
  })
  router.get('/templates/:name', async (request, response) => {
    response.json(
      await requireTemplate(parts, readOwner(exchangeOf(response).parameters), request.params.name),
    )
  })
  router.put('/templates/:name', async (request, response) => {
    const { parameters } = exchangeOf(response)
    await requireTemplate(parts, readOwner(parameters), request.params.name)
    const template = readTemplate(parameters, request.params.name)
    await putTemplate(parts, readOwner(parameters), template)
    response.json(template)
  })
  router.delete('/templates/:name', async (request, response) => {
    const owner = readOwner(exchangeOf(response).parameters)
    const template = await requireTemplate(parts, owner, request.params.name)
    await removeTemplate(parts, owner, template.name)
    response.json(template)
  })

  const refOf = async (owner: number, { transactionId, paymentRef }: WebhookHold) => {
    if (transactionId === undefined) return paymentRef
    const row = await findRow(db, 'transactions', owner, transactionId)
    if (row?.payment_ref) return row.payment_ref
    throw new GatewayError('errors.transaction.not_found', {
      explain: `Merchant ${owner} has no such transaction.`,
    })
  }
  router.post('/hold', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const owner = readOwner(parameters)
    response.json(await holdWebhooks(parts, owner, await refOf(owner, readWebhookHold(parameters))))
  })
  router.post('/release', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const owner = readOwner(parameters)
    const released = await releaseWebhooks(
      parts,
      owner,
      await refOf(owner, readWebhookHold(parameters)),
    )
    response.json({ released })
  })
  router.get('/sending', async (_request, response) => {
    const { delivery } = await readOverrides(parts, readOwner(exchangeOf(response).parameters))
    response.json(delivery ?? null)
  })
  router.put('/sending', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const delivery = readDeliverySettings(parameters)
    await changeOverrides(parts, readOwner(parameters), () => ({ delivery }))
    response.json(delivery)
  })
  return router
}

/** Finds the delivery in the address, if it is a delivery of `merchant_id`. */
const filterOf = (request: Request<{ id: string }>, response: Response): DeliveryFilter => ({
  id: readId(request.params.id) ?? -1,
  merchantId: readMerchantId(exchangeOf(response).parameters),
})

const moment = (at: number | null) => (at === null ? null : wireTime(at))

const presentDelivery = (row: WebhookDeliveryRow) => ({
  id: row.id,
  merchant_id: row.merchant_id,
  created_at: wireTime(row.created_at),
  event_id: row.event_id,
  webhook_id: row.message_id,
  transaction_id: row.transaction_id,
  webhook: row.webhook_id,
  template: row.template,
  type: row.type,
  trigger: row.trigger,
  url: row.url,
  http_method: row.http_method,
  data_format: row.data_format,
  email: row.email,
  status: row.status,
  attempts: row.calls,
  due_at: moment(row.due_at),
})

const presentAttempt = (row: WebhookAttemptRow) => ({
  id: row.id,
  number: row.number,
  created_at: wireTime(row.created_at),
  manual: row.manual,
  outcome: row.outcome,
  duration: row.duration,
  response: row.response,
  request_headers: row.request_headers,
  request_body: row.request_body,
})

const presentNotification = (row: NotificationRow) => ({
  id: row.id,
  merchant_id: row.merchant_id,
  created_at: wireTime(row.created_at),
  kind: row.kind,
  delivery_id: row.delivery_id,
  transaction_id: row.transaction_id,
  message: row.message,
})
