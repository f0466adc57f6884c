import {
  isNested,
  isObject,
  type JsonObject,
  type JsonValue,
  parseExactly,
} from '../domain/json.ts'
import { xmlOf } from './xml.ts'

/** Content of a webhook call, in one of the formats (specification: data_format). */
export interface WebhookBody {
  readonly contentType: string
  readonly text: string
}

/** @param kept JSON text of the object, as stored at the time of the event */
const FORMATS: Readonly<Record<string, (kept: string) => WebhookBody>> = {
  json: (kept) => ({ contentType: 'application/json; charset=utf-8', text: kept }),
  form_data: (kept) => ({ contentType: 'application/x-www-form-urlencoded', text: formOf(kept) }),
  xml: (kept) => ({
    contentType: 'application/xml; charset=utf-8',
    text: xmlOf(parseStored(kept)),
  }),
}

/** @param format one of json, form_data, xml */
export function bodyOf(kept: string, format: string): WebhookBody {
  const make = FORMATS[format]
  if (!make) throw new TypeError(`There is no data_format ${format}`)
  return make(kept)
}

/**
 * Formats each attribute as a field; objects and lists are JSON text (observed: 10.2), null is
 * empty.
 */
export const formOf = (kept: string): string =>
  String(
    new URLSearchParams(
      Object.entries(parseStored(kept)).map(([name, value]) => [name, fieldOf(value)]),
    ),
  )

const fieldOf = (value: JsonValue): string =>
  isNested(value) ? JSON.stringify(value) : String(value ?? '')

/**
 * Builds the address of a GET: appends the fields to the query, which stays unchanged (observed:
 * 10.3).
 */
export function appendQuery(url: string, query: string): string {
  const [address = '', ...fragment] = url.split('#')
  const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?'
  return [address + joint + query, ...fragment].join('#')
}

/** Numbers keep their digits. */
function parseStored(kept: string): JsonObject {
  const value = parseExactly(kept)
  if (!isObject(value)) throw new TypeError('The body of a webhook must be an object')
  return value
}
