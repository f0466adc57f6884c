import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { GatewayError } from '../../domain/errors/errors.ts'
import { createTooLongError, LIMITS } from './limits.ts'

/** The part of Node's incoming message that is needed. */
export type BodyStream = Readable & {
  readonly headers: IncomingHttpHeaders
  /** Whether it has arrived whole. */
  readonly complete?: boolean
}

/**
 * Collects the bytes of a request's body. It never keeps more than the limit. When it refuses, it
 * drops what still arrives, so that the answer can be sent; the caller should answer with
 * `Connection: close`, which ends the dropping.
 * @param limit bytes
 * @throws GatewayError errors.request.bad_format: longer than the limit, not as long as
 *   Content-Length promised, a Content-Encoding or Transfer-Encoding other than chunked, a
 *   connection that ended too early
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
      throw badFormat('Content-Length differs from the length of the body')
    return body
  } catch (error) {
    stream.resume()
    throw error
  }
}

/**
 * Accepts bodies as they are. Compressed ones are refused: a few bytes could become gigabytes
 * (decision 25).
 * @throws GatewayError errors.request.bad_format for every Content-Encoding but `identity`
 */
export function checkContentEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw badFormat('A body must be sent without Content-Encoding')
}

/** Node undoes chunks and nothing else. */
function checkTransferEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked')
    throw badFormat('Transfer-Encoding must be chunked')
}

/**
 * As most bodies are, small as they are: they arrive with their headers. Waiting for one takes
 * longer than reading it.
 */
const hasArrived = ({ complete, destroyed, readableFlowing }: BodyStream): boolean =>
  complete === true && !destroyed && readableFlowing === null

/** All that has arrived: Node 26 gives it piece by piece, Node 24 at once. */
function readArrived(stream: Readable): Buffer {
  const chunks: Buffer[] = []
  for (let chunk: Buffer | null = stream.read(); chunk !== null; chunk = stream.read())
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

function collect(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cut = () => reject(badFormat('The connection ended before the body was complete'))
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else reject(createTooLongError(limit))
    })
    stream.on('end', () => resolve(Buffer.concat(chunks)))
    stream.on('error', cut)
    // Every stream closes, after its end as well: an error, with its stack, is made only for one
    // that was cut.
    stream.on('close', () => stream.readableEnded || cut())
    // Whoever hung up before this was called will not be heard of again.
    if (stream.destroyed) cut()
  })
}

function badFormat(explain: string): GatewayError {
  return new GatewayError('errors.request.bad_format', { explain })
}
