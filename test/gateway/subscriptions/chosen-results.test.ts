import { expect, test } from 'vitest'
import type { ForcedOutcome } from '../../../mock-gateway/domain/order/decision.ts'
import { createChosenResults } from '../../../mock-gateway/subscriptions/charge-now.ts'
import { findNextOutcome, type OpenWork, type Work } from '../../../mock-gateway/work/work.ts'

const NOON = Date.UTC(2026, 2, 14, 12)

/** Records the forced result that the bank gets for a charge. */
function outcomesOf() {
  const chosenResults = createChosenResults()
  const inside = {
    merchant: {},
    nextOutcomes: { take: async () => ({ outcome: 'errors.card.expired', seconds: 0 }) },
  } as unknown as Work
  const work = {
    ...inside,
    write: async (steps: (work: Work) => unknown) => steps(inside),
  } as unknown as OpenWork
  const outcomeOf = async (subscriptionId: number, at: number) =>
    (await chosenResults.applied(work, { subscriptionId, at }).write(findNextOutcome))?.outcome
  const during = <T>(outcome: ForcedOutcome, move: () => Promise<T>) =>
    chosenResults.during({ subscriptionId: 7, at: NOON, outcome }, move)
  return { outcomeOf, during }
}

test('a chosen result applies only to its charge', async () => {
  const { outcomeOf, during } = outcomesOf()
  await during('approved', async () => {
    expect(await outcomeOf(7, NOON)).toBe('approved')
    expect(await outcomeOf(7, NOON + 1)).toBe('errors.card.expired')
    expect(await outcomeOf(8, NOON)).toBe('errors.card.expired')
  })
})

test('a chosen result applies only during its clock move, also if the move fails', async () => {
  const { outcomeOf, during } = outcomesOf()
  const failed = during('approved', async () => {
    throw new Error('somebody else is moving this clock')
  })
  await expect(failed).rejects.toThrow('somebody else')
  expect(await outcomeOf(7, NOON)).toBe('errors.card.expired')
})

test('if two results are chosen at the same time, the one whose clock moves applies', async () => {
  const { outcomeOf, during } = outcomesOf()
  await during('approved', async () => {
    await during('errors.payment.declined', async () =>
      expect(await outcomeOf(7, NOON)).toBe('approved'),
    )
    expect(await outcomeOf(7, NOON)).toBe('approved')
  })
})
