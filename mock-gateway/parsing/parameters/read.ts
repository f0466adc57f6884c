import { isDeepStrictEqual } from 'node:util'
import { badFormat, type GatewayError } from '../../domain/errors/errors.ts'
import { isObject, type JsonObject, type JsonValue, nameForExplain } from '../../domain/json.ts'
import { checkCharset, checkContentEncoding, readHeader } from './body.ts'
import { percentDecode, readByteText, readText } from './encoding.ts'
import { parseJsonText } from './json.ts'
import { createTooLongError, LIMITS, type Limits, rejectTooMany } from './limits.ts'
import type { Parameters } from './parameters.ts'
import { createTree, insert, parsePath, toParameters } from './tree.ts'

export { readBody } from './body.ts'
export { LIMITS, type Limits } from './limits.ts'

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
  return readForm(decodeBody(body), limits)
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
  const value = parseJsonText(decodeBody(body), options)
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
  return /^\s*[{[]/.test(decodeBody(body)) ? readJsonBody(body, limits) : readFormBody(body, limits)
}

/** Decodes a body, without the byte order mark that some editors and clients add. */
function decodeBody(body: Buffer): string {
  const text = readText(body)
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function merge(query: JsonObject, body: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(query)) {
    const other = body[name]
    if (other !== undefined && !isSameValue(value, other))
      throw badFormat(
        `${nameForExplain(name)} has different values in the query and the body. Send it once.`,
      )
  }
  return Object.assign(Object.create(null), query, body)
}

/** Compares a text value with a JSON value: `true` and `"true"` are equal. */
function isSameValue(one: JsonValue, other: JsonValue): boolean {
  const nested = typeof one === 'object' || typeof other === 'object'
  return nested ? isDeepStrictEqual(one, other) : String(one) === String(other)
}

/**
 * Reads `application/x-www-form-urlencoded` text, from a query or a body. A name without `=` is
 * null; empty pieces between `&` are skipped.
 * @throws GatewayError errors.encoding.invalid, errors.request.bad_format, errors.metadata.invalid:
 *   see `percentDecode`, `parsePath` and `insert`
 */
export function readForm(text: string, limits: Limits): JsonObject {
  const tree = createTree()
  const fields = text.split('&', limits.parameters + 1)
  rejectTooMany(fields.length, limits)
  let nests = false
  for (const field of fields) {
    if (field === '') continue
    const equals = field.indexOf('=')
    const name = percentDecode(equals < 0 ? field : field.slice(0, equals))
    const value = equals < 0 ? null : percentDecode(field.slice(equals + 1))
    const path = parsePath(name, limits.depth)
    insert(tree, path, value)
    nests ||= path.length > 1
  }
  return nests ? toParameters(tree) : tree
}

/** Transfer encodings that do not change the bytes; RFC 7578 allows no other in practice. */
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['', '7bit', '8bit', 'binary'])

/**
 * Reads the text fields of a `multipart/form-data` body (RFC 7578).
 * @param boundary from the Content-Type, without the leading `--`
 * @throws GatewayError errors.request.bad_format for a file, and for a body that is cut or not
 *   multipart; errors.encoding.invalid if a name or value is not UTF-8; the errors of `parsePath`
 *   and `insert`
 */
export function readMultipart(body: Buffer, boundary: string, limits: Limits): JsonObject {
  const tree = createTree()
  for (const part of splitParts(body, boundary, limits)) {
    const headersEnd = part.indexOf('\r\n\r\n')
    if (!part.startsWith('\r\n') || headersEnd < 0) throw createMalformedBodyError()
    const name = readFieldName(readPartHeaders(part.slice(2, headersEnd)))
    insert(tree, parsePath(name, limits.depth), readByteText(part.slice(headersEnd + 4)))
  }
  return toParameters(tree)
}

/** Returns the parts, as text with one character for each byte. */
function splitParts(body: Buffer, boundary: string, limits: Limits): string[] {
  // The line break before a delimiter belongs to it; the first delimiter may start the body.
  const pieces = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`, limits.parameters + 3)
  rejectTooMany(pieces.length - 2, limits)
  if (!pieces.at(-1)?.startsWith('--') || pieces.length < 2) throw createMalformedBodyError()
  return pieces.slice(1, -1)
}

function readPartHeaders(block: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of block.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

function readFieldName(headers: ReadonlyMap<string, string>): string {
  const disposition = readHeader(headers.get('content-disposition'))
  if (disposition.parameters.has('filename') || disposition.parameters.has('filename*'))
    throw createFileError()
  checkCharset(readHeader(headers.get('content-type')))
  if (!PLAIN_ENCODINGS.has(headers.get('content-transfer-encoding')?.toLowerCase() ?? ''))
    throw createMalformedBodyError()
  const name = disposition.parameters.get('name')
  if (disposition.type !== 'form-data' || name === undefined) throw createMalformedBodyError()
  // Browsers write a quote inside a name as %22 and only encode line breaks otherwise.
  return readByteText(name.replaceAll('%22', '"'))
}

function createFileError(): GatewayError {
  return badFormat('Files are not accepted. Send text fields only.')
}

function createMalformedBodyError(): GatewayError {
  return badFormat(
    'The multipart body is invalid. Send it as application/x-www-form-urlencoded, which is simpler.',
  )
}
