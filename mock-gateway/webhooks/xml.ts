import { isNested, isObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/**
 * Formats an object as XML (our decision, no example is known): an element for each key, `item` for
 * each entry of a list. A key that is not a valid element name becomes the `key` of an element
 * `entry`. Null is an empty element with `nil="true"`.
 */
export const xmlOf = (object: JsonObject): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(rootOf(object), object)}\n`

/** A stored card has a token, a transaction a payment_ref. */
const rootOf = (object: JsonObject) =>
  Object.hasOwn(object, 'token') ? 'stored_card' : 'transaction'

function element(name: string, value: JsonValue, attribute = ''): string {
  if (value === null) return `<${name}${attribute} nil="true"/>`
  const content = contentOf(value)
  return content === '' ? `<${name}${attribute}/>` : `<${name}${attribute}>${content}</${name}>`
}

function contentOf(value: JsonValue): string {
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
