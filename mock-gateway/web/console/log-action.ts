import type { Request, Response } from 'express'
import { readId } from '../../domain/identifiers.ts'
import type { Logger } from '../../domain/logger.ts'
import type { Operator } from '../../merchants/sessions.ts'
import { getClient, getExchange } from '../http/exchange.ts'
import { getRoute } from '../http/request-facts.ts'

/**
 * Logs a console action with its user, address and time (attack 134). An allow-list, like the log
 * line of a request: of the sent values only the id in the address is logged.
 */
export function logAction(
  logger: Logger,
  request: Request,
  response: Response,
  { merchantId }: Operator,
): void {
  const { id, merchant, errorName } = getExchange(response)
  if (errorName !== undefined) return
  const by = merchantId === undefined ? 'administrator' : 'merchant'
  const { ip } = getClient(request)
  const merchant_id = merchant?.id ?? merchantId ?? null
  const facts = {
    request_id: id,
    act: getRoute(request) ?? null,
    of: readId(String(request.params.id ?? '')) ?? null,
  }
  logger.info(
    { ...facts, by, ip, merchant_id },
    `In the console, ${by}${merchantId ? ` ${merchantId}` : ''} from ${ip}:`,
  )
}
