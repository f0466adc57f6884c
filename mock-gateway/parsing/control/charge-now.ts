import type { ChargeNow } from '../../subscriptions/charge-now.ts'
import { type Parameters, text } from '../parameters/parameters.ts'
import { readNextOutcome } from './payments.ts'
import { badFormat, pickOnly, readMoment } from './read.ts'

/** @throws errors.request.bad_format */
export function readChargeNow(parameters: Parameters): ChargeNow {
  const { at: moment, outcome = null } = pickOnly(parameters, ['at', 'outcome'])
  const at = readMoment({ at: moment }, 'at')
  if (at === undefined) throw badFormat('at is missing. Send the time of the charge.')
  return {
    at,
    outcome:
      text({ outcome }, 'outcome') === undefined
        ? undefined
        : readNextOutcome('payment', { outcome }).outcome,
  }
}
