import type { Addresses } from '../domain/addresses.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { HashedPart } from '../domain/order/hash.ts'
import { checkRequestHash, type SentHash, type VerifiedHash } from '../domain/order/request-hash.ts'
import type { ClientFacts } from '../storage/tables/transactions.ts'
import type { EncryptedNames } from './parameters/decrypt.ts'
import { type CallParameters, flag, isSent, text } from './parameters/parameters.ts'

/** The hash, and the parameters it covers (specification: Authentication, 3; observed: 3.1). */
export const HASHED_FIELDS = [
  'hash',
  'payment_ref',
  'order_id',
  'customer_ref',
  'amount',
  'currency',
  'test',
] as const

type HashParameters = CallParameters<(typeof HASHED_FIELDS)[number]>

/** The part of the hash for each parameter. */
const PARTS: Readonly<Record<string, HashedPart>> = {
  payment_ref: 'paymentRef',
  order_id: 'paymentRef',
  customer_ref: 'customerRef',
  amount: 'amount',
  currency: 'currency',
  test: 'test',
}

/** Reads the hash of a request and the parts it covers, as sent. */
export const readHash = (sent: HashParameters, encrypted: EncryptedNames): SentHash => ({
  hash: text(sent, 'hash'),
  paymentRef: text(sent, 'payment_ref') ?? text(sent, 'order_id'),
  customerRef: text(sent, 'customer_ref'),
  amount: text(sent, 'amount'),
  currency: text(sent, 'currency'),
  test: flag(sent, 'test'),
  hidden: new Set([...encrypted].flatMap((name) => PARTS[name] ?? [])),
})

/**
 * Authenticates a new order by its hash. A request without a login may come from a payer, who may
 * have changed everything that the hash leaves out: if it names a customer, the hash must cover the
 * customer, and a live order that was turned into a test payment must not be accepted as paid
 * (decisions 27 and 29).
 * @returns `uncovered` only if the payer may have changed the request
 * @throws errors.hash.missing (106), errors.hash.invalid (107)
 */
export function authenticateByHash(
  sent: HashParameters,
  {
    merchant,
    loggedIn,
    encrypted,
    now,
  }: Pick<Sender, 'merchant' | 'loggedIn' | 'encrypted' | 'now'>,
): VerifiedHash {
  const provesCustomer = !loggedIn && isSent(sent, 'customer_ref')
  const hash = readHash(sent, encrypted)
  const checked = checkRequestHash(merchant, hash, { provesCustomer, now })
  return loggedIn || !hash.test ? { ...checked, uncovered: [] } : checked
}

/** Sender and time of a request. */
export interface Sender {
  readonly merchant: Merchant
  /** True if a password authenticated the request: then all of it comes from the merchant. */
  readonly loggedIn: boolean
  readonly encrypted: EncryptedNames
  readonly client: ClientFacts
  /** Epoch milliseconds UTC. */
  readonly now: number
  readonly addresses: Addresses
}
