import type { DeclineRule } from './authorization.ts'
import { findTestPerson } from './test-persons.ts'

/**
 * The simulated credit check: test persons get the answer of their row; everybody else is found and may buy
 * (our decision).
 */
export const byCreditCheck: DeclineRule = ({ test, source }) => {
  const person = test && source.kind === 'invoice' ? findTestPerson(source.country, source.personalNumber) : undefined
  return (
    person?.refusal && {
      kind: 'declined',
      error: person.refusal,
      explain:
        'In test mode this personal number is that of a test person whom the credit check refuses; every number that is no such person is approved',
    }
  )
}
