import { hash } from 'node:crypto'
import type { Response } from 'express'

/**
 * Sends a public response with an ETag, so that clients can revalidate it. Other responses have
 * none (decision 113).
 */
export const sendPublic = (response: Response, body: string): Response =>
  response.set('ETag', `"${hash('md5', body)}"`).send(body)
