import { GatewayError } from '../../domain/errors/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import { checkCharset, readHeader } from './body.ts'
import { percentDecode, readByteText } from './encoding.ts'
import { type Limits, rejectTooMany } from './limits.ts'
import { emptyTree, insert, parametersOf, parsePath } from './tree.ts'

/**
 * Reads `application/x-www-form-urlencoded` text, from a query or a body. A name without `=` is
 * null; empty pieces between `&` are skipped.
 * @throws GatewayError errors.encoding.invalid, errors.request.bad_format, errors.metadata.invalid:
 *   see `percentDecode`, `parsePath` and `insert`
 */
export function readForm(text: string, limits: Limits): JsonObject {
  const tree = emptyTree()
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
  return nests ? parametersOf(tree) : tree
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
  const tree = emptyTree()
  for (const part of splitParts(body, boundary, limits)) {
    const headersEnd = part.indexOf('\r\n\r\n')
    if (!part.startsWith('\r\n') || headersEnd < 0) throw malformedBody()
    const name = fieldName(partHeaders(part.slice(2, headersEnd)))
    insert(tree, parsePath(name, limits.depth), readByteText(part.slice(headersEnd + 4)))
  }
  return parametersOf(tree)
}

/** Returns the parts, as text with one character for each byte. */
function splitParts(body: Buffer, boundary: string, limits: Limits): string[] {
  // The line break before a delimiter belongs to it; the first delimiter may start the body.
  const pieces = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`, limits.parameters + 3)
  rejectTooMany(pieces.length - 2, limits)
  if (!pieces.at(-1)?.startsWith('--') || pieces.length < 2) throw malformedBody()
  return pieces.slice(1, -1)
}

function partHeaders(block: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of block.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

function fieldName(headers: ReadonlyMap<string, string>): string {
  const disposition = readHeader(headers.get('content-disposition'))
  if (disposition.parameters.has('filename') || disposition.parameters.has('filename*'))
    throw file()
  checkCharset(readHeader(headers.get('content-type')))
  if (!PLAIN_ENCODINGS.has(headers.get('content-transfer-encoding')?.toLowerCase() ?? ''))
    throw malformedBody()
  const name = disposition.parameters.get('name')
  if (disposition.type !== 'form-data' || name === undefined) throw malformedBody()
  // Browsers write a quote inside a name as %22 and only encode line breaks otherwise.
  return readByteText(name.replaceAll('%22', '"'))
}

function file(): GatewayError {
  return new GatewayError('errors.request.bad_format', {
    explain: 'Files are not accepted. Send text fields only.',
  })
}

function malformedBody(): GatewayError {
  return new GatewayError('errors.request.bad_format', {
    explain:
      'The multipart body is invalid. Send it as application/x-www-form-urlencoded, which is simpler.',
  })
}
