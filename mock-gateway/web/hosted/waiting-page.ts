import type { Addresses } from '../../domain/addresses.ts'
import { shownVersion } from '../../payments/on-page.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { challengeAddress } from './authentication.ts'
import type { HostedPage } from './page.ts'
import type { PaymentVisit } from './visit.ts'

/**
 * Builds the page shown while the bank authenticates the payer: the remaining time, and links to
 * continue or leave. It updates by itself.
 * @param asked the pending authentication; undefined if it has just ended
 */
export const waitingPage = (
  { row, merchant, now }: PaymentVisit,
  asked: AuthenticationRow | undefined,
  addresses: Addresses,
): HostedPage => ({
  view: 'waiting',
  of: { row, merchant },
  data: () => ({
    challenge: challengeAddress(row, addresses),
    seconds_left: Math.max(0, Math.round(((asked?.expires_at ?? now) - now) / 1000)),
    minutes_left: Math.max(0, Math.ceil(((asked?.expires_at ?? now) - now) / 60_000)),
    can_leave: row.error_url !== null,
    version: shownVersion(row),
  }),
})
