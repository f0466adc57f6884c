import type { DeclinedCvv } from '../../acquirer/test-mode.ts'
import { TEST_CARDS } from '../../domain/card/test-cards.ts'

/** A test card that is never challenged. */
export const PLAIN_CARD = '4111111111111111'

/** Outcomes by CVV (specification: Test-mode behavior). */
const CVVS: Readonly<Record<'200' | DeclinedCvv, readonly [what: string, ends: string]>> = {
  200: ['Any plain test card', 'approved'],
  201: ['Declined by the bank', 'declined, error 129'],
  202: ['Wrong CVV', 'declined, error 125'],
  203: ['Expired card', 'declined, error 130'],
}

export const CVV_CARDS = Object.entries(CVVS).map(([cvv, [what, ends]]) => ({ cvv, what, ends }))

/**
 * Results of 3-D Secure by case, from 1, with the results of their payments, as in
 * `docs/reference/test-cards.md`.
 */
const ISSUERS: readonly (readonly [what: string, ends: string])[] = [
  ['Frictionless: authenticated (Y)', 'approved'],
  ['Frictionless: not authenticated (N)', 'declined, error 169'],
  ['Frictionless: attempted (A)', 'approved'],
  [
    'Frictionless: unavailable, technical issue (U)',
    'approved, or error 169 with three_d_secure_unavailable',
  ],
  ['Frictionless: rejected by the issuer (R)', 'declined, error 169'],
  ['Frictionless: unavailable, no card record (U)', 'as case 4'],
  ['Frictionless: protocol error', 'failed, error 1690'],
  ['Frictionless: times out after 5 seconds', 'failed, error 1280'],
  ['Bypassed by a rule', 'approved'],
  ['Challenge: success (Y)', 'approved'],
  ['Challenge: failed (N)', 'declined, error 169'],
  ['Challenge: unavailable, technical issue (U)', 'as case 4'],
  ['Challenge: protocol error', 'failed, error 1690'],
  ['Challenge: abandoned by the payer', '3ds pending; after 10 minutes failed, error 1280'],
  ['Challenge: cancelled by the payer', 'failed, error 1290'],
  ['Challenge: success after 10 seconds', 'approved'],
  ['Challenge: response sent twice (replay)', 'approved; the second response changes nothing'],
  [
    'Challenge: forged response (tampering)',
    'error 1690, 3ds pending; after 10 minutes failed, error 1280',
  ],
  ['3-D Secure not enabled for the merchant', 'failed, error 1691'],
  ['Soft decline, then challenge: success', 'approved'],
  ['Challenge in an app: success', 'approved'],
  ['Single-choice challenge: success', 'approved'],
  ['Multiple-choice challenge: success', 'approved'],
  ['Electronic ID challenge: success', 'approved'],
]

/** First Visa number of each case. */
export const THREE_D_SECURE_CARDS = ISSUERS.map(([what, ends], index) => {
  const [number = ''] = [...TEST_CARDS].find(([, card]) => card.threeDSecure === index + 1) ?? []
  return { number, what, ends }
})
