import { entryByCode, entryByName, keyOf } from '../../domain/errors/errors.ts'
import type { NextOutcome } from '../../storage/next-outcomes.ts'
import { type Parameters, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly, readMerchantId, wholeNumber } from './read.ts'

/** What setting the next outcome takes. */
export const NEXT_OUTCOME_FIELDS = ['outcome', 'times'] as const

const MOST_TIMES = 1_000_000

/** @throws errors.request.bad_format */
export function readNextOutcome(parameters: Parameters): NextOutcome {
  const sent = pickOnly(parameters, NEXT_OUTCOME_FIELDS)
  const written = text(sent, 'outcome') ?? ''
  const entry = entryByName(written) ?? entryByCode(Number(written))
  if (written !== 'approved' && !entry)
    throw badFormat('outcome must be approved, or an error by its name or number, such as errors.payment.declined')
  return {
    merchant_id: readMerchantId(parameters) ?? null,
    outcome: entry ? keyOf(entry) : 'approved',
    times: wholeNumber(sent, 'times', { least: 1, most: MOST_TIMES }) ?? 1,
  }
}
