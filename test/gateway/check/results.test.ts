/** Tests that the cases that passed and failed decide the cause of a failure. */
import { expect, test } from 'vitest'
import { findCauseById } from '../../../mock-gateway/check/causes.ts'
import { ShopFault, type Violation } from '../../../mock-gateway/check/errors.ts'
import { toEvidence } from '../../../mock-gateway/check/evidence.ts'
import { explainResults, type UnexplainedResult } from '../../../mock-gateway/check/results.ts'
import type { StepKind } from '../../../mock-gateway/check/story.ts'

const passed = (name: string): UnexplainedResult => ({
  case: name,
  id: name,
  verdict: 'passed',
  seconds: 0,
})

/** @param kinds steps of the case. A queue has fulfilled nothing after each. */
function failed(
  name: string,
  violation: Violation,
  ...kinds: readonly StepKind[]
): UnexplainedResult {
  const steps = kinds.map((kind) => ({ at: '', kind, says: kind, answers: [] }))
  const evidence = toEvidence(new ShopFault(violation, 'Seen.'), steps)
  return { ...passed(name), verdict: 'failed', cause: 'Seen.', evidence }
}
const again = (name: string, ...kinds: readonly StepKind[]) =>
  failed(name, 'fulfilled again', 'pay', ...kinds)
const unpaid = (name: string, ...kinds: readonly StepKind[]) =>
  failed(name, 'fulfilled unpaid', ...kinds)

const BOTH = ['return', 'webhook'] as const

test.for([
  ['race', [again('plain', ...BOTH), passed('clocks-apart')]],
  ['race', [again('double-click', 'return'), passed('return-twice'), passed('webhook-first')]],
  [
    'webhook-forgotten',
    [again('clocks-apart', ...BOTH), passed('webhook-twice'), again('webhook-later', 'webhook')],
  ],
  ['message-sends-again', [again('webhook-first', ...BOTH), again('webhook-twice', 'webhook')]],
  [
    'webhook-sends-again',
    [again('plain', ...BOTH), again('webhook-twice'), passed('webhook-first')],
  ],
  ['webhook-and-return-send', [again('plain', ...BOTH), passed('webhook-twice')]],
  [
    'webhook-after-return-sends',
    [again('plain', ...BOTH), passed('webhook-twice'), passed('webhook-first')],
  ],
  [
    'order-closed-later',
    [again('late-error-page', 'decline', ...BOTH), passed('webhook-twice'), passed('plain')],
  ],
  ['return-sends-again', [again('return-twice', ...BOTH), passed('webhook-twice')]],
  ['sent-again-after-refund', [again('every-order', 'refund', 'webhook'), passed('webhook-twice')]],
  [
    'declined-fulfilled',
    [unpaid('return-after-decline', 'decline', 'forged return'), passed('return-unpaid')],
  ],
  [
    'declined-fulfilled',
    [
      unpaid('declined', 'decline', 'return'),
      unpaid('webhook-live', 'decline', 'forged webhook'),
      passed('return-unpaid'),
    ],
  ],
] as const)('the other cases show the cause "%s"', ([cause, results]) => {
  const explained = explainResults(results)
  expect(explained.causes.map((group) => group.cause)).toEqual([cause])
  expect(explained.results[0]?.cause).toBe(`${findCauseById(cause)?.says} Seen.`)
})
