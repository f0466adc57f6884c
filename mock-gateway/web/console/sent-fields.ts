import { maskNumber } from '../../domain/card/card-types.ts'
import { TEST_CARDS } from '../../domain/card/test-cards.ts'
import { isNested, type JsonObject, type JsonValue } from '../../domain/json.ts'

/** One parameter, its name as a form has it, such as `metadata[a]`. */
export type Field = readonly [name: string, value: string]

/** Parameters as the fields of a form. */
export const fieldsIn = (sent: JsonObject): Field[] =>
  Object.entries(sent).flatMap(([name, value]) => nested(name, value))

function nested(name: string, value: JsonValue): Field[] {
  if (!isNested(value)) return [[name, value === null ? '' : String(value)]]
  if (Array.isArray(value)) return value.flatMap((item, index) => nested(`${name}[${index}]`, item))
  return Object.entries(value).flatMap(([key, member]) => nested(`${name}[${key}]`, member))
}

/**
 * Fields that can be sent again: of a masked number the test card that it is of, and a code that pays. What came
 * encrypted was not kept, so it is left out.
 */
export const fieldsToSend = (sent: JsonObject): Field[] =>
  fieldsIn(sent).flatMap(([name, value]): Field[] => {
    if (name === 'encrypted' || value === '(encrypted)') return []
    return [[name, TEST_NUMBERS.get(value) ?? (/cvv/i.test(name) && value === '***' ? PAYS : value)]]
  })

/** The CVV of test mode that pays (specification: test cards). */
const PAYS = '200'

const TEST_NUMBERS: ReadonlyMap<string, string> = new Map(
  [...TEST_CARDS.keys()].map((number) => [maskNumber(number.slice(0, 6), number.slice(-4)), number]),
)
