import type { Response } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { readMerchantId } from '../../parsing/control/read.ts'
import { allMerchants } from '../../storage/merchants.ts'
import type { OpenWork } from '../../work/work.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'

/**
 * Opens the unit of work for the merchant in `merchant_id`, by default the first one.
 * @throws errors.merchant.not_found (104)
 */
export async function workOfOwner(
  response: Response,
  authenticator: Authenticator,
): Promise<OpenWork> {
  const { parameters, service } = exchangeOf(response)
  const id = readMerchantId(parameters) ?? (await allMerchants(service.database.db))[0]?.id
  const merchant: Merchant | undefined = id === undefined ? undefined : await authenticator.find(id)
  if (!merchant)
    throw new GatewayError('errors.merchant.not_found', {
      explain: 'There is no merchant yet. Create one with POST /_control/merchants.',
    })
  return workOf(response, merchant)
}
