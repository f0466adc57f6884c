import { readAsked } from '../../acquirer/three-d-secure/plan.ts'
import type { Instructions } from '../../domain/card/three-d-secure.ts'
import type { Parameters } from '../parameters/parameters.ts'
import { badFormat, pickOnly, readMerchantId } from './read.ts'

/** What setting the next authentication takes, as `service_instructions.three_d_secure` does. */
const NEXT_AUTHENTICATION_FIELDS = ['flow', 'result', 'delay_seconds', 'version'] as const

/** @throws errors.request.bad_format */
export function readNextAuthentication(parameters: Parameters): { merchantId: number; asked: Instructions } {
  const sent = pickOnly(parameters, NEXT_AUTHENTICATION_FIELDS)
  const merchantId = readMerchantId(parameters)
  if (merchantId === undefined) throw badFormat('merchant_id says whose next authentication it is')
  const asked = readAsked(sent)
  if (asked && Object.keys(sent).length === Object.keys(asked).length) return { merchantId, asked }
  throw badFormat(
    'flow is frictionless, challenge or none, result one of Y, N, A, U, R, error, timeout, cancel, abandon, replay, tamper, ' +
      'delay_seconds 0 to 900, version 1.0.2, 2.1.0 or 2.2.0; at least one of them',
  )
}
