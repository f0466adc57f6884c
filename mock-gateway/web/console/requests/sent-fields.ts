import { isNested, type JsonObject, type JsonValue } from '../../../domain/json.ts'
import { NOT_KEPT } from '../../http/kept-texts.ts'

/** A parameter with its name in a form, such as `metadata[a]`. */
export type Field = readonly [name: string, value: string]

/** Converts parameters to form fields. */
export const fieldsIn = (sent: JsonObject): Field[] =>
  Object.entries(sent).flatMap(([name, value]) => nested(name, value))

function nested(name: string, value: JsonValue): Field[] {
  if (!isNested(value)) return [[name, value === null ? '' : String(value)]]
  if (Array.isArray(value)) return value.flatMap((item, index) => nested(`${name}[${index}]`, item))
  return Object.entries(value).flatMap(([key, member]) => nested(`${name}[${key}]`, member))
}

/** Placeholders for the reader to replace. */
const TO_FILL_IN: Readonly<Record<string, string>> = { card_number: 'CARD_NUMBER', card_cvv: 'CVV' }

/** Returns the fields that can be sent again, without encrypted and unstored values. */
export const fieldsToSend = (sent: JsonObject): Field[] =>
  fieldsIn(sent).flatMap(([name, value]): Field[] =>
    name === 'encrypted' || value === '(encrypted)' || value === NOT_KEPT
      ? []
      : [[name, TO_FILL_IN[name] ?? value]],
  )
