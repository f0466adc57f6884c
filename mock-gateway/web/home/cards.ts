import type { DeclinedCvv } from '../../acquirer/test-mode.ts'
import { TEST_CARDS } from '../../domain/card/test-cards.ts'

/** A test card, and what comes of it. */
export interface ShownCard {
  readonly number: string
  readonly cvv: string
  readonly what: string
  readonly ends: string
}

/** What the CVV decides (specification: Test-mode behavior). */
const CVVS: Readonly<Record<'200' | DeclinedCvv, readonly [what: string, ends: string]>> = {
  200: ['Any plain test card', 'approved'],
  201: ['The bank says no', 'declined, 129'],
  202: ['A wrong CVV', 'declined, 125'],
  203: ['An expired card', 'declined, 130'],
}

export const CVV_CARDS: readonly ShownCard[] = Object.entries(CVVS).map(([cvv, [what, ends]]) => ({
  number: '4111111111111111',
  cvv,
  what,
  ends,
}))

/** What the issuer does in each of the cases of 3-D Secure, from 1, and how the payment ends: as `docs/reference/settings.md` has it. */
const ISSUERS: readonly (readonly [what: string, ends: string])[] = [
  ['authenticates without asking', 'approved'],
  ['does not, without asking', 'declined, 169'],
  ['attempted it', 'approved'],
  ['cannot now', 'approved, or 169 by three_d_secure_unavailable'],
  ['rejects', 'declined, 169'],
  ['does not know the card', 'as 4'],
  ['answers with an error', 'failed, 1690'],
  ['is silent for 5 seconds', 'failed, 1280'],
  ['is passed by, by a rule', 'approved'],
  ['asks on its page', 'approved'],
  ['asks, and says no', 'declined, 169'],
  ['asks, and breaks off', 'as 4'],
  ['asks, and answers with an error', 'failed, 1690'],
  ['asks, and never answers', '3ds pending; after 10 minutes failed, 1280'],
  ['asks, and the payer cancels', 'failed, 1290 errors.payment.canceled'],
  ['asks, and answers 10 seconds later', 'approved'],
  ['asks, and answers twice', 'approved; the second is refused with 1690'],
  ['asks; the answer is forged', '1690, 3ds pending; after 10 minutes failed, 1280'],
  ['none: the merchant has no 3-D Secure', 'failed, 1691'],
  ['asks only after the bank demands it', 'approved'],
  ['asks in an app', 'approved'],
  ['asks to choose one answer', 'approved'],
  ['asks to choose several answers', 'approved'],
  ['asks for an electronic ID', 'approved'],
]

/** The Visa of each case: the first number that stands for it. */
export const THREE_D_SECURE_CARDS: readonly ShownCard[] = ISSUERS.map(([what, ends], index) => {
  const [number = ''] = [...TEST_CARDS].find(([, card]) => card.threeDSecure === index + 1) ?? []
  return { number, cvv: '200', what, ends }
})
