import { isDeepStrictEqual } from 'node:util'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isObject, type JsonObject, type JsonValue, nameForExplain } from '../../domain/json.ts'
import { checkContentEncoding } from './body.ts'
import { checkCharset, readHeader } from './content-type.ts'
import { readByteText, readText } from './encoding.ts'
import { readForm } from './form.ts'
import { parseJsonText } from './json.ts'
import { createTooLongError, LIMITS, type Limits, rejectTooMany } from './limits.ts'
import { readMultipart } from './multipart.ts'
import type { Parameters } from './parameters.ts'

export { readBody } from './body.ts'
export { LIMITS, type Limits } from './limits.ts'

/** What the parameters of a request are read from. */
export interface RawRequest {
  /** What follows the `?` of the address, one character per byte as Node gives it; may be empty. */
  readonly query: string
  /** Header Content-Type. */
  readonly contentType: string | undefined
  /** Header Content-Encoding. */
  readonly contentEncoding: string | undefined
  readonly body: Uint8Array
}

type BodyReader = (body: Buffer, limits: Limits, boundary: string | undefined) => JsonObject

/**
 * Formats by content type (observed: Body formats). A body without one, or with `text/plain` as
 * browsers label a bare string, is JSON when it begins with a bracket and a form otherwise (our
 * decision).
 */
const READERS: ReadonlyMap<string, BodyReader> = new Map([
  ['application/x-www-form-urlencoded', readFormBody],
  ['application/json', readJsonBody],
  ['text/json', readJsonBody],
  ['multipart/form-data', readMultipartBody],
  ['text/plain', readUnlabelledBody],
  ['', readUnlabelledBody],
])

const EMPTY: JsonObject = Object.freeze(Object.create(null))

/**
 * Reads the parameters of a request from its query and its body, whatever the method: a body on a
 * GET counts like any other (our decision). A name in both places must have the same value in both.
 * Names are not judged here; unknown ones are kept, and the API ignores them.
 * @param limits replaces some of `LIMITS`
 * @throws GatewayError errors.request.bad_format: over a limit, two values for one name, an unknown
 *   content type, charset or encoding, a file, a NUL character; errors.request.json_error: the body
 *   is not JSON; errors.encoding.invalid: not UTF-8; errors.metadata.invalid: a malformed metadata
 *   name
 */
export function readParameters(raw: RawRequest, limits: Partial<Limits> = {}): Parameters {
  const all = { ...LIMITS, ...limits }
  const query = raw.query === '' ? EMPTY : readForm(readByteText(raw.query), all)
  if (raw.body.length === 0) return query
  const body = readRawBody(raw, all)
  return raw.query === '' ? body : merge(query, body)
}

function readRawBody(raw: RawRequest, limits: Limits): JsonObject {
  if (raw.body.length > limits.bodyBytes) throw createTooLongError(limits.bodyBytes)
  checkContentEncoding(raw.contentEncoding)
  const contentType = readHeader(raw.contentType)
  checkCharset(contentType)
  const reader = READERS.get(contentType.type)
  if (reader === undefined)
    throw badFormat(
      'The Content-Type must be application/x-www-form-urlencoded or application/json',
    )
  const body = Buffer.from(raw.body.buffer, raw.body.byteOffset, raw.body.length)
  return reader(body, limits, contentType.parameters.get('boundary'))
}

function readFormBody(body: Buffer, limits: Limits): JsonObject {
  return readForm(bodyText(body), limits)
}

function readJsonBody(body: Buffer, limits: Limits): JsonObject {
  // The body's own brackets are not inside a parameter, so they do not count as a level.
  const depth = limits.depth + 1
  const options = {
    subject: 'The JSON body',
    error: 'errors.request.json_error',
    depth,
    keepNumberText: true,
  } as const
  const value = parseJsonText(bodyText(body), options)
  // PHP writes an empty array of parameters as [].
  if (Array.isArray(value) && value.length === 0) return EMPTY
  if (!isObject(value)) throw badFormat('A JSON body must be an object')
  rejectTooMany(Object.keys(value).length, limits)
  return value
}

function readMultipartBody(body: Buffer, limits: Limits, boundary: string | undefined): JsonObject {
  if (boundary) return readMultipart(body, boundary, limits)
  // Some clients mislabel a form so; real multipart without its boundary is another mistake, and a
  // common one.
  if (body.toString('latin1', 0, 2) === '--')
    throw badFormat(
      'The Content-Type multipart/form-data has no boundary; let the HTTP client set this header',
    )
  return readFormBody(body, limits)
}

function readUnlabelledBody(body: Buffer, limits: Limits): JsonObject {
  return /^\s*[{[]/.test(bodyText(body)) ? readJsonBody(body, limits) : readFormBody(body, limits)
}

/** The text of a body without the byte order mark that some editors and clients put first. */
function bodyText(body: Buffer): string {
  const text = readText(body)
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function merge(query: JsonObject, body: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(query)) {
    const other = body[name]
    if (other !== undefined && !sameValue(value, other))
      throw badFormat(
        `${nameForExplain(name)} has different values in the query and the body; send it once`,
      )
  }
  return Object.assign(Object.create(null), query, body)
}

/** Compares what was sent as text with what was sent as JSON: `true` and `"true"` are the same. */
function sameValue(one: JsonValue, other: JsonValue): boolean {
  const nested = typeof one === 'object' || typeof other === 'object'
  return nested ? isDeepStrictEqual(one, other) : String(one) === String(other)
}

function badFormat(explain: string): GatewayError {
  return new GatewayError('errors.request.bad_format', { explain })
}
