import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { badFormat, type GatewayError } from '../../domain/errors/errors.ts'
import { createTooLongError, LIMITS } from './limits.ts'

/** The used part of Node's incoming message. */
export type BodyStream = Readable & {
  readonly headers: IncomingHttpHeaders
  /** True if the whole message has arrived. */
  readonly complete?: boolean
}

/**
 * Collects the bytes of a request's body, never more than the limit. If it rejects the body, it
 * drops further bytes, so that the answer can be sent; the caller should answer with `Connection:
 * close`, which ends the dropping.
 * @param limit bytes
 * @throws GatewayError errors.request.bad_format: longer than the limit, another length than
 *   Content-Length, a Content-Encoding or Transfer-Encoding other than chunked, a connection that
 *   ended too early
 */
export async function readBody(
  stream: BodyStream,
  limit: number = LIMITS.bodyBytes,
): Promise<Buffer> {
  const promised = stream.headers['content-length']
  try {
    checkContentEncoding(stream.headers['content-encoding'])
    checkTransferEncoding(stream.headers['transfer-encoding'])
    if (promised !== undefined && Number(promised) > limit) throw createTooLongError(limit)
    const body = hasArrived(stream) ? readArrived(stream) : await collect(stream, limit)
    if (body.length > limit) throw createTooLongError(limit)
    if (promised !== undefined && Number(promised) !== body.length)
      throw badFormat(
        'Content-Length differs from the length of the body. Let the HTTP client set this header.',
      )
    return body
  } catch (error) {
    stream.resume()
    throw error
  }
}

/**
 * Accepts only uncompressed bodies: a few compressed bytes could become gigabytes (decision 25).
 * @throws GatewayError errors.request.bad_format for every Content-Encoding except `identity`
 */
export function checkContentEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw badFormat('A body must be sent without Content-Encoding.')
}

/** Node only decodes chunks. */
function checkTransferEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked')
    throw badFormat('Transfer-Encoding must be chunked.')
}

/**
 * Returns true if the body has arrived with the headers, like most small ones. Waiting for an event
 * would take longer than reading it.
 */
const hasArrived = ({ complete, destroyed, readableFlowing }: BodyStream): boolean =>
  complete === true && !destroyed && readableFlowing === null

/** Reads all bytes that have arrived: Node 26 returns them in pieces, Node 24 at once. */
function readArrived(stream: Readable): Buffer {
  const chunks: Buffer[] = []
  for (let chunk: Buffer | null = stream.read(); chunk !== null; chunk = stream.read())
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

function collect(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cut = () =>
      reject(
        badFormat('The connection ended before the body was complete. Send the request again.'),
      )
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else reject(createTooLongError(limit))
    })
    stream.on('end', () => resolve(Buffer.concat(chunks)))
    stream.on('error', cut)
    // Every stream emits `close`, also after its end: an error, with its stack, is only created for
    // a cut one.
    stream.on('close', () => stream.readableEnded || cut())
    // A client that disconnected earlier causes no more events.
    if (stream.destroyed) cut()
  })
}

/** A parsed Content-Type or Content-Disposition header. */
interface HeaderValue {
  /** Lower case, without parameters; empty if the header is missing. */
  readonly type: string
  /** Parameter values by name in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

/** One `; name=value` or `; name="value"`, with backslash escapes in the quotes. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g

/** Charsets whose bytes are UTF-8. */
const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/**
 * Splits a header of the form `type; name=value` (RFC 9110, section 5.6.6). Unreadable parts are
 * ignored.
 * @throws GatewayError errors.request.bad_format if a parameter appears twice: readers disagree
 *   which one counts
 */
export function readHeader(header: string | undefined): HeaderValue {
  const value = header ?? ''
  const end = value.indexOf(';')
  const parameters = new Map<string, string>()
  if (end >= 0) {
    for (const [, name = '', quoted, plain = ''] of value.slice(end).matchAll(PARAMETER)) {
      const key = name.toLowerCase()
      if (parameters.has(key)) throw createRepeatedError()
      parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain)
    }
  }
  return { type: (end < 0 ? value : value.slice(0, end)).trim().toLowerCase(), parameters }
}

/**
 * Accepts UTF-8 or no charset.
 * @throws GatewayError errors.request.bad_format for every other charset, since a wrong guess could
 *   change an amount
 */
export function checkCharset(header: HeaderValue): void {
  const charset = header.parameters.get('charset')
  if (charset !== undefined && !UTF8.has(charset.toLowerCase()))
    throw badFormat('The charset of a request must be UTF-8.')
}

function createRepeatedError(): GatewayError {
  return badFormat('A content header contains a parameter twice. Send each parameter once.')
}
