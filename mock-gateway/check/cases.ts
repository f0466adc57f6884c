import { BANK_CASES } from './cases/bank.ts'
import { CARD_CASES } from './cases/card.ts'
import type { CheckCase } from './cases/case.ts'
import { ORDER_CASES } from './cases/every-order.ts'
import { FORGED_CASES } from './cases/forged.ts'
import { MONEY_CASES } from './cases/money.ts'
import { PAYMENT_CASES } from './cases/payment.ts'
import { RETURN_CASES } from './cases/return.ts'
import { SERVICE_CASES } from './cases/service.ts'
import { SUBSCRIPTION_CASES } from './cases/subscription.ts'
import { WEBHOOK_CASES } from './cases/webhook.ts'

export type { CheckCase } from './cases/case.ts'

/** Cases by topic, in the order in which they run. */
export const CASE_GROUPS: Readonly<Record<string, readonly CheckCase[]>> = {
  Payments: PAYMENT_CASES,
  'The way back to the shop': RETURN_CASES,
  Webhooks: WEBHOOK_CASES,
  'Forged webhooks': FORGED_CASES,
  '3-D Secure': BANK_CASES,
  'Failures of the service': SERVICE_CASES,
  'Captures and refunds': MONEY_CASES,
  Subscriptions: SUBSCRIPTION_CASES,
  'Cards on the server of the shop': CARD_CASES,
  'Every order of events': ORDER_CASES,
}

/** In the order in which they run. */
export const CASES: readonly CheckCase[] = Object.values(CASE_GROUPS).flat()
