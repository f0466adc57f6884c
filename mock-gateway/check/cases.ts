import { BANK_CASES } from './cases/bank.ts'
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

/** In the order in which they run. */
export const CASES: readonly CheckCase[] = [
  ...PAYMENT_CASES,
  ...RETURN_CASES,
  ...WEBHOOK_CASES,
  ...FORGED_CASES,
  ...BANK_CASES,
  ...SERVICE_CASES,
  ...MONEY_CASES,
  ...SUBSCRIPTION_CASES,
  ...ORDER_CASES,
]
