import { isObject, type JsonObject } from '../json.ts'
import type { Hundredths } from '../money/money.ts'

/** Test cards with a fraud score, by their last four digits. */
const CARDS: Readonly<Record<string, number>> = { '1881': 60, '4444': 80, '5100': 95 }

/** Whole part of amounts whose decimals are the score: 6000.85 scores 85. */
const SCORE_AMOUNT = 6000

/** Input of the simulated fraud check. */
export interface FraudCheckInput {
  readonly test: boolean
  readonly metadata: JsonObject | null
  readonly amount: Hundredths | null
  /** First six and last four digits; undefined if no card pays. */
  readonly cardNumber: string | undefined
}

/**
 * Calculates the fraud score from 0 to 100 (decision 92). In test mode the first match counts: the
 * metadata (`service_instructions: { fraud_score: 85 }`), an amount of 6000 with the score as its
 * decimals, a card of the table; otherwise 0.
 */
export function fraudScore({ test, metadata, amount, cardNumber = '' }: FraudCheckInput): number {
  if (!test) return 0
  const instructions = metadata?.service_instructions
  const asked = isObject(instructions) ? Number(instructions.fraud_score ?? Number.NaN) : Number.NaN
  if (Number.isInteger(asked) && asked >= 0 && asked <= 100) return asked
  if (amount !== null && Math.floor(amount / 100) === SCORE_AMOUNT) return amount % 100
  return CARDS[cardNumber.slice(-4)] ?? 0
}
