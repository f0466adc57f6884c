import { entryByKey } from '../../../domain/errors/errors.ts'
import type { ForcedOutcome } from '../../../domain/order/decision.ts'
import type { SafeHtml } from '../../pages/html.ts'
import { datalist } from '../parts/forms.ts'

/** Common errors of shops' tests; every other error of the catalogue can be typed. */
const USUAL: readonly Exclude<ForcedOutcome, 'approved'>[] = [
  'errors.payment.declined',
  'errors.card.expired',
  'errors.card.do_not_honour',
  'errors.bankprovider.insufficient_funds',
  'errors.payment.failed',
  'errors.payment.amount_low',
  'errors.stored_card.not_active',
  'errors.service_not_available',
]

/** Suggested outcomes with their meaning. */
const OUTCOMES = [
  { value: 'approved', text: 'Approved, whatever the card' },
  ...USUAL.map((value) => ({ value, text: entryByKey(value).en })),
]

/** Renders the suggestions of a field. */
export const outcomeSuggestions = (): SafeHtml =>
  datalist(
    'outcomes',
    OUTCOMES.map(({ value, text }) => [value, text]),
  )

/** Common outcomes of the next payment, in plain words. */
export const NEXT_IN_WORDS = {
  'Decline the next payment, as CVV 201': 'errors.payment.declined',
  'Fail: insufficient funds': 'errors.bankprovider.insufficient_funds',
  'Fail: expired card': 'errors.card.expired',
  'Fail: do not honour': 'errors.card.do_not_honour',
  'Fail: no answer from the bank': 'errors.payment.failed',
  'Approve the next payment, whatever the card': 'approved',
} as const satisfies Readonly<Record<string, ForcedOutcome>>

/** Common outcomes of the next capture, with their delay. */
export const CAPTURES_IN_WORDS: readonly {
  readonly words: string
  readonly outcome: ForcedOutcome
  readonly seconds: number
}[] = [
  { words: 'Approve the next capture after an hour', outcome: 'approved', seconds: 3_600 },
  {
    words: 'Decline the next capture after a minute',
    outcome: 'errors.payment.declined',
    seconds: 60,
  },
  {
    words: 'Fail the next capture after a minute: no answer from the bank',
    outcome: 'errors.payment.failed',
    seconds: 60,
  },
]
