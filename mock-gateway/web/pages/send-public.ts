import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { memoized } from '../../domain/memoized.ts'

/**
 * Sends a public response with an ETag, so that clients can revalidate it. Other responses have
 * none (decision 113).
 */
export const sendPublic = (response: Response, body: string): Response =>
  response.set('ETag', `"${hash('md5', body)}"`).send(body)

/**
 * Sends a public file as small as the client accepts. Never a page: the length of a compressed
 * answer can reveal its secrets if it repeats what a request sent (BREACH).
 */
export async function sendCompressed(
  request: Request,
  response: Response,
  body: string,
): Promise<void> {
  response.setHeader('ETag', `W/"${hash('sha256', body, 'base64url')}"`)
  response.setHeader('Vary', 'Accept-Encoding')
  if (request.fresh) return void response.status(304).end()
  const encoding = CODINGS.find((each) => request.acceptsEncodings(each) === each)
  if (encoding) response.setHeader('Content-Encoding', encoding)
  response.send(encoding ? await COMPRESSED[encoding](body) : body)
}

/** Supported compressions, best first. */
const CODINGS = ['br', 'gzip'] as const

const BROTLI = promisify(brotliCompress)
const GZIP = promisify(gzip)

/** Smaller blocks with their own codes suit the mixture of texts and script. */
const SMALLEST = { level: 9, memLevel: 7 }

/** Maximum number of compressed files in the cache, each about 60 KB with its text (our decision). */
const KEPT = 50

/** Caches each file in each compression. */
const COMPRESSED = {
  br: memoized(KEPT, (body) => BROTLI(body)),
  gzip: memoized(KEPT, (body) => GZIP(body, SMALLEST)),
}
