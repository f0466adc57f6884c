import { GatewayError } from '../domain/errors/errors.ts'

/**
 * Reads the status of a plan, a stored card or a subscription, in any case. Clients that send an
 * object back unchanged also send `active`, so both values are accepted.
 * @throws errors.status.invalid (148)
 */
export function readActiveOrCancelled(
  sent: string | undefined,
  explain: string,
): 'active' | 'cancelled' | undefined {
  const status = sent?.toLowerCase()
  if (status === undefined || status === 'active' || status === 'cancelled') return status
  throw new GatewayError('errors.status.invalid', { explain })
}
