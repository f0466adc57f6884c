import type { Addresses } from '../../domain/addresses.ts'
import { challengeAddress } from './authentication.ts'
import type { Page } from './page.ts'
import type { Visit } from './visit.ts'

/** What a payer sees while a payment is under way elsewhere. It asks by itself how it goes on. */
export const waiting = ({ row, merchant }: Visit, addresses: Addresses): Page => ({
  view: 'waiting',
  of: { row, merchant },
  data: () => ({ challenge: row.status === '3ds pending' ? challengeAddress(row, addresses) : null }),
})
