import fc from 'fast-check'
import { TEST_CARDS } from '../../../mock-gateway/domain/card/test-cards.ts'
import type { Document } from '../../../mock-gateway/web/docs/contract.ts'
import { mutatedLiquid } from './mutated-liquid.ts'

/** Test persons with and without an approved invoice. */
const PERSONS = [
  { country: 'SWE', number: '199006022397' },
  { country: 'SWE', number: '9107172380' },
  { country: 'SWE', number: '199610202385' },
  { country: 'SWE', number: '199001019999' },
  { country: 'NOR', number: '01819010001' },
  { country: 'FIN', number: '010190-901R' },
  { country: 'FIN', number: '050590-905N' },
]

/** `payment_details` of the test persons. */
export const PAYERS = PERSONS.map(({ country, number }) => ({
  ...{
    personal_number: number,
    country_code: country,
    first_name: 'Kim',
    last_name: 'Berg',
    email: 'kim@shop.exmaple',
  },
  ...{
    phone: '+46701234567',
    address_1: 'Street 1',
    zip: '12345',
    city: 'Town',
    segmentation: 'b2c',
  },
}))

/** Typical input for fields that have no example in a document. */
const TYPED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    card_number: ['4111111111111111', ...TEST_CARDS.keys()],
    card_expiry: ['1240', '12/40', '0128', '1219'],
    card_cvv: ['200', '200', '201', '204', '1234'],
    card_holder: ['Kim Berg'],
    code: ['1234', '1234', '0000', '9999'],
    attempt: ['an-attempt-of-a-payer'],
    ...Object.fromEntries(
      ['personal_number', 'ssn'].map((name) => [name, PERSONS.map(({ number }) => number)]),
    ),
    country_code: PERSONS.map(({ country }) => country),
    amount: ['10.00', '1.00', '6000.85'],
    days: ['1', '40'],
    months: ['1', '13'],
  }),
)

/** Returns all examples of a document for a name. */
function examplesIn(
  document: unknown,
  found = new Map<string, Set<string>>(),
): ReadonlyMap<string, ReadonlySet<string>> {
  if (typeof document !== 'object' || document === null) return found
  const { properties } = document as {
    readonly properties?: Readonly<Record<string, { readonly examples?: unknown }>>
  }
  for (const [name, schema] of Object.entries(properties ?? {})) {
    const examples = [schema?.examples ?? []]
      .flat()
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    if (examples.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...examples]))
  }
  for (const part of Object.values(document)) examplesIn(part, found)
  return found
}

/**
 * Returns generators of typical input by the name of a field. Only the last part of a nested name
 * counts.
 */
export function typedBy(documents: readonly Document[]): (name: string) => fc.Arbitrary<string> {
  const examples = examplesIn(documents)
  return (name) => {
    const [, last = name] = /(\w+)"?\]?$/.exec(name) ?? []
    if (['source', 'template', 'body'].includes(last)) return mutatedLiquid
    const known = TYPED.get(last) ?? [...(examples.get(last) ?? [])]
    return fc.constantFrom(
      ...known,
      ...(known.length > 0 ? [] : ['', '1', 'Kim', '10.00', 'true', '2026-04-01']),
    )
  }
}
