import { GatewayError } from '../domain/errors/errors.ts'

/**
 * The status of a plan, a stored card or a subscription, in any case. Clients that send one back as
 * they got it name `active` too, so both are read everywhere.
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
