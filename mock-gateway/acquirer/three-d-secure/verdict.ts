import { createHmac } from 'node:crypto'
import type { Ambient } from '../../domain/ambient.ts'
import type { CardType } from '../../domain/card/card-types.ts'
import type {
  AuthenticationPlan,
  FinalAuthenticationResult,
  ServerIds,
} from '../../domain/card/three-d-secure.ts'
import type { BankDecision, BankRefusal } from '../../domain/order/decision.ts'

/** Consequence of a result for the payment. */
interface Verdict {
  /** EMV 3-D Secure: transStatus; null when the issuer was not reached. */
  readonly transStatus: 'Y' | 'A' | 'N' | 'U' | 'R' | null
  /** EMV 3-D Secure: transStatusReason. */
  readonly reason: string | null
  /** Kind of the electronic commerce indicator of the payment. */
  readonly strength: 'full' | 'attempted' | 'none'
  /** The reason why it cannot be paid; undefined if it can. */
  readonly refusal?: BankRefusal
}

const TEST_MODE_CAUSES =
  'In test mode this result comes from the card number, metadata.service_instructions.three_d_secure or the page of the bank. Card 4111111111111111 pays without 3-D Secure.'

const refusal = (
  kind: BankRefusal['kind'],
  error: BankRefusal['error'],
  what: string,
): BankRefusal => ({
  kind,
  error,
  explain: `3-D Secure: ${what}. ${TEST_MODE_CAUSES}`,
})

const UNAVAILABLE = refusal(
  'declined',
  'errors.mpi.not_approved',
  "the issuer cannot authenticate, and the merchant's setting three_d_secure_unavailable declines such payments",
)

/** Every result that ends an authentication (reference: outcomes). */
export const VERDICTS: Readonly<Record<FinalAuthenticationResult, Verdict>> = {
  Y: { transStatus: 'Y', reason: null, strength: 'full' },
  A: { transStatus: 'A', reason: null, strength: 'attempted' },
  N: {
    transStatus: 'N',
    reason: '01',
    strength: 'none',
    refusal: refusal('declined', 'errors.mpi.not_approved', 'the payer was not authenticated'),
  },
  U: { transStatus: 'U', reason: '22', strength: 'none' },
  R: {
    transStatus: 'R',
    reason: '11',
    strength: 'none',
    refusal: refusal(
      'declined',
      'errors.mpi.not_approved',
      'the issuer rejected the authentication, so the payer needs another card',
    ),
  },
  bypass: { transStatus: null, reason: null, strength: 'none' },
  error: {
    transStatus: null,
    reason: null,
    strength: 'none',
    refusal: refusal('failed', 'errors.mpi.invalid', 'the issuer answered with a protocol error'),
  },
  timeout: {
    transStatus: null,
    reason: '14',
    strength: 'none',
    refusal: refusal('failed', 'errors.transaction.timeout', 'the issuer did not answer in time'),
  },
  cancel: {
    transStatus: 'N',
    reason: null,
    strength: 'none',
    refusal: refusal('failed', 'errors.payment.canceled', 'the payer cancelled'),
  },
  disabled: {
    transStatus: null,
    reason: null,
    strength: 'none',
    refusal: refusal('failed', 'errors.mpi.disabled', 'not enabled for the merchant'),
  },
}

/** Treatment of payments whose issuer cannot authenticate (setting three_d_secure_unavailable). */
export type UnavailablePolicy = 'accept' | 'refuse'

/** Returns why this result forbids the payment; undefined if it allows it. */
export const findRefusal = (
  result: FinalAuthenticationResult,
  unavailable: UnavailablePolicy,
): BankRefusal | undefined =>
  result === 'U' && unavailable === 'refuse' ? UNAVAILABLE : VERDICTS[result].refusal

/** Returns the refusal by 3-D Secure, or else the bank's decision. */
export const decideAfterAuthentication = (
  result: FinalAuthenticationResult,
  bank: BankDecision,
  unavailable: UnavailablePolicy,
): BankDecision => findRefusal(result, unavailable) ?? bank

/** Brands of Mastercard's network; all others count as Visa does. */
const OF_MASTERCARD: readonly CardType[] = [
  'mastercard',
  'debit_mastercard',
  'maestro',
  'uk_maestro',
]

const INDICATORS = {
  visa: { full: '05', attempted: '06', none: '07' },
  mastercard: { full: '02', attempted: '01', none: '00' },
} as const

/** Returns the electronic commerce indicator (ECI): two digits. */
export const findEci = (brand: CardType, result: FinalAuthenticationResult): string =>
  INDICATORS[OF_MASTERCARD.includes(brand) ? 'mastercard' : 'visa'][VERDICTS[result].strength]

/** Facts of an authentication for the bank, as in `payment_response.three_d_secure` and the log. */
export interface AuthenticationFacts extends ServerIds {
  readonly version: string
  readonly flow: AuthenticationPlan['flow']
  readonly trans_status: string | null
  readonly trans_status_reason: string | null
  readonly eci: string
  /** 20 bytes in base64; null if nothing was authenticated. */
  readonly cavv: string | null
  /** 20 bytes in base64: the transaction id of version 1.0. */
  readonly xid: string
}

/** An authentication, and its result. */
export interface AuthenticationResult {
  readonly plan: Pick<AuthenticationPlan, 'flow' | 'version' | 'reason' | 'result'>
  readonly result: FinalAuthenticationResult
  readonly brand: CardType
  readonly ids: ServerIds
  /** Our id of the authentication. */
  readonly ref: string
  /** Secret of this authentication. */
  readonly key: string
}

/**
 * Returns the facts of an authentication. The same authentication always has the same facts.
 */
export function createAuthenticationFacts({
  plan,
  result,
  brand,
  ids,
  ref,
  key,
}: AuthenticationResult): AuthenticationFacts {
  const { transStatus, reason, strength } = VERDICTS[result]
  return {
    version: plan.version,
    flow: plan.flow,
    trans_status: transStatus,
    trans_status_reason: (result === plan.result ? plan.reason : undefined) ?? reason,
    eci: findEci(brand, result),
    cavv: strength === 'none' ? null : cryptogram(key, `cavv ${ref}`),
    xid: cryptogram(key, `xid ${ref}`),
    ...ids,
  }
}

const cryptogram = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, 20).toString('base64')

/** Creates the ids of a new authentication. */
export const createServerIds = (randomBytes: Ambient['randomBytes']): ServerIds => ({
  ds_trans_id: uuid(randomBytes),
  acs_trans_id: uuid(randomBytes),
  three_ds_server_trans_id: uuid(randomBytes),
})

/** Creates a UUID of version 4 (RFC 9562, 5.4). */
function uuid(randomBytes: Ambient['randomBytes']): string {
  const bytes = Buffer.from(randomBytes(16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
