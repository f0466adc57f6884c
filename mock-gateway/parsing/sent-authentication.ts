import type { SentAuthentication } from '../payments/commands.ts'
import { type CallParameters, text } from './parameters/parameters.ts'

/**
 * Parameters that the page adds to its payment after 3-D Secure. It gets them from the message of
 * the bank's window (observed: 5).
 */
export const AUTHENTICATION_FIELDS = ['ref', 'eci', 'provider_ref'] as const

/** Returns undefined if the request contains no authentication. */
export function readAuthentication(
  sent: CallParameters<(typeof AUTHENTICATION_FIELDS)[number]>,
): SentAuthentication | undefined {
  const read = {
    ref: text(sent, 'ref'),
    eci: text(sent, 'eci'),
    providerRef: text(sent, 'provider_ref'),
  }
  return Object.values(read).some((value) => value !== undefined) ? read : undefined
}
