import { inserterInto } from './rows.ts'

export const insertRefund = inserterInto('refunds')
