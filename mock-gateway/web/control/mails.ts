import { Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { pickOnly, readMerchantId, wholeNumber } from '../../parsing/control/read.ts'
import { wireTime } from '../../serializers/time.ts'
import type { Database } from '../../storage/database.ts'
import { findMail } from '../../storage/mails.ts'
import { newestRows } from '../../storage/newest.ts'
import type { MailRow } from '../../storage/tables/mails.ts'
import { emlOf } from '../../webhooks/mail/mail.ts'
import { mailOf } from '../../webhooks/mail/mail-transport.ts'
import { exchangeOf } from '../http/exchange.ts'

export interface MailControlDependencies {
  readonly database: Database
}

const MAX_MAILS = 100

/**
 * Serves `/_control/mails`: all mails, sent or not, newest first; `/_control/mails/7.eml` as a
 * file.
 */
export function mailControl({ database }: MailControlDependencies): Router {
  const router = Router()
  router.get('/', async (_request, response) => {
    const { parameters } = exchangeOf(response)
    const limit =
      wholeNumber(pickOnly(parameters, ['limit']), 'limit', { least: 1, most: MAX_MAILS }) ??
      MAX_MAILS
    const mails = await newestRows(database.db, 'mails', readMerchantId(parameters), {
      limit,
      offset: 0,
    })
    response.json({ mails: mails.map(presentMail) })
  })
  router.get('/:name', async (request, response) => {
    const { parameters } = exchangeOf(response)
    pickOnly(parameters, [])
    const [, written = '', asFile] = /^(\d+)(\.eml)?$/.exec(request.params.name) ?? []
    const id = readId(written)
    const mail = id === undefined ? undefined : await findMail(database.db, id)
    const merchantId = readMerchantId(parameters) ?? mail?.merchant_id
    if (!mail || mail.merchant_id !== merchantId)
      throw new GatewayError('errors.not_found', {
        explain: 'The merchant has no mail with this id.',
      })
    if (!asFile) return void response.json(presentMail(mail))
    response.setHeader('Content-Disposition', `attachment; filename="mail-${mail.id}.eml"`)
    response.type('message/rfc822').send(await emlOf(mailOf(mail)))
  })
  return router
}

const presentMail = ({ sender, recipient, created_at, ...mail }: MailRow) => ({
  ...mail,
  from: sender,
  to: recipient,
  created_at: wireTime(created_at),
})
