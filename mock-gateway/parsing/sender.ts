import type { Addresses } from '../domain/addresses.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { EncryptedNames } from './parameters/decrypt.ts'

/** Sender and time of a request. */
export interface Sender {
  readonly merchant: Merchant
  /** True if a password authenticated the request: then all of it comes from the merchant. */
  readonly loggedIn: boolean
  readonly encrypted: EncryptedNames
  /** Epoch milliseconds UTC. */
  readonly now: number
  readonly addresses: Addresses
}
