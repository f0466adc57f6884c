export { readBody } from './body.ts'
export { LIMITS, type Limits } from './limits.ts'

import { isDeepStrictEqual } from 'node:util'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isObject, type JsonObject, type JsonValue, nameForExplain } from '../../domain/json.ts'
import { checkCharset, checkContentEncoding, readHeader } from './body.ts'
import { readByteText, readText } from './encoding.ts'
import { readForm, readMultipart } from './form.ts'
import { parseJsonText } from './json.ts'
import { createTooLongError, LIMITS, type Limits, rejectTooMany } from './limits.ts'
import type { Parameters } from './parameters.ts'

/** The parts of a request that parameters are read from. */
export interface RawRequest {
  /** Text after the `?` of the address, one character for each byte, as from Node; may be empty. */
  readonly query: string
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly body: Uint8Array
}

type BodyReader = (body: Buffer, limits: Limits, boundary: string | undefined) => JsonObject

/**
 * Body formats by content type (observed: Body formats). A body without one, or with `text/plain`
 * as browsers label a bare string, is JSON if it begins with a bracket and a form otherwise (our
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
 * Reads the parameters of a request from its query and its body, for every method: a body of a GET
 * is read too (our decision). A name in both places must have the same value in both. Unknown names
 * are kept; the API ignores them.
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
      'The Content-Type must be application/x-www-form-urlencoded or application/json.',
    )
  const body = Buffer.from(raw.body.buffer, raw.body.byteOffset, raw.body.length)
  return reader(body, limits, contentType.parameters.get('boundary'))
}

function readFormBody(body: Buffer, limits: Limits): JsonObject {
  return readForm(bodyText(body), limits)
}

function readJsonBody(body: Buffer, limits: Limits): JsonObject {
  // The body itself is not part of a parameter, so it does not count as a level.
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
  if (!isObject(value)) throw badFormat('A JSON body must be an object.')
  rejectTooMany(Object.keys(value).length, limits)
  return value
}

function readMultipartBody(body: Buffer, limits: Limits, boundary: string | undefined): JsonObject {
  if (boundary) return readMultipart(body, boundary, limits)
  // Some clients label a form like this; multipart without its boundary is a different, common
  // mistake.
  if (body.toString('latin1', 0, 2) === '--')
    throw badFormat(
      'The Content-Type multipart/form-data has no boundary. Let the HTTP client set this header.',
    )
  return readFormBody(body, limits)
}

function readUnlabelledBody(body: Buffer, limits: Limits): JsonObject {
  return /^\s*[{[]/.test(bodyText(body)) ? readJsonBody(body, limits) : readFormBody(body, limits)
}

/** Decodes a body, without the byte order mark that some editors and clients add. */
function bodyText(body: Buffer): string {
  const text = readText(body)
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function merge(query: JsonObject, body: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(query)) {
    const other = body[name]
    if (other !== undefined && !sameValue(value, other))
      throw badFormat(
        `${nameForExplain(name)} has different values in the query and the body. Send it once.`,
      )
  }
  return Object.assign(Object.create(null), query, body)
}

/** Compares a text value with a JSON value: `true` and `"true"` are equal. */
function sameValue(one: JsonValue, other: JsonValue): boolean {
  const nested = typeof one === 'object' || typeof other === 'object'
  return nested ? isDeepStrictEqual(one, other) : String(one) === String(other)
}

function badFormat(explain: string): GatewayError {
  return new GatewayError('errors.request.bad_format', { explain })
}
