import type { Addresses } from '../domain/addresses.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { EncryptedNames } from './parameters/decrypt.ts'

/** Who sends a request, and when. */
export interface Sender {
  readonly merchant: Merchant
  /** True when a password proved it: everything in the request is then the merchant's own. */
  readonly loggedIn: boolean
  readonly encrypted: EncryptedNames
  /** Epoch milliseconds UTC. */
  readonly now: number
  readonly addresses: Addresses
}
