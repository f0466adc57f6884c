import { entryByKey } from '../../domain/errors/errors.ts'
import type { ForcedOutcome } from '../../domain/order/decision.ts'

/** What shops try out most; every other error of the catalogue can be written as well. */
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

/** What a form proposes that asks for an outcome, and what each means. */
export const OUTCOMES = [
  { value: 'approved', text: 'Whatever the card says' },
  ...USUAL.map((value) => ({ value, text: entryByKey(value).en })),
]
