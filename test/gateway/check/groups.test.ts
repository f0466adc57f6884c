/** Tests that the cases that passed correct the cause of a case that failed. */
import { expect, test } from 'vitest'
import { causeById } from '../../../mock-gateway/check/causes.ts'
import {
  type CaseResult,
  explainResults,
  groupByCause,
} from '../../../mock-gateway/check/groups.ts'

const failed = (name: string, cause: string): CaseResult => {
  const mistake = causeById(cause)
  return {
    case: name,
    id: name,
    verdict: 'failed',
    cause: 'Seen.',
    seconds: 0,
    ...(mistake && { mistake }),
  }
}
const passed = (name: string): CaseResult => ({
  case: name,
  id: name,
  verdict: 'passed',
  seconds: 0,
})

test.for([
  ['race', [failed('plain', 'message-sends-again'), passed('clocks-apart')]],
  [
    'webhook-forgotten',
    [
      failed('clocks-apart', 'message-sends-again'),
      passed('webhook-twice'),
      failed('webhook-later', 'webhook-forgotten'),
    ],
  ],
  [
    'message-sends-again',
    [failed('webhook-twice', 'webhook-sends-again'), failed('return-twice', 'return-sends-again')],
  ],
  [
    'declined-fulfilled',
    [failed('return-after-decline', 'return-believed'), passed('return-unpaid')],
  ],
  [
    'late-charge-ignored',
    [failed('subscription-outage', 'charge-ignored'), passed('subscription-charged')],
  ],
] as const)('the other cases show the cause "%s"', ([cause, results]) => {
  expect(groupByCause(results).map((group) => group.cause)).toEqual([cause])
  const [first] = explainResults(results)
  expect(first?.cause).toBe(`${causeById(cause)?.says} Seen.`)
})
