import type { CardType } from '../../domain/card/card-types.ts'
import type { FinalAuthenticationResult } from '../../domain/card/three-d-secure.ts'
import type { BankDecision, BankRefusal } from '../../domain/order/decision.ts'

/** Consequence of a result for the payment. */
export interface Verdict {
  /** EMV 3-D Secure: transStatus; null when the issuer was not reached. */
  readonly transStatus: 'Y' | 'A' | 'N' | 'U' | 'R' | null
  /** EMV 3-D Secure: transStatusReason. */
  readonly reason: string | null
  /** Kind of the electronic commerce indicator of the payment. */
  readonly strength: 'full' | 'attempted' | 'none'
  /** The reason why it cannot be paid; undefined if it can. */
  readonly refusal?: BankRefusal
}

const BY =
  'In test mode this result comes from the card number, metadata.service_instructions.three_d_secure or the page of the bank. Card 4111111111111111 pays without 3-D Secure.'

const refusal = (
  kind: BankRefusal['kind'],
  error: BankRefusal['error'],
  what: string,
): BankRefusal => ({
  kind,
  error,
  explain: `3-D Secure: ${what}. ${BY}`,
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
export const refusalBy = (
  result: FinalAuthenticationResult,
  unavailable: UnavailablePolicy,
): BankRefusal | undefined =>
  result === 'U' && unavailable === 'refuse' ? UNAVAILABLE : VERDICTS[result].refusal

/** The word that counts: the bank's, where the authentication lets it. */
export const wordAfter = (
  result: FinalAuthenticationResult,
  bank: BankDecision,
  unavailable: UnavailablePolicy,
): BankDecision => refusalBy(result, unavailable) ?? bank

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
export const eciOf = (brand: CardType, result: FinalAuthenticationResult): string =>
  INDICATORS[OF_MASTERCARD.includes(brand) ? 'mastercard' : 'visa'][VERDICTS[result].strength]
