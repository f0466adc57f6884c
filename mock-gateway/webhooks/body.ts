import {
  isNested,
  isObject,
  type JsonObject,
  type JsonValue,
  parseExactly,
} from '../domain/json.ts'

/** Content of a webhook call, in one of the formats (specification: data_format). */
interface WebhookBody {
  readonly contentType: string
  readonly text: string
}

/** @param kept JSON text of the object, as stored at the time of the event */
const FORMATS: Readonly<Record<string, (kept: string) => WebhookBody>> = {
  json: (kept) => ({ contentType: 'application/json; charset=utf-8', text: kept }),
  form_data: (kept) => ({
    contentType: 'application/x-www-form-urlencoded',
    text: writeForm(kept),
  }),
  xml: (kept) => ({
    contentType: 'application/xml; charset=utf-8',
    text: writeXml(parseStored(kept)),
  }),
}

/** @param format one of json, form_data, xml */
export function writeBody(kept: string, format: string): WebhookBody {
  const make = FORMATS[format]
  if (!make) throw new TypeError(`There is no data_format ${format}`)
  return make(kept)
}

/**
 * Formats each attribute as a field; objects and lists are JSON text (observed: 10.2), null is
 * empty.
 */
export const writeForm = (kept: string): string =>
  String(
    new URLSearchParams(
      Object.entries(parseStored(kept)).map(([name, value]) => [name, writeField(value)]),
    ),
  )

const writeField = (value: JsonValue): string =>
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

/**
 * Formats an object as XML (our decision, no example is known): an element for each key, `item` for
 * each entry of a list. A key that is not a valid element name becomes the `key` of an element
 * `entry`. Null is an empty element with `nil="true"`.
 */
const writeXml = (object: JsonObject): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(chooseRoot(object), object)}\n`

/** A stored card has a token, a transaction a payment_ref. */
const chooseRoot = (object: JsonObject) =>
  Object.hasOwn(object, 'token') ? 'stored_card' : 'transaction'

function element(name: string, value: JsonValue, attribute = ''): string {
  if (value === null) return `<${name}${attribute} nil="true"/>`
  const content = writeContent(value)
  return content === '' ? `<${name}${attribute}/>` : `<${name}${attribute}>${content}</${name}>`
}

function writeContent(value: JsonValue): string {
  if (!isNested(value)) return escapeXml(String(value))
  if (!isObject(value)) return value.map((entry) => element('item', entry)).join('')
  return Object.entries(value)
    .map(([key, member]) =>
      NAME.test(key) ? element(key, member) : element('entry', member, ` key="${escapeXml(key)}"`),
    )
    .join('')
}

/** Element names that every parser accepts: ASCII, without namespaces, not beginning with xml. */
const NAME = /^(?!xml)[a-z_][a-z0-9_.-]{0,99}$/i

/** Removes characters that XML 1.0 forbids, even as references (section 2.2). */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
