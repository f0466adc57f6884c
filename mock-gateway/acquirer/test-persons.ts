import type { ErrorName } from '../domain/errors/errors.ts'
import type { InvoiceCountry } from '../domain/payer/personal-numbers.ts'

/** Name and address in the population register. */
export interface RegisteredPerson {
  readonly first_name: string
  readonly last_name: string
  readonly address_1: string
  readonly zip: string
  readonly city: string
}

/** A person whose credit check has a known answer. */
export interface TestPerson {
  readonly country: InvoiceCountry
  /** Personal number in the form that `parsePersonalNumber` returns. */
  readonly number: string
  /** Null if the number is not in a register. */
  readonly registered: RegisteredPerson | null
  /** The error of the credit check; undefined if it approves. */
  readonly refusal?: ErrorName
}

const NOT_FOUND = 'errors.invoice.address_not_found'
const DENIED = 'errors.invoice.credit_approval_failed'
const TOO_HIGH = 'errors.invoice.amount.requested.higher_than_maximum_purchase_amount'
const TOO_LOW = 'errors.invoice.amount.requested.lower_than_minimum_purchase_amount'

/**
 * Test persons (specification: Test-mode behavior; the values are our decision). All numbers are
 * formally valid, and none can belong to a living person: the tax agency publishes the Swedish ones
 * for tests, the Norwegian ones have 80 added to the month like synthetic persons, and the Finnish
 * ones are from the series 900 to 999, which is reserved for tests.
 */
// biome-ignore format: one person a row
export const TEST_PERSONS: readonly TestPerson[] = [
  { country: 'SWE', number: '199006022397', registered: createPerson('Testa', 'Fakturasson', 'Provgatan 1', '99999', 'Exempelstad') },
  { country: 'SWE', number: '199107172380', registered: null, refusal: NOT_FOUND },
  { country: 'SWE', number: '199610202385', registered: createPerson('Nekar', 'Kreditsson', 'Provgatan 3', '99999', 'Exempelstad'), refusal: DENIED },
  { country: 'SWE', number: '199312162390', registered: createPerson('Hög', 'Beloppsson', 'Provgatan 4', '99999', 'Exempelstad'), refusal: TOO_HIGH },
  { country: 'SWE', number: '199312172381', registered: createPerson('Låg', 'Beloppsson', 'Provgatan 5', '99999', 'Exempelstad'), refusal: TOO_LOW },
  { country: 'NOR', number: '01819010001', registered: createPerson('Testine', 'Fakturasen', 'Prøveveien 1', '9999', 'Eksempelby') },
  { country: 'NOR', number: '02829010030', registered: null, refusal: NOT_FOUND },
  { country: 'NOR', number: '03839010140', registered: createPerson('Nekter', 'Kredittsen', 'Prøveveien 3', '9999', 'Eksempelby'), refusal: DENIED },
  { country: 'NOR', number: '04849010099', registered: createPerson('Høy', 'Beløpsen', 'Prøveveien 4', '9999', 'Eksempelby'), refusal: TOO_HIGH },
  { country: 'NOR', number: '05859010018', registered: createPerson('Lav', 'Beløpsen', 'Prøveveien 5', '9999', 'Eksempelby'), refusal: TOO_LOW },
  { country: 'FIN', number: '010190-901R', registered: createPerson('Testi', 'Laskunen', 'Koekatu 1', '99998', 'Mallila') },
  { country: 'FIN', number: '020290-9027', registered: null, refusal: NOT_FOUND },
  { country: 'FIN', number: '030390-903P', registered: createPerson('Kielto', 'Luottonen', 'Koekatu 3', '99998', 'Mallila'), refusal: DENIED },
  { country: 'FIN', number: '040490-9046', registered: createPerson('Suuri', 'Summanen', 'Koekatu 4', '99998', 'Mallila'), refusal: TOO_HIGH },
  { country: 'FIN', number: '050590-905N', registered: createPerson('Pieni', 'Summanen', 'Koekatu 5', '99998', 'Mallila'), refusal: TOO_LOW },
]

/**
 * Finds the test person with this number. The century of a Swedish number can be omitted (observed:
 * 11.7).
 */
export const findTestPerson = (country: InvoiceCountry, number: string): TestPerson | undefined =>
  TEST_PERSONS.find(
    (one) => one.country === country && (one.number === number || isShort(one, number)),
  )

const isShort = (one: TestPerson, number: string) =>
  one.country === 'SWE' && one.number.slice(2) === number

function createPerson(
  first_name: string,
  last_name: string,
  address_1: string,
  zip: string,
  city: string,
): RegisteredPerson {
  return { first_name, last_name, address_1, zip, city }
}
