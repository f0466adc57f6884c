import { type JsonValue, MAX_DEPTH, nameForExplain } from '../../domain/json.ts'
import { percentDecode, readBase64, readText } from './encoding.ts'
import { OPENING, parseJsonText } from './json.ts'

/** The start of a JSON object, list or text, percent-encoded. */
const ENCODED_OPENING = /^%(?:7B|5B|22)/i

/**
 * Parses a field that should contain an object or a list: the value itself, or its JSON in any
 * spelling (specification: Endpoints, JSON text; observed: Object-valued fields, the other
 * spellings).
 * @returns undefined if the field is unset: missing, null or empty, or the JSON text `null`
 * @throws GatewayError errors.json.malformed if the text is not JSON in any spelling; the errors of
 *   `parseJson`
 */
export function parseSpelling<Name extends string>(
  parameters: { readonly [N in Name]?: JsonValue | undefined },
  name: Name,
): JsonValue | undefined {
  const value = parameters[name]
  if (typeof value !== 'string') return value ?? undefined
  if (value.trim() === '') return undefined
  const options = {
    subject: nameForExplain(name),
    error: 'errors.json.malformed',
    depth: MAX_DEPTH,
  } as const
  return parseJsonText(jsonText(value), options) ?? undefined
}

function jsonText(text: string): string {
  if (OPENING.test(text)) return text
  if (ENCODED_OPENING.test(text)) return percentDecode(text)
  return fromBase64(text) ?? text
}

/**
 * Decodes base64; undefined if the result does not begin like JSON, as for the words `null` and
 * `true`.
 */
function fromBase64(text: string): string | undefined {
  const bytes = readBase64(text)
  if (bytes === undefined || !/^\s*[{["]/.test(bytes.toString('latin1'))) return undefined
  return readText(bytes)
}
